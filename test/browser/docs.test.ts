import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allOperations, familyNames } from '#schemas/families/index.ts';
import { axeFaults } from './axe.ts';
import { sharedChromium, sharedService } from './shared-stack.ts';

const { url } = sharedService();
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
let browser: Browser;
let page: Page;
const hosts = new Set<string>();
const complaints: string[] = [];

beforeAll(async () => {
  browser = await sharedChromium();
  page = await browser.newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
});
afterAll(() => browser?.close());
beforeEach(() => page.setViewportSize(desk));

const open = (name = '') => page.goto(`${url}/docs${name}`);
const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

describe('axe finds nothing', () => {
  const names = ['', '/guides', '/errors', ...familyNames.map((family) => `/${family}`)];
  /** The kinds of elements that axe has seen in every theme and size. A page without a new kind has nothing to find. */
  const seen: string[] = [];

  test.each(names)('in /docs%s, light and dark, at 1280 and 390', async (name) => {
    await open(name);
    await page.setViewportSize(phone);
    expect(await overflow()).toBeLessThanOrEqual(0);
    const found = await page.evaluate<string[]>(`(${keepNewKinds})(${JSON.stringify(seen)})`);
    for (const viewport of [desk, phone]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of found.length > 0 ? (['light', 'dark'] as const) : []) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFaults(page)).toEqual([]);
      }
    }
    seen.push(...found);
  });
});

/** Runs in the page. Opens everything and leaves one element of each kind that is not known: axe takes seconds for all. */
const keepNewKinds = `(known) => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
  const kinds = new Set(known);
  const found = [];
  const wordOf = ({ tagName, className, attributes }) =>
    [tagName, className, ...[...attributes].map(({ name }) => name).filter((name) => !/^(id|href|data-)/.test(name))].join('.');
  // Fields within fields are no kind of their own.
  const placesOf = (element) => (element === document.body ? [] : [...placesOf(element.parentElement), wordOf(element)]);
  const kindOf = (element) => wordOf(element) + ' in ' + [...new Set(placesOf(element.parentElement))].join('>');
  const isNew = (element) => {
    const kind = kindOf(element);
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    found.push(kind);
    return true;
  };
  const leaves = new Set([...document.body.querySelectorAll('*:not(script)')].filter(isNew));
  const isNeeded = (element) => leaves.has(element) || [...element.children].some(isNeeded);
  for (const term of document.querySelectorAll('dt')) {
    if (isNeeded(term) || isNeeded(term.nextElementSibling)) continue;
    term.nextElementSibling.remove();
    term.remove();
  }
  for (const element of document.querySelectorAll('main > *, main section > *, main dl, main li, nav li, nav .group')) {
    if (!isNeeded(element)) element.remove();
  }
  return found;
}`;

test('the navigation leads to every operation, and its filter works by keyboard', async () => {
  await open();
  const links = await page.locator('.group a[href*="#"]').evaluateAll(hrefsOf);
  expect(links).toEqual(allOperations.map(({ id, family }) => `/docs/${family}#${id}`));
  await page.keyboard.press('/');
  await page.keyboard.type('upsert');
  await expect.poll(() => page.locator('#found').textContent()).toBe('2 operations');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/docs/orders#upsertOrder`);
  await page.getByRole('heading', { name: 'Create, update or fulfil an order' }).waitFor();
});

/** Runs in the page. */
const hrefsOf = (links: { getAttribute(name: string): string | null }[]) =>
  links.map((link) => link.getAttribute('href'));

test('an example is copied as it stands', async () => {
  await open('/meta');
  const example = page.locator('[aria-labelledby="getHealth"] .code').first();
  await example.getByRole('button', { name: 'Copy: curl' }).click();
  await example.getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe('curl -sS --fail-with-body "$base/health"');
});

test('on a phone the navigation is folded until somebody opens it', async () => {
  await page.setViewportSize(phone);
  await open('/orders');
  const operation = page.locator('nav').getByRole('link', { name: 'Place an order' });
  expect(await operation.isVisible()).toBe(false);
  await page.getByText('Contents', { exact: true }).click();
  await operation.click();
  expect(await operation.isVisible()).toBe(false);
  expect(page.url()).toBe(`${url}/docs/orders#placeOrder`);
});

test('without JavaScript all is there but the filter and the buttons', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: desk });
  const plain = await context.newPage();
  await plain.goto(`${url}/docs/orders`);
  expect(await plain.locator('nav').getByRole('link', { name: 'Place an order' }).isVisible()).toBe(true);
  expect(await plain.locator('#filter').isVisible()).toBe(false);
  expect(await plain.getByRole('button').count()).toBe(0);
  await plain.getByText('Errors (', { exact: false }).first().click();
  await plain.getByText('No shop has this slug.').first().waitFor();
  await context.close();
});

test('the docs load nothing from another host, and the browser reports no error', () => {
  expect([...hosts].filter((host) => host !== '')).toEqual([new URL(url).host]);
  expect(complaints).toEqual([]);
});

test('a wrong link shows a page with a way on, and the status says that it is wrong', async () => {
  const answer = await open('/nothing');
  expect(answer!.status()).toBe(404);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'the start of the docs' }).click();
  await page.waitForURL(`${url}/docs`);
});
