import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exactTimeText } from '#domain/tracking-page/dates.ts';
import { loadWithdrawalTexts } from '#domain/withdrawals/texts/withdrawal-texts.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { type PageService, type PageShop, sharedPages } from './page-service.ts';
import { sharedChromium } from './shared-stack.ts';

/** A customer withdraws from the contract, gets it in writing, and the shop settles it. */

const consoles = sharedConsole();
let services: PageService;
let browser: Browser;
let shop: PageShop;

beforeAll(async () => {
  services = await sharedPages();
  browser = await sharedChromium();
  shop = await services.newShop();
  await shop.call('PATCH', `${shop.base}/settings/tracking-page`, { withdrawal_enabled: true });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await services?.stop();
});

const phone = { width: 390, height: 844 };

/** For somebody who looks at them: SCREENSHOTS names the folder. */
async function picture(page: Page, name: string, widths: readonly number[] = [phone.width]) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
}

const newOrder = () =>
  shop.orderIn({
    phase: 'delivered',
    order: { address: { name: 'Ada Customer', zip_code: '80331', city: 'München', country_code: 'DE' } },
  });

const withdrawalsOf = async (email: string) => {
  const { withdrawals } = await shop.call('GET', `${shop.base}/withdrawals?per_page=100`);
  return withdrawals.filter(({ email_id }: { email_id: string }) => email_id === email);
};

/** The text of the only mail to this address in the mailbox of the stack, when it is there. */
async function mailTo(page: Page, email: string): Promise<string> {
  const rows = page.locator('.mails').getByRole('link').filter({ hasText: email });
  await expect
    .poll(async () => (await page.goto(`${services.url}/mail`)) && rows.count(), { timeout: 60_000, interval: 500 })
    .toBe(1);
  await rows.click();
  return page.locator('pre').innerText();
}

test.each([
  ['en', true],
  ['de', false],
  ['hu', false],
] as const)(
  'a customer withdraws with two clicks, in %s and with JavaScript: %s',
  async (language, javaScriptEnabled) => {
    const texts = await loadWithdrawalTexts(language);
    const token = await newOrder();
    const [path, email] = [`/t/${token}`, `ada-${randomUUID()}@example.com`];
    const context = await browser.newContext({ javaScriptEnabled, viewport: phone });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    // axe itself needs JavaScript.
    const expectNoFaults = async () => javaScriptEnabled && expect(await axeFaults(page)).toEqual([]);
    const [name, address] = [page.getByLabel(texts.form.name), page.getByLabel(texts.form.email_id)];
    const confirm = page.getByRole('button', { name: texts.confirm });

    await page.goto(`${services.url}${path}?lang=${language}`);
    await expectNoFaults();
    await picture(page, `withdrawal-1-offer-${language}`);
    await page.getByRole('link', { name: texts.withdraw }).click();
    await page.getByRole('heading', { level: 1, name: texts.form.title }).waitFor();
    const boxes = page.getByRole('checkbox');
    expect(await boxes.evaluateAll((all) => all.map((box) => (box as { checked?: boolean }).checked))).toEqual([
      true,
      true,
    ]);
    // Both lines to write in look alike.
    const heights = await Promise.all([name, address].map(async (field) => (await field.boundingBox())!.height));
    expect(heights[1]).toBe(heights[0]);
    await expectNoFaults();
    await picture(page, `withdrawal-2-form-${language}`);

    // A browser takes this address, and the service does not.
    await name.fill('Ada <b>Lovelace</b>');
    await address.fill('ada@localhost');
    for (const box of await boxes.all()) await box.uncheck();
    await confirm.click();
    await page.getByText(texts.form.summary).waitFor();
    await page.getByRole('link', { name: texts.faults.email_invalid }).waitFor();
    await page.getByRole('link', { name: texts.faults.items_missing }).waitFor();
    expect(await name.inputValue()).toBe('Ada <b>Lovelace</b>');
    expect(await address.inputValue()).toBe('ada@localhost');
    expect(await page.locator('input:checked').count()).toBe(0);
    await expectNoFaults();
    await picture(page, `withdrawal-3-faults-${language}`);

    const other = await context.newPage();
    await other.goto(`${services.url}${path}/withdrawal?lang=${language}`);

    await address.fill(email);
    await page.getByLabel('2 × Hiking boots').check();
    await confirm.click();
    await page.waitForURL((url) => url.pathname === path);
    const [declared] = await withdrawalsOf(email);
    expect(declared).toMatchObject({ name: 'Ada <b>Lovelace</b>', status: 'declared' });
    expect(declared.items).toMatchObject([{ sku: 'BOOTS-39', quantity: 2 }]);

    // What was declared comes first, with a text to keep, and cannot be declared again.
    const sections = await page.locator('main').getByRole('heading').allInnerTexts();
    expect(sections[0]).toBe(texts.declared.title);
    const kept = page.locator('#withdrawal figure');
    await kept.getByText(texts.declared.keep).waitFor();
    const text = await kept.locator('blockquote').innerText();
    const { order_number } = await shop.facts(token);
    for (const part of ['Nordlicht Outdoor', order_number, '2 × Hiking boots']) expect(text).toContain(part);
    expect(text).not.toContain('Rain jacket');
    expect(await page.getByRole('link', { name: texts.withdraw }).count()).toBe(0);
    await expectNoFaults();
    await picture(page, `withdrawal-4-declared-${language}`);

    // Whoever has the form open twice, and sends it twice, has declared once.
    await other.getByLabel(texts.form.name).fill('Ada again');
    await other.getByLabel(texts.form.email_id).fill(email);
    await other.getByRole('button', { name: texts.confirm }).click();
    await other.waitForURL((url) => url.pathname === path);
    expect(await withdrawalsOf(email)).toEqual([declared]);

    const mail = await mailTo(page, email);
    expect(mail).toContain('Ada <b>Lovelace</b>');
    expect(mail).toContain('Hiking boots');
    expect(mail).not.toContain('Rain jacket');
    expect(mail).toContain(order_number);
    expect(mail).toContain(exactTimeText(new Date(declared.declared_at), 'Europe/Berlin', { language }));
    await context.close();
  },
);

test('the shop finds a withdrawal and settles it, and the customer reads what became of it', async () => {
  const token = await newOrder();
  const form = `${services.url}/t/${token}/withdrawal?lang=en`;
  const key = await consoles.keyOf(shop.slug, 'editor');
  const customer = await browser.newPage({ viewport: phone });
  await customer.goto(form);
  await customer.getByLabel('Your name').fill('Grace Hopper');
  await customer.getByLabel('Your e-mail address').fill(`grace-${randomUUID()}@example.com`);
  await customer.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await customer.getByText('Received', { exact: true }).waitFor();

  const { page, context, faults } = await consoles.open(browser, key, `/s/${shop.slug}/withdrawals`);
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
  await row.getByText('Waits for you').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'console-withdrawals', [390, 1280]);
  await row.getByRole('link').first().click();
  await page.getByText('Rain jacket Fjord').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'console-withdrawal', [390, 1280]);
  await page.getByLabel('Status').selectOption({ label: 'Accepted' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The withdrawal is now: Accepted.').waitFor();
  expect(faults).toEqual([]);
  await context.close();

  // The form leads to the page, since there is nothing left to declare.
  await customer.goto(form);
  await customer.getByText('The shop has accepted your withdrawal.').waitFor();
  expect(new URL(customer.url()).pathname).toBe(`/t/${token}`);
  await customer.close();
});
