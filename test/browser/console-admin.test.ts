import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closedCircuit } from '#domain/deliveries/circuit-rules.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { axeFaults } from './axe.ts';
import { type ConsoleRole, sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';
import { storeLog } from './stored-log.ts';

const consoles = sharedConsole();
let browser: Browser;

beforeAll(async () => {
  browser = await sharedChromium();
}, 240_000);

afterAll(async () => {
  await browser?.close();
});

/** A new shop with somebody in its settings. */
async function settingsOf(view: string, { role = 'admin', fields = {} }: { role?: ConsoleRole; fields?: object } = {}) {
  const shop = await consoles.newShop(fields);
  const key = await consoles.keyOf(shop.slug, role);
  const opened = await consoles.open(browser, key, `/s/${shop.slug}/settings${view}`, { colorScheme: 'light' });
  return { ...shop, ...opened, key };
}

const patient = { timeout: 20_000, interval: 100 };

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.locator('.notice', { hasText: 'Saved.' }).first().waitFor();
/** The preview of the tracking page; the next one stands behind it until it is complete. */
const previewIn = (page: Page) => page.frameLocator('.phone iframe:not(.next)');

/** A property of the page's palette. */
const accent = 'getComputedStyle(document.documentElement).getPropertyValue("--accent")';

test('a colour is seen in the preview before it is saved, and on the tracking page of an order after it', async () => {
  const { page, base, faults, context } = await settingsOf('/palette');
  const previewed = () =>
    page
      .frames()
      .find((frame) => frame.url().includes('/preview'))
      ?.evaluate(accent);
  const field = page.getByRole('textbox', { name: 'Main colour', exact: true });
  await field.fill('#7a0c3e');
  await vi.waitFor(async () => expect(await previewed()).toBe('#7a0c3e'), patient);
  await page.getByText(/links on the light page\. Contrast \d+\.\d : 1/).waitFor();
  expect((await consoles.call('GET', `${base}/settings/brand-palette`)).primary_dark).not.toBe('#7a0c3e');

  await save(page);
  await saved(page);
  await consoles.call('PUT', `${base}/orders`, { id: 'N-1', order: {}, trackings: [] });
  const [{ tracking_page_url }] = await consoles.call('GET', `${base}/orders?order_number=N-1`);
  const customer = await context.newPage();
  await customer.goto(tracking_page_url);
  expect(await customer.evaluate(accent)).toBe('#7a0c3e');
  await customer.close();

  // A colour that nobody could read is said to be adjusted.
  await field.fill('#ffff00');
  await page
    .getByText(/The page takes #[0-9a-f]{6} instead/)
    .first()
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

describe('two tabs', () => {
  test('do not overwrite each other silently: the second sees that, and can take theirs or keep its own', async () => {
    const { page, base, slug, context } = await settingsOf('/shop');
    const other = await context.newPage();
    await other.goto(`${consoles.url}/console/s/${slug}/settings/shop`);
    await other.getByLabel('Name', { exact: true }).fill('Theirs');
    await page.getByLabel('Phone').fill('+49 30 1');
    await save(other);
    await saved(other);

    await save(page);
    await page.getByText('Somebody else saved a change while you were typing').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+49 30 1');
    expect((await consoles.call('GET', base)).contact_phone).toBeNull();
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await saved(page);
    // Only what was changed here is sent, so what the other tab saved stays.
    expect(await consoles.call('GET', base)).toMatchObject({ name: 'Theirs', contact_phone: '+49 30 1' });
    // The form shows it when it was read again, which is after the message that it was saved.
    await vi.waitFor(
      async () => expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs'),
      patient,
    );
  });

  test('show what the other one saved, if the user wants that', async () => {
    const { page, base } = await settingsOf('/palette');
    await page.getByRole('textbox', { name: 'Cards', exact: true }).fill('#eeeeee');
    await consoles.call('PATCH', `${base}/settings/brand-palette`, { surface: '#dddddd' });
    await save(page);
    await page.getByRole('button', { name: 'Drop mine and show theirs' }).click();
    await vi.waitFor(
      async () => expect(await page.getByRole('textbox', { name: 'Cards', exact: true }).inputValue()).toBe('#dddddd'),
      patient,
    );
    await page.getByRole('textbox', { name: 'Cards', exact: true }).fill('#cccccc');
    await save(page);
    await saved(page);
    expect((await consoles.call('GET', `${base}/settings/brand-palette`)).surface).toBe('#cccccc');
  });
});

test('nothing that was typed is lost if saving fails, and the service’s own message is shown', async () => {
  const { page } = await settingsOf('/shop');
  await page.getByLabel('Description').fill('For rainy days');
  await page.getByLabel('Customer service page').fill('javascript:alert(1)');
  await save(page);
  const field = page.getByLabel('Customer service page');
  await vi.waitFor(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'), patient);
  await vi.waitFor(
    async () => expect(await page.evaluate('document.activeElement.name')).toBe('shop_service_url'),
    patient,
  );
  await field.fill('');
  await page.route('**/v1/shops/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
  );
  await save(page);
  await page.getByText('The service could not be reached').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('For rainy days');
  await page.unroute('**/v1/shops/*');
  await save(page);
  await saved(page);
});

test('the secret of a new key is shown once, works, and is nowhere after it is closed', async () => {
  const { page, slug, base, context } = await settingsOf('/api-keys');
  await page.getByRole('button', { name: 'Make a key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Mara in support');
  await dialog.getByRole('radio', { name: /Editor/ }).check();
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await dialog.getByText('This secret is shown only now').waitFor();
  const secret = (await dialog.locator('code').nth(1).textContent())!;
  expect(await axeFaults(page)).toEqual([]);
  const session = await consoles.api('POST', '/v1/sessions', { key: `${slug}:${secret}` });
  expect(session.body).toMatchObject({ shops: [{ shop_slug: slug, role: 'editor' }] });

  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('row', { name: /Mara in support Editor/ }).waitFor();
  const everywhere =
    '[document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]';
  for (const place of (await page.evaluate(everywhere)) as string[]) expect(place).not.toContain(secret);
  expect(JSON.stringify(await context.cookies())).not.toContain(secret);

  const { tokens } = await consoles.call('GET', `${base}/api-keys`);
  expect(tokens).toContainEqual(expect.objectContaining({ name: 'Mara in support', last_used_at: expect.any(String) }));
  await page.getByRole('button', { name: 'Delete the key Mara in support' }).click();
  await page
    .getByRole('dialog', { name: 'Delete the key Mara in support (Editor)?' })
    .getByText('refused from now on')
    .waitFor();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await page.getByText('The key Mara in support is deleted.').waitFor();
  expect((await consoles.api('GET', base, { key: `${slug}:${secret}` })).status).toBe(401);
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
});

test('an internal trigger is made and deleted by the keyboard alone', async () => {
  const { page, base } = await settingsOf('/notifications/webhook/triggers/new');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('No news for three days');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('3');
  await page.getByText('3 days after its newest event').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'No news for three days' }).waitFor();
  const path = `${base}/settings/triggers/webhook/internal-triggers`;
  expect(await consoles.call('GET', path)).toMatchObject([
    { name: 'No news for three days', time_threshold_value: 72 },
  ]);

  await page.getByRole('button', { name: 'Delete No news for three days' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete the trigger No news for three days?' });
  await question.waitFor();
  await question.getByRole('button', { name: 'Delete trigger' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('There is no internal trigger').waitFor();
  expect(await consoles.call('GET', path)).toEqual([]);
});

test('the settings of an integration say what they come to, until events reach it', async () => {
  const { page, base, slug } = await settingsOf('/notifications/integration_3');
  const sum = page.getByRole('region', { name: 'In short' });
  await sum.getByText('Switched off').waitFor();
  await page.getByLabel('Send events', { exact: true }).check();
  await save(page);
  await sum.getByText('No address').waitFor();
  await page.getByLabel('Address for events').fill('http://127.0.0.1:9/events');
  await save(page);
  await sum.getByText('No key', { exact: true }).waitFor();

  await page.goto(`${consoles.url}/console/s/${slug}/settings/integration-keys`);
  await page.getByRole('button', { name: 'Set the key of Push messages' }).click();
  await page.getByLabel('API key').fill('too short');
  await page.getByRole('button', { name: 'Store key' }).click();
  await page.locator('dialog .fault').waitFor();
  await page.getByLabel('API key').fill('a-key-of-sixteen-characters');
  await page.getByRole('button', { name: 'Store key' }).click();
  await page.getByText('****ters').waitFor();

  await page.goto(`${consoles.url}/console/s/${slug}/settings/notifications`);
  const row = page.getByRole('row', { name: /Push messages/ });
  await row.getByText('Events reach it').waitFor();
  await row.getByText('28 kinds of events').waitFor();
  expect(await consoles.call('GET', `${base}/settings/triggers/integration_3`)).toMatchObject({
    status: true,
    effective: { active: true },
  });
});

describe('what a role may not do is not offered', () => {
  const changing =
    /^(save|create|make|add|new|delete|remove|set|register|upload|send|rotate|store|end|duplicate|show the secret)\b/i;
  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
  /** What the view offers that changes something. */
  const offered = async (page: Page) => {
    const main = page.locator('main');
    await consoles.settled(page);
    const names = await Promise.all([
      main.getByRole('button').allInnerTexts(),
      main.locator('a.button').allInnerTexts(),
    ]);
    return names.flat().filter((name) => changing.test(name.trim()));
  };
  const ownKeys = ['API keys', 'Integration keys'];
  const everybodys = ['Shop', 'Services', 'Notifications', 'Tracking page', 'Colours', 'Field mappings', 'Shop system'];
  const operators = ['All shops', 'Tracking providers'];

  test.each<[ConsoleRole, string[], string[]]>([
    ['viewer', everybodys, [...ownKeys, ...operators, 'Endpoints']],
    ['editor', everybodys, [...ownKeys, ...operators, 'Endpoints']],
    ['admin', [...everybodys, ...ownKeys, 'Endpoints'], operators],
    ['superadmin', [...everybodys, ...ownKeys, ...operators, 'Endpoints'], []],
  ])('%s: in the navigation', async (role, there, notThere) => {
    const { page, context } = await settingsOf('/shop', { role });
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    const names = (await navigation(page)).map((name) => name.trim());
    expect(names).toEqual(expect.arrayContaining(there));
    expect(names.filter((name) => notThere.includes(name))).toEqual([]);
    await context.close();
  });

  test('a viewer is offered no change in any view of the navigation', async () => {
    const { page, slug } = await settingsOf('/shop', { role: 'viewer' });
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const paths = await links.evaluateAll((all) =>
      all.map((link) => (link as unknown as { pathname: string }).pathname.replace('/console', '')),
    );
    expect(paths.length).toBeGreaterThan(10);
    const found: string[] = [];
    for (const path of [...paths, `/s/${slug}/settings/notifications/webhook`]) {
      await consoles.visit(page, path);
      await page.locator('main h1:not(.stand-in)').waitFor();
      for (const name of await offered(page)) found.push(`${path}: ${name}`);
    }
    expect(found).toEqual([]);
  });

  test('an editor reads the settings and is not offered to save them', async () => {
    const { page, slug } = await settingsOf('/shop', { role: 'editor' });
    for (const view of ['shop', 'services', 'palette', 'tracking-page', 'mappings', 'shop-system']) {
      await consoles.visit(page, `/s/${slug}/settings/${view}`);
      await page.locator('main h1:not(.stand-in)').waitFor();
      expect(await offered(page), view).toEqual([]);
    }
    await consoles.visit(page, `/s/${slug}/settings/api-keys`);
    await page.getByText('Your key may not see this').waitFor();
  });
});

test('a hostile name and description of a shop run nothing and do not break the layout', async () => {
  const name = '<img src=x onerror="window.hacked=1">\u202eright to left';
  const description = `<script>window.hacked=1</script>${'verylongword'.repeat(60)}`;
  const { page, slug, faults, context } = await settingsOf('/shop', {
    fields: { name, description },
    role: 'superadmin',
  });
  await vi.waitFor(async () => expect(await page.getByLabel('Description').inputValue()).toBe(description), patient);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${consoles.url}/console/operator/shops?search=${slug}`);
  await page.getByText(name).waitFor();
  const exported = page.getByRole('button', { name: 'Export as CSV' });
  const [file] = await Promise.all([page.waitForEvent('download'), exported.click()]);
  expect(file.suggestedFilename()).toBe('shops.csv');
  expect(await text(await file.createReadStream())).toContain(`,${slug},`);
  await page.goto(`${consoles.url}/console/s/${slug}/settings/palette`);
  await previewIn(page).getByText(name).first().waitFor();
  for (const frame of page.frames()) expect(await frame.evaluate('window.hacked ?? null')).toBeNull();
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});

test('the operator makes a shop, finds it by a part of its name, and connects a tracking provider', async () => {
  // Where the operator lands.
  const { page, faults } = await consoles.open(browser, consoles.operatorKey, '/');
  await page.getByRole('link', { name: 'Create a shop' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Südwind & Söhne');
  expect(await page.getByLabel('Slug').inputValue()).toBe('sudwind-sohne');
  await page.getByRole('button', { name: 'Create shop' }).click();
  await page.getByText('The shop Südwind & Söhne is created').waitFor();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();

  await page.goto(`${consoles.url}/console/operator/shops`);
  await page.getByLabel('Name or slug').fill('WIND');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Südwind & Söhne' }).waitFor();
  expect(page.url()).toContain('search=WIND');
  await page.getByLabel('Name or slug').fill('nothing like this');
  await page.keyboard.press('Enter');
  await page.getByText('No shop found').waitFor();

  await page.goto(`${consoles.url}/console/operator/providers/ship24`);
  // Before anything is saved: the provider asks for it first.
  await page.getByText(`${consoles.url}/v1/tracking-providers/ship24/webhook`).waitFor();
  await page.getByLabel('API key').fill('key-of-ship24-0001');
  await page.getByLabel('Webhook secret').fill('secret-of-ship24-0001');
  await page.getByLabel('Carriers').fill('no-such-carrier');
  await page.getByRole('button', { name: 'Save provider' }).click();
  await page.locator('.fault').waitFor();
  await page.getByLabel('Carriers').fill('dhl');
  await page.getByRole('button', { name: 'Save provider' }).click();
  await page.getByText('Every code is known').waitFor();
  expect(await page.content()).not.toContain('key-of-ship24-0001');
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove provider' }).click();
  await page.getByRole('dialog', { name: 'Remove Ship24?' }).getByRole('button', { name: 'Remove provider' }).click();
  await page.getByText('Ship24 is removed.').waitFor();
  expect(faults).toEqual([]);
});

test('the operator sees a receiver that does not answer, what waits for it, queues and readers', async () => {
  const { slug } = await consoles.newShop();
  const target = randomUUID();
  const since = new Date(Date.now() - 60_000).toISOString();
  // Nobody probes it before the test has ended.
  const probe_at = new Date(Date.now() + 3_600_000).toISOString();
  const { table, tableName } = consoles.service;
  const circuit = { ...closedCircuit, state: 'open', since, probe_at, shop_slug: slug, target, version: 1 };
  const Item = { ...keyOf.circuit(slug, target), ...indexKeyOf.openCircuits(probe_at, slug, target), ...circuit };
  await table.send(new PutCommand({ TableName: tableName, Item }));
  await storeLog(consoles.service, { slug, target, count: 3, fields: { status: 'parked' } });
  const { page, context, faults } = await consoles.open(browser, consoles.operatorKey, '/operator/operations');
  const row = page.getByRole('row', { name: slug });
  await row.getByText('Does not answer').waitFor();
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
  await page.getByRole('row', { name: 'Reports of carriers' }).waitFor();
  await page.getByRole('row', { name: 'Sends events' }).waitFor();
  await page.getByText('to look at').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await row.getByRole('link').getAttribute('href')).toContain(`/s/${slug}/endpoints/${target}`);
  expect(faults).toEqual([]);
  await table.send(new DeleteCommand({ TableName: tableName, Key: keyOf.circuit(slug, target) }));
  await context.close();
});
