import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ShopSystem, shopTopics, unreadableReasons } from '#schemas/catalogues/shop-webhooks.ts';
import { axeFaults } from './axe.ts';
import { type ConsoleRole, sharedConsole } from './console-service.ts';
import { hostile } from './console-shop.ts';
import { sharedChromium } from './shared-stack.ts';

/** `SCREENSHOTS=<folder> npx vitest run --project browser console-shop-system` keeps pictures for people to look at. */
const folder = process.env.SCREENSHOTS;

const consoles = sharedConsole();
let browser: Browser;

beforeAll(async () => {
  if (folder) mkdirSync(resolve(folder), { recursive: true });
  browser = await sharedChromium();
}, 240_000);

afterAll(async () => {
  await browser?.close();
});

const patient = { timeout: 20_000, interval: 50 };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** What the service would answer, as far as a test says it. */
interface Made {
  inbound?: object;
  keys?: object;
  registered?: readonly string[];
}

const nothingCame = {
  is_connected: false,
  last_received_at: null,
  last_topic: null,
  ignored: [],
  unreadable: [],
};

const registrationsOf = (system: ShopSystem, types: readonly string[]) =>
  Object.entries(shopTopics[system])
    .filter(([type]) => types.includes(type))
    .map(([webhook_type, topic], i) => ({
      uuid: `01a1e39b-8788-71be-aefd-a29e4f87cc${10 + i}`,
      shop_slug: 'shop',
      webhook_type,
      name: topic,
      external_id: `${i + 1}`,
      shopify_id: null,
      topic,
      hook_url: 'https://service.example',
      fields: [],
      created_at: ago(60 * 24),
      updated_at: ago(60 * 24),
    }));

const allTypes = (system: ShopSystem) => Object.keys(shopTopics[system]);

/** Answers with what is made, which a test may change while the page is open. */
async function answer(page: Page, system: ShopSystem | undefined, made: Made) {
  await page.route('**/v1/shops/*/shop-system/inbound', (route) =>
    route.fulfill({ json: { shop_provider: system ?? null, ...nothingCame, ...made.inbound } }),
  );
  await page.route('**/v1/shops/*/shop-system/webhooks?*', (route) =>
    route.fulfill({ json: system ? registrationsOf(system, made.registered ?? []) : [] }),
  );
  await page.route('**/v1/shops/*/keys', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...made.keys } });
  });
}

interface Opening {
  role?: ConsoleRole;
  fields?: object;
}

const newShop = (system: ShopSystem | undefined, fields: object = {}) =>
  consoles.newShop({ shop_url: 'https://shop.example', ...(system && { shop_provider: system }), ...fields });

type Opened = Awaited<ReturnType<typeof consoles.open>>;

/** One browser for each language, as somebody has who works in the console. */
const opened: Record<string, Opened> = {};

async function pageIn(language: 'en' | 'de'): Promise<Opened> {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  opened[language] ??= await consoles.open(browser, consoles.operatorKey, '/shops', {
    locale,
    reducedMotion: 'reduce',
  });
  opened[language].faults.length = 0;
  return opened[language];
}

/** The page of a shop with this system. What is made may be changed while it is open. */
async function openSystem(system: ShopSystem | undefined, made: Made, opening: Opening = {}) {
  const { role = 'admin', fields = {} } = opening;
  const shop = await newShop(system, fields);
  const key = await consoles.keyOf(shop.slug, role);
  const opened = await consoles.open(browser, key, '/shops', { reducedMotion: 'reduce' });
  await answer(opened.page, system, made);
  await consoles.visit(opened.page, `/s/${shop.slug}/settings/shop-system`);
  await consoles.settled(opened.page);
  return { ...shop, ...opened };
}

const step = (page: Page, number: number) => page.locator('.setup-steps > li').nth(number - 1);

const unreadable = (more: object = {}) => ({
  received_at: ago(12),
  topic: 'order.updated',
  reason: 'field_invalid',
  field: 'total',
  order: '4711',
  ...more,
});

/** One of each reason, as the systems that list them have them. */
const everyReason = unreadableReasons.map((reason, i) =>
  unreadable({
    reason,
    received_at: ago(7 + i * 95),
    field:
      { field_missing: 'id', field_invalid: 'date_modified_gmt', refused: 'order_exists' }[reason as string] ?? null,
    order: ['not_json', 'too_large'].includes(reason) ? null : `${4711 + i}`,
  }),
);

const connected = (system: ShopSystem, more: object = {}): Made => ({
  inbound: {
    is_connected: true,
    last_received_at: ago(3),
    last_topic: shopTopics[system]['order-update'],
    ...more,
  },
  keys: {
    [system === 'shop_system_1' ? 'integration_7' : system]:
      system === 'shop_system_1' ? '****c0de' : { client_id: '****a1b2', client_secret: '****c3d4' },
  },
  registered: allTypes(system),
});

const adminUrls = {
  shop_system_1: 'https://my-shop.myshopify.com/admin/api/2026-10',
  shop_system_2: null,
  shop_system_3: 'https://shop.example',
} as const;

const apiError = (key: string, message: string, errors: object[] = []) => ({ key, message, type: 'api_error', errors });
const refusal = apiError('invalid_payload', 'The payload is invalid.', [
  { loc: ['body', 'client_secret'], msg: 'must not be empty', type: 'value_error' },
]);
const badGateway = apiError('bad_gateway', 'The shop system did not answer.');
const broken = apiError('unexpected', 'Something went wrong on our side.');

/** Every state of every system, at a desk and on a phone. */
const states: [name: string, system: ShopSystem | undefined, made: Made, fields: object][] = [
  ['unchosen', undefined, {}, {}],
  ...(['shop_system_1', 'shop_system_2', 'shop_system_3'] as const).flatMap((system) => {
    const name = { shop_system_1: 'shopify', shop_system_2: 'shopware', shop_system_3: 'woocommerce' }[system];
    const fields = { shop_admin_url: adminUrls[system] };
    const ignored = [
      { topic: 'customer.created', count: 1204, last_received_at: ago(55) },
      { topic: 'coupon.updated', count: 3, last_received_at: ago(6000) },
    ];
    return [
      [`${name}-new`, system, {}, {}],
      [`${name}-connected`, system, connected(system), fields],
      ...(system === 'shop_system_1'
        ? []
        : [[`${name}-unreadable`, system, connected(system, { unreadable: everyReason, ignored }), fields]]),
    ] as [string, ShopSystem, Made, object][];
  }),
];

/** Pictures in both themes, if somebody wants them. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!folder) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true, animations: 'disabled' });
  }
}

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

describe('in every state, the page', () => {
  test.each(states)('is accessible and fits a phone: %s', async (name, system, made, fields) => {
    for (const language of ['en', 'de'] as const) {
      const { page, faults } = await pageIn(language);
      const { slug } = await newShop(system, fields);
      await page.unrouteAll();
      await answer(page, system, made);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await consoles.visit(page, `/s/${slug}/settings/shop-system`);
      await consoles.settled(page);
      await shoot(page, `${name}-${language}-1280`);
      if (language === 'en') expect(await axeFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, `${name}-${language}-390`);
      await page.emulateMedia({ colorScheme: 'dark' });
      if (language === 'en') expect(await axeFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      // A text that is missing would show its key.
      expect(await page.locator('main').innerText()).not.toContain('admin.');
      expect(faults).toEqual([]);
    }
  });
});

/** The title of what has the focus. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText');

describe('connecting', () => {
  test('begins with the choice of the system, and leads on to the next step with the focus', async () => {
    const { page, base, faults } = await openSystem(undefined, {});
    expect(await page.getByRole('table', { name: 'Webhooks' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Use this system' }).click();
    await step(page, 1).locator('.fault').waitFor();
    await page.getByRole('radio', { name: /WooCommerce/ }).check();
    await page.getByRole('button', { name: 'Use this system' }).click();
    await page.locator('.notice', { hasText: 'WooCommerce is chosen.' }).waitFor();
    expect((await consoles.call('GET', base)).shop_provider).toBe('shop_system_3');
    await step(page, 2).getByLabel('Consumer key').waitFor();
    await vi.waitFor(async () => expect(await focused(page)).toContain('Give access to your shop'), patient);
    expect(faults).toEqual([]);
  });

  test('stores the address of WooCommerce as it is called, before the key, and keeps what was typed if it fails', async () => {
    const made: Made = {};
    const { page, base } = await openSystem('shop_system_3', made);
    const sent: unknown[] = [];
    let status = 422;
    await page.route('**/v1/shops/*/keys/shop_system_3', (route) => {
      sent.push(route.request().postDataJSON());
      return status === 204 ? route.fulfill({ status }) : route.fulfill({ status, json: refusal });
    });
    const address = page.getByLabel('Address of your shop');
    expect(await address.inputValue()).toBe('https://shop.example');
    await address.fill('shop.example/wp-admin/plugins.php');
    await page.getByLabel('Consumer key').fill(' ck_1234 ');
    await page.getByLabel('Consumer secret').fill('cs_5678');
    await page.getByRole('button', { name: 'Store access' }).click();
    await page.getByText('The changes were not saved.').waitFor();
    expect(await page.getByLabel('Consumer secret').inputValue()).toBe('cs_5678');
    expect((await consoles.call('GET', `${base}/addresses`)).shop_admin_url).toBe('https://shop.example');

    status = 204;
    made.inbound = { is_connected: true };
    made.keys = { shop_system_3: { client_id: '****1234', client_secret: '****5678' } };
    await page.getByRole('button', { name: 'Store access' }).click();
    await page.locator('.notice', { hasText: 'The access to WooCommerce is stored.' }).waitFor();
    expect(sent).toEqual([
      { client_id: 'ck_1234', client_secret: 'cs_5678' },
      { client_id: 'ck_1234', client_secret: 'cs_5678' },
    ]);
    await vi.waitFor(async () => expect(await focused(page)).toContain('Register the webhooks'), patient);
    expect(await page.getByLabel('Consumer secret').inputValue()).toBe('');
  });

  test('registers all webhooks that the system has by one button, and after a failure only those that are missing', async () => {
    const made: Made = { ...connected('shop_system_3', { last_received_at: null }), registered: [] };
    const { page } = await openSystem('shop_system_3', made, { fields: { shop_admin_url: 'https://shop.example' } });
    const asked: string[] = [];
    let failing = 'order-deletion';
    await page.route('**/v1/shops/*/shop-system/webhooks', (route) => {
      const { webhook_type } = route.request().postDataJSON();
      asked.push(webhook_type);
      if (webhook_type === failing) return route.fulfill({ status: 502, json: badGateway });
      made.registered = [...made.registered!, webhook_type];
      return route.fulfill({ json: registrationsOf('shop_system_3', [webhook_type])[0]! });
    });
    await page.getByRole('button', { name: 'Register all 6 webhooks' }).click();
    await step(page, 3).getByText('Order deleted was not registered.').waitFor();
    await step(page, 3).getByText('2 of 6 registered').waitFor();
    failing = '';
    await page.getByRole('button', { name: 'Register the 4 missing ones' }).click();
    await page.locator('.notice', { hasText: 'All webhooks are registered in WooCommerce.' }).waitFor();
    expect(asked).toEqual([...asked.slice(0, 3), 'order-deletion', ...asked.slice(4)]);
    expect([...new Set(asked)].sort()).toEqual(allTypes('shop_system_3').sort());
    expect(asked).toHaveLength(7);
    await vi.waitFor(async () => expect(await focused(page)).toContain('Place an order'), patient);
  });

  test('makes the app of Shopware in the browser, and notices by itself that it is installed and that an order came', async () => {
    const made: Made = {};
    const { page, faults } = await openSystem('shop_system_2', made);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the app (ZIP)' }).click(),
    ]);
    const name = /^(PostPurchase\w+)\.zip$/.exec(file.suggestedFilename())?.[1] ?? '';
    const zip = await buffer(await file.createReadStream());
    const path = `${name}/manifest.xml`;
    expect(zip.toString('utf8', 30, 30 + path.length)).toBe(path);
    expect(zip.toString('utf8')).toContain(`<name>${name}</name>`);
    await vi.waitFor(async () => expect(await focused(page)).toContain('Install the app in Shopware'), patient);
    expect(await step(page, 3).getByRole('link', { name: 'Open it in your shop' }).getAttribute('href')).toBe(
      'https://shop.example/admin#/sw/extension/my-extensions/listing/app',
    );

    await step(page, 3).getByText('Waiting for your shop to report.').waitFor();
    made.inbound = { is_connected: true };
    made.registered = allTypes('shop_system_2');
    await step(page, 4).getByText('Waiting for the first webhook.').waitFor();
    made.inbound = { is_connected: true, last_received_at: ago(0), last_topic: 'checkout.order.placed' };
    await page.locator('.page-head').getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Everything could be read').waitFor();
    // The webhooks come with the app: nobody registers or removes one here.
    const table = page.getByRole('table', { name: 'Webhooks' });
    expect(await table.getByText('Registered', { exact: true }).count()).toBe(6);
    expect(await table.getByRole('button').count()).toBe(0);
    expect(await page.getByText('Show the secret').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('asks before another system takes the place of one that works', async () => {
    const { page, base } = await openSystem('shop_system_1', connected('shop_system_1'));
    await step(page, 1).locator('summary').first().click();
    await page.getByRole('radio', { name: /Shopware/ }).check();
    await page.getByRole('button', { name: 'Use this system' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Those of Shopify are refused.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await consoles.call('GET', base)).shop_provider).toBe('shop_system_1');
  });

  test('says that the key must be set again when the address leads to another server', async () => {
    const made = connected('shop_system_1');
    made.keys = { ...made.keys, set_again: ['integration_7'] };
    const { page } = await openSystem('shop_system_1', made, { fields: { shop_admin_url: adminUrls.shop_system_1 } });
    await page.locator('.page-head').getByText('Needs attention').waitFor();
    await step(page, 2).getByText('Set the key again').waitFor();
    await step(page, 2).getByText('the address leads to another server').waitFor();
  });

  test('is shown to a viewer, who is told who can do it', async () => {
    const { page, faults } = await openSystem('shop_system_3', { inbound: { is_connected: true } }, { role: 'viewer' });
    await step(page, 2).getByText('Done').waitFor();
    await step(page, 3).getByText('An administrator of the shop can do this.').waitFor();
    expect(await page.locator('main input').count()).toBe(0);
    expect(await page.getByRole('table', { name: 'Webhooks' }).getByRole('button').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('what came', () => {
  test('names each reason in words, with the field, the order and what to do', async () => {
    const list = everyReason.map((one) => ({ ...one, topic: hostile, order: one.order && hostile }));
    const { page, faults } = await openSystem('shop_system_3', connected('shop_system_3', { unreadable: list }));
    await page.getByText(`${unreadableReasons.length} webhooks could not be read`).waitFor();
    const cards = page.locator('.unread');
    expect(await cards.count()).toBe(unreadableReasons.length);
    for (const card of await cards.all()) {
      const text = await card.innerText();
      for (const reason of unreadableReasons.filter((one) => one.includes('_'))) expect(text).not.toContain(reason);
      expect(await card.locator('> p').innerText()).toMatch(/\w{3}.*\./);
    }
    await cards.filter({ hasText: 'A field is missing' }).getByText('make a new key as an administrator').waitFor();
    await cards
      .filter({ hasText: 'The order was refused' })
      .getByText('Another order already has this number')
      .waitFor();
    expect(
      await cards.filter({ hasText: 'Arrived damaged' }).getByRole('columnheader', { name: 'Field' }).count(),
    ).toBe(0);
    expect(await page.evaluate('window.hacked ?? null')).toBeNull();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  test('puts webhooks with one reason together, and counts what was ignored', async () => {
    const list = [
      unreadable(),
      unreadable({ field: 'currency', order: '4712' }),
      unreadable({ reason: 'not_json', field: null }),
    ];
    const ignored = [{ topic: 'customer.created', count: 1204, last_received_at: ago(55) }];
    const { page } = await openSystem('shop_system_3', connected('shop_system_3', { unreadable: list, ignored }));
    const wrong = page.locator('.unread', { hasText: 'A field is wrong' });
    await wrong.getByText('2 webhooks', { exact: true }).waitFor();
    expect(await wrong.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/When\s+Topic\s+Field\s+Order/),
      expect.stringMatching(/total\s+4711/),
      expect.stringMatching(/currency\s+4712/),
    ]);
    await page.getByRole('table', { name: 'Ignored' }).getByText('1,204').waitFor();
  });

  test('is one failure of the page: the rest can still be used', async () => {
    const { page } = await openSystem('shop_system_3', {});
    await page.unroute('**/v1/shops/*/shop-system/inbound');
    await page.route('**/v1/shops/*/shop-system/inbound', (route) => route.fulfill({ status: 500, json: broken }));
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('What came from the shop system could not be read.').waitFor();
    await step(page, 2).getByLabel('Consumer key').fill('ck_1');
    expect(await axeFaults(page)).toEqual([]);
  });

  test('does not claim that everything of Shopify could be read, which is told at once', async () => {
    const { page } = await openSystem('shop_system_1', connected('shop_system_1'));
    await page.getByText('What cannot be read is refused at once').waitFor();
    expect(await page.getByText('Everything could be read').count()).toBe(0);
    await page.getByText('compliance_topics').waitFor();
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.getByRole('button', { name: 'Hide' }).waitFor();
  });
});

test('the mappings begin with the shop’s own system, and offer the sources that each system has', async () => {
  const { page, slug, base, faults } = await openSystem('shop_system_3', {});
  await consoles.visit(page, `/s/${slug}/settings/mappings`);
  await consoles.settled(page);
  expect(await page.locator('fieldset > legend').allInnerTexts()).toEqual(['WooCommerce', 'Shopify', 'Shopware 6']);
  for (const [name, source, key] of [
    ['WooCommerce', 'Meta data', 'Key of the meta data'],
    ['Shopify', 'Note', 'Name of the note'],
    ['Shopware 6', 'Custom field', 'Technical name of the custom field'],
  ] as const) {
    await page.getByRole('button', { name: `Add a rule for ${name}` }).click();
    const rules = page.getByRole('group', { name, exact: true });
    expect(await rules.getByLabel('Source').locator('option').allInnerTexts()).toEqual([source, 'Field']);
    await rules.getByLabel(key).fill('gift_note');
    await rules.getByLabel('Into the field of the order').fill('order_name');
  }
  await page.getByRole('group', { name: 'Shopify', exact: true }).getByLabel('Source').selectOption('Field');
  await page.getByLabel('Path of the field').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.notice', { hasText: 'Saved.' }).waitFor();
  const rule = (type: string) => [{ source: { type, key: 'gift_note' }, target: 'order_name' }];
  expect((await consoles.call('GET', `${base}/settings/mappings`)).data).toEqual({
    'shop_system_1.order': rule('field'),
    'shop_system_2.order': rule('custom_field'),
    'shop_system_3.order': rule('meta_data'),
  });
  expect(faults).toEqual([]);
});
