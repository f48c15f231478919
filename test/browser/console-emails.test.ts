import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { axeFaults } from './axe.ts';
import { type ConsoleRole, sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

const consoles = sharedConsole();
let browser: Browser;

beforeAll(async () => {
  browser = await sharedChromium();
}, 240_000);

afterAll(async () => {
  await browser?.close();
});

const patient = { timeout: 20_000, interval: 100 };

/** A new shop with somebody in its settings of e-mails. */
async function emailsOf(view = '', role: ConsoleRole = 'admin') {
  const shop = await consoles.newShop();
  const key = await consoles.keyOf(shop.slug, role);
  const opened = await consoles.open(browser, key, `/s/${shop.slug}/settings/emails${view}`, { colorScheme: 'light' });
  return { ...shop, ...opened };
}

const settings = (base: string) => consoles.call('GET', `${base}/settings/emails`);

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const mailIn = (page: Page) => page.frameLocator('.mail .phone iframe:not(.next)');
const subject = (page: Page) => page.locator('.envelope strong').textContent();

/** For somebody who looks at them: SCREENSHOTS names the folder. */
async function picture(page: Page, name: string) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('e-mails are switched on by the keyboard alone, and a sentence says what that does', async () => {
  const { page, base, faults } = await emailsOf();
  const on = page.getByRole('checkbox', { name: 'Send e-mails to customers' });
  await on.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Nordlicht post');
  await page.getByRole('checkbox', { name: 'Damaged', exact: true }).focus();
  await page.keyboard.press('Space');
  expect(await page.locator('.envelope dd').first().textContent()).toBe('Nordlicht post');
  await page.getByLabel('Answers go to').focus();
  await page.keyboard.type('help@shop.example');
  await page.keyboard.press('Enter');
  await page.getByText('Saved. From now on customers are e-mailed about 17 kinds of events.').waitFor();
  expect(await settings(base)).toMatchObject({
    enabled: true,
    sender_name: 'Nordlicht post',
    reply_to: 'help@shop.example',
    groups: { shipment_damaged: true, shipment_delivered: true, shipment_pre_transit: false },
  });
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'settings');

  await page.getByLabel('Answers go to').fill('nobody');
  await save(page);
  await vi.waitFor(
    async () => expect(await page.getByLabel('Answers go to').getAttribute('aria-invalid')).toBe('true'),
    patient,
  );
  await page.getByLabel('Answers go to').fill('');
  await on.uncheck();
  await save(page);
  await page.getByText('Saved. E-mails are off: customers get none.').waitFor();
  expect(await settings(base)).toMatchObject({ enabled: false, reply_to: null });
  expect(faults).toEqual([]);
});

test('the groups stand in the order of a journey', async () => {
  const { page } = await emailsOf();
  await page.getByRole('group', { name: 'Claims' }).waitFor();
  expect(await page.locator('fieldset legend').allTextContents()).toEqual([
    'On its way',
    'Delivery',
    'Collection',
    'Problems',
    'Returns',
    'Claims',
  ]);
});

test('the preview follows what is chosen: event, language, appearance and form', async () => {
  const { page, faults } = await emailsOf();
  await mailIn(page).locator('body').waitFor();
  const first = await subject(page);
  expect(first).toContain('today');
  await mailIn(page).getByText(first!).first().waitFor();

  await preview(page).getByLabel('About').selectOption({ label: 'Delivered' });
  await vi.waitFor(async () => expect(await subject(page)).not.toBe(first), patient);
  const english = await subject(page);
  await preview(page).getByLabel('Language').selectOption({ label: 'German' });
  await vi.waitFor(async () => expect(await subject(page)).not.toBe(english), patient);
  const german = (await subject(page))!;
  await mailIn(page).getByText(german).first().waitFor();

  const ground = () =>
    page
      .frames()
      .findLast((frame) => frame.url().includes('/emails/preview'))
      ?.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await preview(page).getByLabel('Appearance').selectOption({ label: 'Light' });
  await vi.waitFor(async () => expect(await ground()).toMatch(/^rgb\(2[0-9]{2}, /), patient);
  const light = await ground();
  await preview(page).getByLabel('Appearance').selectOption({ label: 'Dark' });
  await vi.waitFor(async () => expect(await ground()).not.toBe(light), patient);
  await picture(page, 'preview-dark');

  await preview(page).getByLabel('Show as').selectOption({ label: 'Plain text' });
  await vi.waitFor(async () => expect(await page.locator('.mail-text').textContent()).toContain(german), patient);
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'preview-text');
  // Every choice has a mail.
  for (const label of ['Return received', 'Claim opened', 'Delivered to a parcel shop']) {
    const before = await subject(page);
    await preview(page).getByLabel('About').selectOption({ label });
    await vi.waitFor(async () => expect(await subject(page)).not.toBe(before), patient);
  }
  expect(await page.locator('.failure').count()).toBe(0);
  expect(faults).toEqual([]);
});

describe('a test e-mail', () => {
  test('is sent as the preview shows it', async () => {
    const { page } = await emailsOf();
    await preview(page).getByLabel('About').selectOption({ label: 'Delivered' });
    await preview(page).getByLabel('E-mail address').fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Sent to ada@example.com. It should arrive within a minute.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test('to what is no address is refused beside the field, and the reason for another refusal is said', async () => {
    const { page } = await emailsOf();
    const address = preview(page).getByLabel('E-mail address');
    await address.fill('ada');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an e-mail address, such as name@example.com.').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await page.route('**/emails/test', (route) =>
      route.fulfill({ status: 502, json: { key: 'email_not_sent', message: 'No.', type: 'error', errors: [] } }),
    );
    await address.fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('The test e-mail was not sent.').waitFor();
    await page.getByText('The mail service did not take the e-mail.').waitFor();
  });
});

test('without a sender the settings say who can change that, and offer no test', async () => {
  const shop = await consoles.newShop();
  const key = await consoles.keyOf(shop.slug, 'admin');
  const { page } = await consoles.open(browser, key, `/s/${shop.slug}/overview`);
  await page.route('**/settings/emails', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), available: false } });
  });
  await consoles.visit(page, `/s/${shop.slug}/settings/emails`);
  await page.getByText('This service cannot send e-mails yet').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Send e-mails to customers' }).isDisabled()).toBe(true);
  expect(await page.getByText('Send it to yourself').count()).toBe(0);
  await mailIn(page).locator('body').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'unavailable');
});

test('a viewer sees the settings and the preview, and changes nothing', async () => {
  const { page } = await emailsOf('', 'viewer');
  await mailIn(page).locator('body').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Delivered', exact: true }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Addresses without e-mails' }).count()).toBe(0);
});

/** An order whose parcel is out for delivery since some minutes. */
async function mailed(base: string, number: string, email_id: string | null, minutesAgo = 5) {
  const tracking = `00340${Math.floor(Math.random() * 1e13)}`;
  await consoles.call('PUT', `${base}/orders`, {
    id: number,
    order: { ...(email_id !== null && { email_id }) },
    trackings: [{ tracking_number: tracking, carrier_reference: 'dhl' }],
  });
  const [order] = await consoles.call('GET', `${base}/orders?order_number=${number}`);
  await consoles.call('POST', `${base}/shipments/${order.trackings[0].uuid}/events?notify=true`, {
    event_name: 'OUT_FOR_DELIVERY',
    event_time: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
  });
  return order;
}

interface Logged {
  id: string;
  ref: string;
  status: string;
  reason: string | null;
  feedback: object | null;
}

/** The log of e-mails, when it has what is waited for. */
const logged = (base: string, isThere: (log: Logged[]) => boolean): Promise<Logged[]> =>
  vi.waitFor(
    async () => {
      const log = await consoles.call('GET', `${base}/integrations/email/deliveries`);
      expect(
        isThere(log),
        JSON.stringify(log.map(({ ref, status, reason, feedback }: Logged) => [ref, status, reason, feedback])),
      ).toBe(true);
      return log;
    },
    { timeout: 60_000, interval: 200 },
  );

test('the log tells each story in words, an address that bounced is listed, and can be mailed again', async () => {
  const { page, base, slug, faults } = await emailsOf();
  await consoles.call('PATCH', `${base}/settings/emails`, { enabled: true });
  const bouncing = 'bounce@simulator.amazonses.com';
  const ada = await mailed(base, 'N-1', 'ada@example.com');
  await mailed(base, 'N-2', null);
  await mailed(base, 'N-3', 'old@example.com', 48 * 60);
  await mailed(base, 'N-4', bouncing);
  await logged(base, (log) => log.some(({ feedback }) => feedback !== null));
  await mailed(base, 'N-5', bouncing);
  await logged(base, (log) => log.some(({ reason }) => reason === 'suppressed'));

  await page.getByRole('link', { name: 'What was sent' }).click();
  const cell = (text: string) => page.getByRole('cell').getByText(text, { exact: true });
  await cell('Sent').first().waitFor();
  await cell('Not sent: the order has no e-mail address').first().waitFor();
  await cell('Not sent: it was older than 24 hours').first().waitFor();
  await cell('Came back: there is no such address').waitFor();
  await cell('Not sent: the address gets no e-mails any more').first().waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'log');

  // The filter knows what was not sent.
  await page.getByLabel('Status').selectOption({ label: 'Not sent' });
  await vi.waitFor(async () => expect(await cell('Sent').count()).toBe(0), patient);
  const suppressed = page.getByRole('row').filter({ hasText: 'the address gets no e-mails any more' });
  await suppressed.first().getByRole('link').first().click();
  await page.getByText('This address is on the list of those that get no e-mails.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'one');
  await page.getByRole('link', { name: 'To the list' }).click();

  const row = page.getByRole('row').filter({ hasText: bouncing });
  await row.getByText('E-mails came back').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await picture(page, 'suppressed');
  await row.getByRole('button', { name: `Mail again: ${bouncing}` }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Mail ${bouncing} again?` });
  await question.getByText('If the next one does too, the address is listed here again').waitFor();
  await question.getByRole('button', { name: 'Mail again' }).click();
  await page.getByText(`${bouncing} gets the next e-mails again.`).waitFor();
  await page.getByText('Every address gets e-mails').waitFor();
  expect(await consoles.call('GET', `${base}/emails/suppressions`)).toEqual([]);

  await consoles.visit(page, `/s/${slug}/orders/${ada.uuid}`);
  await page.getByRole('link', { name: 'The customer was e-mailed: “Out for delivery”' }).click();
  await page.getByText('Taken by the mail service').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The e-mail is sent again.').waitFor();
  await page.getByText('Attempt 2').waitFor({ timeout: 30_000 });
  expect(faults).toEqual([]);
});

test('a simulation mails its customer only if that is asked for', async () => {
  const { page, base, slug } = await emailsOf();
  await consoles.call('PATCH', `${base}/settings/emails`, { enabled: true });
  await consoles.visit(page, `/s/${slug}/simulations/new`);
  await page.getByRole('checkbox', { name: 'Send e-mails to the customer' }).check();
  await picture(page, 'simulation');
  await page.getByRole('button', { name: 'Start the simulation' }).click();
  await page.getByText('E-mails are sent').waitFor();
  const [simulation] = await consoles.call('GET', `${base}/simulations`);
  expect(simulation).toMatchObject({ emails: true });
});
