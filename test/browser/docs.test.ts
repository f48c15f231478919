import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { allOperations } from '#schemas/families/index.ts';
import { sharedChromium, sharedService } from './shared-stack.ts';

const { url, operator } = sharedService();
let browser: Browser;
let page: Page;
const hosts = new Set<string>();
const complaints: string[] = [];

/** The page takes seconds to draw all operations, so that the tests share it, as a person does who reads on. */
beforeAll(async () => {
  browser = await sharedChromium();
  page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: /Post-purchase delivery tracking/ }).waitFor({ timeout: 90_000 });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByPlaceholder('Filter by tag').fill('');
});

test('the docs page is readable on a phone', async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
});

test('the docs page shows every operation to a person who scrolls through it', async () => {
  const seen = new Set<string>();
  const unseen = async () => {
    await scrollThrough((id) => seen.add(id));
    return allOperations.map(({ id }) => id).filter((id) => !seen.has(id));
  };
  // Somebody who scrolls faster than the page draws scrolls once more.
  await expect.poll(unseen, { timeout: 90_000 }).toEqual([]);
});

test('the docs page finds operations by their family', async () => {
  await page.getByPlaceholder('Filter by tag').fill('meta');
  await page.locator('[id$="-createShop"]').waitFor({ state: 'detached' });
  await page.locator('[id$="-getHealth"]').waitFor();
});

test('the docs page sends a request with the credentials that a person enters', async () => {
  const username = page.locator('#auth-basic-username');
  // A click on a button that the page draws anew at this moment is lost.
  const open = async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await username.waitFor({ timeout: 3000 });
  };
  await vi.waitFor(open, { timeout: 30_000 });
  await username.fill(operator.username);
  await page.locator('#auth-basic-password').fill(operator.secret);
  const form = page.locator('.modal-ux .auth-container', { has: page.locator('h4', { hasText: 'basic' }) });
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();

  await page.locator('[id$="-createShop"] .opblock-summary-control').click();
  await page
    .locator('[id$="-createShop"] textarea')
    .fill(JSON.stringify({ name: 'From the docs', slug: 'from-the-docs' }));
  await page.locator('[id$="-createShop"]').getByRole('button', { name: 'Execute' }).click();
  await page.locator('[id$="-createShop"] .live-responses-table .response-col_status', { hasText: '200' }).waitFor();
});

test('the docs page shows the examples of a request, a response and an error', async () => {
  // Many operations are drawn only while they are on the screen, those of one family at once.
  await page.getByPlaceholder('Filter by tag').fill('orders');
  await page.locator('[id$="-upsertOrder"] .opblock-summary-control').click();
  const operation = page.locator('[id$="-upsertOrder"]');
  expect(await operation.locator('textarea').inputValue()).toContain('Mara Lindqvist');
  await operation.locator('.responses-table', { hasText: 'No shop has this slug.' }).waitFor();
  await page.locator('[id$="-searchOrders"] .opblock-summary-control').click();
  await page.locator('[id$="-searchOrders"] .responses-table', { hasText: 'Rain jacket Fjord' }).waitFor();
});

test('the docs page loads nothing from another host, and the browser reports no error', () => {
  expect([...hosts].filter((host) => host !== '' && host !== new URL(url).host)).toEqual([]);
  expect(complaints).toEqual([]);
});

/** From the top to the end of the page, half a screen at a time, because it draws only what is on the screen. */
async function scrollThrough(see: (operation: string) => void): Promise<void> {
  for (let step = 0; step < 100; step++) {
    await page.evaluate(`scrollTo(0, ${step} * innerHeight / 2)`);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    for (const id of await page.locator('.opblock').evaluateAll(idsOf)) see(id);
    if (await page.evaluate('scrollY + innerHeight >= document.documentElement.scrollHeight')) return;
  }
}

/** Runs in the page. */
const idsOf = (blocks: { id: string }[]) => blocks.map(({ id }) => id.slice(id.lastIndexOf('-') + 1));
