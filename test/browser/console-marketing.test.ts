import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { type ConsoleRole, sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

/** Campaigns, tests, discounts, deals, announcements and automations in the console, on the real stack. */

let browser: Browser;
const console_ = sharedConsole();
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(async () => {
  await browser?.close();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

const waits = { timeout: 20_000 };
const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

interface Opened {
  slug: string;
  base: string;
  page: Page;
  faults: string[];
}

interface Start {
  role?: ConsoleRole;
  shop?: { slug: string; base: string };
  options?: object;
}

async function open(path: string, { role = 'editor', shop, options = desk }: Start = {}): Promise<Opened> {
  const own = shop ?? (await console_.newShop());
  const key = await console_.keyOf(own.slug, role);
  const { page, faults } = await console_.open(browser, key, `/s/${own.slug}${path}`, options);
  page.setDefaultTimeout(waits.timeout);
  return { ...own, page, faults };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.locator('.form').getByLabel(name, { exact: true }).first();
const previewOf = (page: Page) => page.frameLocator('.phone iframe:not(.next)');
const sees = (page: Page, text: string) => page.getByText(text).first().waitFor(waits);

const campaign = (fields: object = {}, properties: object = {}) => ({
  name: 'Autumn',
  segment: 'all',
  promotion_type: 'basic',
  enabled: true,
  promotion_properties: { title: 'Warm socks', cta_url: 'https://shop.example/socks', ...properties },
  ...fields,
});

describe('a campaign', () => {
  test('is seen in the preview before it is saved, and on the page of a customer afterwards', async () => {
    const { page, base, slug, faults } = await open('/campaigns');
    await sees(page, 'No campaign yet');
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await field(page, 'Name').fill('Autumn');
    await page.getByLabel('Title (optional)').first().fill('Warm socks for cold feet');
    await page.getByLabel('The campaign is on').check();
    await previewOf(page).getByRole('heading', { name: 'Warm socks for cold feet' }).waitFor(waits);
    expect(await console_.call('GET', `${base}/campaigns`)).toEqual([]);

    await button(page, 'Create campaign').click();
    await page.getByRole('link', { name: 'Autumn' }).click();
    await previewOf(page).getByRole('heading', { name: 'Warm socks for cold feet' }).waitFor(waits);
    await page.getByText('Running', { exact: true }).waitFor(waits);

    await console_.call('PUT', `${base}/orders`, { id: '1001', order: {}, trackings: [{ tracking_number: 'T1' }] });
    const [{ tracking_page_url }] = await console_.call('GET', `${base}/orders?order_number=1001`);
    await page.goto(tracking_page_url);
    await sees(page, 'Warm socks for cold feet');

    await page.goto(`${console_.url}/console/s/${slug}/campaigns`);
    await expect
      .poll(() => page.locator('tbody tr').innerText(), waits)
      .toMatch(/Autumn\s+Running\s+all[\s\S]*1\s+0\s+0\s?%/);
    await page.getByRole('link', { name: 'Autumn' }).click();
    await button(page, 'Switch off').click();
    await page.getByText('Off', { exact: true }).waitFor(waits);
    await button(page, 'Delete campaign').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete campaign' }).click();
    await sees(page, 'No campaign yet');
    expect(faults).toEqual([]);
  });

  test('that somebody else changed meanwhile is not overwritten silently', async () => {
    const shop = await console_.newShop();
    const { uuid } = await console_.call('POST', `${shop.base}/campaigns`, campaign());
    const titleNow = async () =>
      (await console_.call('GET', `${shop.base}/campaigns/${uuid}`)).promotion_properties.title;
    const [first, second] = [await open(`/campaigns/${uuid}`, { shop }), await open(`/campaigns/${uuid}`, { shop })];
    const title = ({ page }: Opened) => page.getByLabel('Title (optional)').first();
    for (const tab of [first, second]) await title(tab).waitFor(waits);

    await title(first).fill('Of the first');
    await button(first.page, 'Save').click();
    await sees(first.page, 'The campaign is saved.');
    await title(second).fill('Of the second');
    await button(second.page, 'Save').click();
    await sees(second.page, 'Somebody else saved a change while you were typing. Yours was not saved.');
    expect(await titleNow()).toBe('Of the first');
    expect(await title(second).inputValue()).toBe('Of the second');

    await button(second.page, 'Drop mine and show theirs').click();
    await expect.poll(() => title(second).inputValue(), waits).toBe('Of the first');
    await title(second).fill('Of both');
    await button(second.page, 'Save').click();
    await sees(second.page, 'The campaign is saved.');
    await title(first).fill('Of the first again');
    await button(first.page, 'Save').click();
    await button(first.page, 'Save mine anyway').click();
    await expect.poll(titleNow, waits).toBe('Of the first again');
  });

  test('is not lost when saving fails, and is saved with the next try', async () => {
    const { page, base } = await open('/campaigns/new');
    await field(page, 'Name').fill('Autumn');
    const path = `**${base}/campaigns`;
    const body = { key: 'unexpected', message: 'Something went wrong.', type: 'api_error', errors: [] };
    await page.route(path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: body, headers: { 'x-correlation-id': 'correlation-1' } })
        : route.continue(),
    );
    await button(page, 'Create campaign').click();
    for (const text of ['The campaign was not saved.', 'Something went wrong in the service.', 'correlation-1'])
      await sees(page, text);
    await page.unroute(path);
    await page.route(path, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await button(page, 'Create campaign').click();
    await sees(page, 'The service could not be reached.');
    expect(await field(page, 'Name').inputValue()).toBe('Autumn');
    await page.unroute(path);
    await button(page, 'Create campaign').click();
    await page.getByRole('link', { name: 'Autumn' }).waitFor(waits);
  });

  test('with a fault is refused beside the field, which gets the focus', async () => {
    const { page } = await open('/campaigns/new');
    await field(page, 'Name').fill('Autumn');
    await page.getByLabel('Link (optional)').fill('javascript:alert(1)');
    await button(page, 'Create campaign').click();
    const faulty = page.locator('[aria-invalid=true]');
    await faulty.waitFor(waits);
    await expect.poll(() => isFocused(page, '[aria-invalid=true]'), waits).toBe(true);
    expect(await page.locator('.field.faulty').innerText()).toContain('Link');
  });
});

test('a campaign with dates asks whether it is to run, and says when it does', async () => {
  const { page, base } = await open('/campaigns/new');
  await field(page, 'Name').fill('Winter');
  await page.getByLabel('Start (optional)').fill('2099-11-20T09:00');
  await button(page, 'Create campaign').click();
  const question = page.getByRole('dialog', { name: 'Shall the campaign run?' });
  await question.getByRole('button', { name: 'Save it switched off' }).click();
  await sees(page, 'The campaign is saved. It is off until you switch it on.');
  await page.getByRole('link', { name: 'Winter' }).click();
  await button(page, 'Switch on').click();
  await sees(page, 'The campaign is on. It runs from 20 November 2099');
  expect(await console_.call('GET', `${base}/campaigns`)).toMatchObject([{ enabled: true, status: 'scheduled' }]);
});

test('what is wrong is said beside the field in German, names what is in the way, and goes when it is right', async () => {
  const shop = await console_.newShop();
  await console_.call('POST', `${shop.base}/campaigns`, campaign({ start_date: '2099-11-01T00:00:00Z' }));
  const { page } = await open('/campaigns/new', { shop, options: { ...desk, locale: 'de-DE' } });
  const isRight = () => expect.poll(() => page.locator('.fault, .failure').count(), waits).toBe(0);
  await page.getByLabel('Beginn (optional)').fill('2099-11-20T09:00');
  await page.getByLabel('Ende (optional)').fill('2099-11-19T09:00');
  await page.getByLabel('Die Kampagne ist eingeschaltet').check();
  await button(page, 'Kampagne anlegen').click();
  await sees(page, 'Bitte ausfüllen.');
  await sees(page, 'Bitte korrigieren Sie, was oben markiert ist.');
  await field(page, 'Name').fill('Winter');
  await isRight();
  await button(page, 'Kampagne anlegen').click();
  await sees(page, 'Das Ende muss nach dem Beginn liegen.');
  await page.getByLabel('Ende (optional)').fill('2099-11-21T09:00');
  await isRight();
  await button(page, 'Kampagne anlegen').click();
  await sees(page, 'Für dieses Segment ist zur selben Zeit die Kampagne „Autumn“ eingeschaltet.');
  await page.getByLabel('Die Kampagne ist eingeschaltet').uncheck();
  await isRight();
});

test('a list is saved as CSV', async () => {
  const shop = await console_.newShop();
  const fields = { name: '=cmd, "x"', end_date: '2099-11-20T00:00:00Z' };
  await console_.call('POST', `${shop.base}/campaigns`, campaign(fields));
  const { page } = await open('/campaigns', { shop });
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export as CSV').click()]);
  expect(file.suggestedFilename()).toBe(`${shop.slug}-campaigns.csv`);
  const path = join(tmpdir(), file.suggestedFilename());
  await file.saveAs(path);
  const [titles, row] = readFileSync(path, 'utf8').split('\r\n');
  rmSync(path);
  expect(titles).toBe('\ufeffName,Status,Segment,Start,End,Shown,Clicked');
  expect(row).toContain(`"'=cmd, ""x"""` + `,Running,all,`);
  expect(row).toContain(',2099-11-20T00:00:00.000Z,0,0');
});

test('a discount, a deal and an announcement are made, changed and deleted', async () => {
  const { page, base, slug, faults } = await open('/discounts');
  const list = (path: string) => console_.call('GET', `${base}${path}`);
  await page.getByRole('link', { name: 'New discount' }).first().click();
  await page.getByLabel('Code (optional)').fill('TEN');
  await button(page, 'Create discount').click();
  await page.getByRole('link', { name: 'TEN', exact: true }).click();
  await page.getByLabel('Title (optional)').fill('Ten off');
  await button(page, 'Save').click();
  await expect.poll(() => list('/discounts'), waits).toMatchObject([{ code: 'TEN', title: 'Ten off' }]);
  // Until the page has the answer, it has changes that are not saved.
  await sees(page, 'The discount is saved.');

  await page.goto(`${console_.url}/console/s/${slug}/deals/new`);
  await field(page, 'Discount').selectOption({ label: 'TEN · Ten off' });
  await page.getByLabel('Title (optional)').fill('Ten off everything');
  await previewOf(page).getByText('Ten off everything').first().waitFor(waits);
  await button(page, 'Create deal').click();
  await page.getByRole('link', { name: 'Ten off everything' }).click();
  await field(page, 'Position').fill('7');
  await button(page, 'Save').click();
  await expect.poll(() => list('/deals'), waits).toMatchObject([{ title: 'Ten off everything', rank: 7 }]);
  await button(page, 'Delete deal').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete deal' }).click();
  await sees(page, 'No deal yet');

  await page.goto(`${console_.url}/console/s/${slug}/discounts`);
  await page.getByRole('link', { name: 'Ten off', exact: true }).click();
  await button(page, 'Delete discount').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete discount' }).click();
  await sees(page, 'No discount yet');
  expect(await list('/discounts')).toEqual([]);
  expect(faults).toEqual([]);
});

test('an announcement is made, changed and deleted by keyboard alone', async () => {
  const { page, base } = await open('/announcements');
  await page.getByRole('link', { name: 'New announcement' }).first().waitFor(waits);
  await page.getByRole('link', { name: 'New announcement' }).first().focus();
  await page.keyboard.press('Enter');
  await field(page, 'Text').waitFor(waits);
  await arrived(page);
  await tabTo(page, 'textarea');
  await page.keyboard.type('We move on Monday');
  await previewOf(page).getByText('We move on Monday').waitFor(waits);
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'We move on Monday' }).waitFor(waits);
  await arrived(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await field(page, 'Text').waitFor(waits);
  await arrived(page);
  await tabTo(page, 'textarea');
  await page.keyboard.press('End');
  await page.keyboard.type(', at last');
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => console_.call('GET', `${base}/announcements`), waits)
    .toMatchObject([{ text: 'We move on Monday, at last' }]);
  await button(page, 'Delete announcement').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete announcement' }).focus();
  await page.keyboard.press('Enter');
  await sees(page, 'No announcement yet');
});

test.each([
  ['is saved', 'PATCH'],
  ['is read again', 'GET'],
])('what was changed can be deleted while it %s', async (_, held) => {
  const shop = await console_.newShop();
  await console_.call('POST', `${shop.base}/announcements`, { text: 'We move on Monday', language: 'en' });
  const [{ uuid }] = await console_.call('GET', `${shop.base}/announcements`);
  const { page } = await open(`/announcements/${uuid}`, { shop });
  await field(page, 'Text').fill('We move on Tuesday');
  const { promise: asked, resolve: readOn } = Promise.withResolvers<void>();
  await page.route(/\/v1\/.*\/announcements/, async (route) => {
    if (route.request().method() === held) await asked;
    await route.continue();
  });
  await button(page, 'Save').click();
  if (held === 'GET') await sees(page, 'The announcement is saved.');
  await button(page, 'Delete announcement').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete announcement' }).click();
  readOn();
  await sees(page, 'No announcement yet');
});

const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);

/** A new view takes the focus, and people wait for it. */
const arrived = (page: Page) => expect.poll(() => isFocused(page, 'main'), waits).toBe(true);

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    if (await isFocused(page, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${selector}.`);
}

test('an A/B test is made and ended, and an order is told why it gets what it gets', async () => {
  const shop = await console_.newShop();
  const made = (fields: object) => console_.call('POST', `${shop.base}/campaigns`, campaign(fields));
  await made({ name: 'One', segment: 'vip' });
  await made({ name: 'Other', segment: 'vip', enabled: false });
  await console_.call('PUT', `${shop.base}/orders`, { id: '7', order: {}, trackings: [{ tracking_number: 'T7' }] });
  const { page, slug, faults } = await open('/ab-tests/new', { shop });
  await field(page, 'Name').fill('Which one');
  await page.getByLabel('Segment').fill('vip');
  const variants = page.getByLabel('Campaign', { exact: true });
  await variants.nth(0).selectOption({ label: 'One (Running)' });
  await variants.nth(1).selectOption({ label: 'Other (Off)' });
  const effects = page.getByRole('status', { name: 'What this test will do' });
  for (const text of ['“One” is on. While the test runs, only its share', '“Other” is switched off. The test shows it'])
    await effects.getByText(text).waitFor(waits);
  await button(page, 'Create A/B test').click();
  await page.getByRole('link', { name: 'Which one' }).click();
  await page.getByText('Running').waitFor(waits);
  await button(page, 'End the test').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the test' }).click();
  await page.getByText('Ended', { exact: true }).waitFor(waits);

  await page.goto(`${console_.url}/console/s/${slug}/campaigns/explain`);
  await page.getByLabel('Order number').fill('7');
  await button(page, 'Explain').click();
  await sees(page, 'No campaign');
  await sees(page, 'The order is not in its segment.');
  expect(faults).toEqual([]);
});

test('an automation is made, tried on an order with an explanation, and shows its runs', async () => {
  const shop = await console_.newShop();
  const order = { total_order_price: 20 };
  await console_.call('PUT', `${shop.base}/orders`, { id: '8', order, trackings: [{ tracking_number: 'T8' }] });
  const { page, faults } = await open('/automations/new', { shop });
  await field(page, 'Name').fill('Big spenders');
  await page.getByLabel('Search events').fill('processed');
  await page.getByLabel('This happens').selectOption('ref:shipments/order_processed/ORDER_PROCESSED');
  await page.getByLabel('Wait', { exact: true }).fill('2');
  await page.getByLabel('Unit').first().selectOption({ label: 'days' });
  await button(page, 'Add a condition').click();
  await page.getByLabel('Value', { exact: true }).fill('50');
  await page.getByLabel('Segment', { exact: true }).fill('vip');
  await button(page, 'Create automation').click();
  await page.getByRole('link', { name: 'Open the automation' }).click();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByLabel('Order number').fill('8');
  await button(page, 'Try').click();
  await sees(page, 'Would not run');
  await sees(page, 'A condition is not met.');
  await page.getByRole('link', { name: 'Runs' }).click();
  await sees(page, 'It has not run yet');
  expect(await console_.call('GET', `${shop.base}/automations`)).toMatchObject([
    {
      conditions: { all: [{ field: 'context.order.total_order_price', operator: 'gt', value: 50 }] },
      delay_minutes: 2880,
    },
  ]);
  expect(faults).toEqual([]);
});

/** A shop with one of everything. @param text that stands in all of it */
async function fullShop(text: string) {
  const shop = await console_.newShop();
  const call = (path: string, body: object) => console_.call('POST', `${shop.base}${path}`, body);
  await call('/discounts', {
    code: text.slice(0, 255),
    title: text,
    type: 'order',
    value: 10,
    value_type: 'percentage',
  });
  const [{ uuid: discount }] = await console_.call('GET', `${shop.base}/discounts`);
  const deal = await call('/deals', { discount_id: discount, title: text, description: text });
  await call('/announcements', { text, language: 'en' });
  const [announcement] = await console_.call('GET', `${shop.base}/announcements`);
  const name = text.slice(0, 200);
  const texts = { title: text, subtitle: text, cta_label: name };
  const offer = await call('/campaigns', campaign({ name, segment: name, discount_id: discount }, texts));
  const campaigns = [{ campaign_id: offer.uuid, allocation: 100 }];
  const abTest = await call('/ab-tests', { name, segment: `${name} 2`, campaign_type: 'basic', campaigns });
  const actions = [{ type: 'add_segment', params: { segment: name } }];
  const automation = await call('/automations', { name, trigger: { ref: 'claims' }, actions });
  return {
    shop,
    paths: [
      '/campaigns',
      `/campaigns/${offer.uuid}`,
      '/campaigns/explain',
      '/ab-tests',
      '/ab-tests/new',
      `/ab-tests/${abTest.uuid}`,
      '/discounts',
      `/discounts/${discount}`,
      '/deals',
      `/deals/${deal.uuid}`,
      '/announcements',
      `/announcements/${announcement.uuid}`,
      '/automations',
      `/automations/${automation.uuid}`,
      `/automations/${automation.uuid}/runs`,
      `/automations/${automation.uuid}/dry-run`,
    ],
  };
}

/** Opens each view one after the other in the same tab. */
async function visit({ page, slug }: Opened, paths: readonly string[], look: (path: string) => Promise<void>) {
  for (const path of paths) {
    await console_.visit(page, `/s/${slug}${path}`);
    await page.locator('.page h1').waitFor(waits);
    if (await page.locator('.phone').count()) await previewOf(page).locator('main').waitFor(waits);
    await console_.settled(page);
    await look(path);
  }
}

/** console-views.test.ts looks at them full, in the light and in the dark. */
describe('every view', { timeout: 300_000 }, () => {
  test('of an empty shop says what would be there', async () => {
    const opened = await open('/campaigns', { options: phone });
    const paths = ['/campaigns', '/ab-tests', '/discounts', '/deals', '/announcements', '/automations'];
    await visit(opened, paths, async (path) => {
      await opened.page.locator('.empty h2').waitFor(waits);
      expect(await axeFaults(opened.page), path).toEqual([]);
    });
  });

  test('runs nothing of hostile texts, and keeps its layout', async () => {
    const hostile = `<script>top.hacked=1</script><img src=x onerror=top.hacked=1> \u202eevil ${'W'.repeat(90)}`;
    const { shop, paths } = await fullShop(hostile);
    const opened = await open('/campaigns', { shop, options: phone });
    await visit(opened, paths, async (path) => {
      const { page } = opened;
      expect(await page.evaluate('window.hacked'), path).toBeUndefined();
      expect(await page.locator('img[src="x"]').count(), path).toBe(0);
      expect(await overflows(page), path).toBe(false);
    });
    expect(opened.faults).toEqual([]);
  });
});

const overflows = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

test('a viewer reads everything, and is offered no change', async () => {
  const { shop, paths } = await fullShop('Ten off warm socks');
  const opened = await open('/campaigns', { shop, role: 'viewer' });
  const { page } = opened;
  const readable = paths.filter((path) => !path.endsWith('/new') && !path.endsWith('/dry-run'));
  await visit(opened, readable, async (path) => {
    const names = await page.locator('main').getByRole('button').allInnerTexts();
    const offered = names.filter((name) => /save|create|delete|end|able|add|remove/i.test(name));
    expect(offered, path).toEqual([]);
    expect(await page.getByRole('link', { name: /^New / }).count(), path).toBe(0);
  });
  await console_.visit(page, `/s/${opened.slug}/campaigns/new`);
  await sees(page, 'Your key may not see this');
});
