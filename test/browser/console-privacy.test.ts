import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

const consoles = sharedConsole();
let browser: Browser;

beforeAll(async () => {
  browser = await sharedChromium();
}, 240_000);

afterAll(async () => {
  await browser?.close();
});

/** A new shop whose admin looks at a view. */
async function adminAt(path: string, fields: object = {}) {
  const shop = await consoles.newShop(fields);
  const key = await consoles.keyOf(shop.slug, 'admin');
  const opened = await consoles.open(browser, key, `/s/${shop.slug}${path}`, { reducedMotion: 'reduce' });
  return { ...shop, ...opened };
}

/** What the function behind the API does with a request, without its minute. */
async function finish(slug: string, uuid: string, orders: number) {
  const { table, tableName } = consoles.service;
  await table.send(
    new UpdateCommand({
      TableName: tableName,
      Key: keyOf.privacyRequest(slug, uuid),
      UpdateExpression: 'SET #s = :done, done_at = :at, orders = :orders, #c = :counts REMOVE list_pk, list_sk',
      ExpressionAttributeNames: { '#s': 'status', '#c': 'counts' },
      ExpressionAttributeValues: {
        ...{ ':done': 'done', ':at': new Date().toISOString(), ':orders': orders },
        ':counts': { deliveries: { found: 3, erased: 2, kept: 1 }, orders: { found: orders, erased: orders, kept: 0 } },
      },
    }),
  );
}

/** What axe finds, in both themes. Colours do not fade into each other, because the page has no motion. */
async function faultsOf(page: Page) {
  // What is scrolled half below the header is no fault of the page.
  await page.evaluate('scrollTo(0, 0)');
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    faults.push(...(await axeFaults(page)));
  }
  return faults;
}

const newest = async (base: string) => (await consoles.call('GET', `${base}/privacy/requests`))[0];

/** What has the focus, by the words that people and screen readers get. */
const focused = `(() => {
  const { activeElement: it } = document;
  return (it.labels?.[0] ?? it).innerText.trim();
})()`;

/** Presses Tab until this has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, words: string) {
  for (let i = 0; i < 80; i++) {
    if (((await page.evaluate(focused)) as string).startsWith(words)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches "${words}".`);
}

test('the keyboard alone asks, counts, confirms, follows and downloads', async () => {
  const { page, slug, base, faults } = await adminAt('/settings/privacy');
  await page.getByText('No requests yet').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await tabTo(page, 'New request');
  await page.keyboard.press('Enter');
  await page.getByLabel('What is wanted').waitFor();
  await tabTo(page, 'What is wanted');
  await page.keyboard.press('e');
  await tabTo(page, 'E-mail address');
  await page.keyboard.press('Enter');
  await page.getByText('Enter an e-mail address, a customer id or an order number.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await tabTo(page, 'Order numbers');
  await page.keyboard.type('N-1, N-2');
  await tabTo(page, 'See what would go');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What would go' }).waitFor();
  await page.getByText('It begins within a minute.').waitFor();
  const counted = await newest(base);
  expect(counted).toMatchObject({ kind: 'erasure', dry_run: true });
  await finish(slug, counted.uuid, 2);
  await page.getByText('2 orders would lose their personal data.').waitFor();
  const places = page.getByRole('table').getByRole('row');
  expect((await places.allInnerTexts()).map((row) => row.split('\t')[0]!.trim())).toEqual([
    'Where',
    'Orders and parcels',
    'Log of deliveries',
  ]);
  expect(await faultsOf(page)).toEqual([]);

  await tabTo(page, `Type ${slug} to go on`);
  await page.keyboard.type('yes');
  await tabTo(page, 'Erase for good');
  await page.keyboard.press('Enter');
  await page.getByText(`Type exactly ${slug}.`).waitFor();
  expect(await page.evaluate(focused)).toBe(`Type ${slug} to go on`);
  expect(await consoles.call('GET', `${base}/privacy/requests`)).toHaveLength(1);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(slug);
  await page.keyboard.press('Enter');
  await page.locator('.notice', { hasText: 'The erasure begins within a minute.' }).first().waitFor();
  const erasure = await newest(base);
  expect(erasure).toMatchObject({ kind: 'erasure', dry_run: false });
  expect(page.url()).toContain(`/settings/privacy/${erasure.uuid}`);
  await finish(slug, erasure.uuid, 2);
  await page.getByText('The personal data of 2 orders is gone.').waitFor();
  expect(await faultsOf(page)).toEqual([]);

  const { uuid } = await consoles.call('POST', `${base}/privacy/requests`, {
    kind: 'disclosure',
    order_numbers: ['N-1'],
  });
  await finish(slug, uuid, 1);
  await page.route(/disclosures/, (route) => route.fulfill({ body: 'PK', contentType: 'application/zip' }));
  await consoles.visit(page, `/s/${slug}/settings/privacy/${uuid}`);
  await page.getByText('The file is ready for seven days.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await tabTo(page, 'Download ZIP');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).url()).toContain(`/disclosures/${slug}/${uuid}.zip?`);
  expect(faults).toEqual([]);
});

test('time limits are saved with what they do, and a shorter one is asked about first', async () => {
  const { page, base, faults } = await adminAt('/settings/privacy/retention');
  const days = page.getByLabel('Days until an order is erased');
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
  await days.fill('20');
  await save();
  await page.locator('.field.faulty', { hasText: 'Days until an order is erased' }).waitFor();
  await days.fill('730');
  await page.getByLabel('Days until deliveries are removed').fill('');
  await save();
  const question = page.getByRole('dialog', { name: 'Erase what is older from the next night on?' });
  await question.getByText('Orders without a change for 730 days').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await consoles.call('GET', `${base}/settings/retention`)).toMatchObject({ orders_days: null });
  await save();
  await question.getByRole('button', { name: 'Save and erase' }).click();
  await page.getByText('Orders are erased 730 days after their last change, at night.').first().waitFor();
  expect(await consoles.call('GET', `${base}/settings/retention`)).toEqual({
    orders_days: 730,
    claim_images_days: null,
    deliveries_days: 30,
  });
  await days.fill('');
  await save();
  await page.getByText('No order is erased by itself.').first().waitFor();
  expect(faults).toEqual([]);
});

test('an erased order says when and by whom, and the shop system page how its requests come here', async () => {
  const { page, slug, base, faults } = await adminAt('/settings/shop-system', { shop_provider: 'shop_system_1' });
  await page.getByText(`uri = "${consoles.url}/v1/shops/${slug}/shop-system/inbound/privacy"`).waitFor();
  await page.getByText('compliance_topics = ["customers/data_request", "customers/redact", "shop/redact"]').waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await consoles.call('PUT', `${base}/orders`, { id: 'N-1', order: { email_id: 'ida@example.com' }, trackings: [] });
  const [{ uuid }] = await consoles.call('GET', `${base}/orders?order_number=N-1`);
  const at = '2026-11-02T10:00:00.000Z';
  const erasure = { at, kind: 'order', title: 'Personal data was erased', data: { erased_by: 'retention' } };
  await page.route(/\/v1\/.*\/orders\b/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const isTimeline = route.request().url().includes('/timeline');
    const erasedOf = (order: object) => ({ ...order, erased_at: at });
    const json = isTimeline ? [...body, erasure] : Array.isArray(body) ? body.map(erasedOf) : erasedOf(body);
    await route.fulfill({ response, json });
  });
  await consoles.visit(page, `/s/${slug}/orders/${uuid}`);
  await page.getByText('The personal data of this customer was erased.').waitFor();
  const entry = page.locator('.entry', { hasText: 'Personal data was erased' });
  await entry.getByText('Asked by: The time limit of your shop').waitFor();
  expect(await page.getByText('Show which promotion').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  expect(faults).toEqual([]);
});
