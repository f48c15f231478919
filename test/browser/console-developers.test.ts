import { text } from 'node:stream/consumers';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closedCircuit } from '#domain/deliveries/circuit-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';
import { failedAttempt, storeLog } from './stored-log.ts';

const consoles = sharedConsole();
let browser: Browser;
let receiver: EventReceiver;

beforeAll(async () => {
  [browser, receiver] = await Promise.all([sharedChromium(), startEventReceiver()]);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await receiver?.stop();
});

/** A shop with an endpoint, and its admin in the console. */
async function endpointOf(path: string, fields: object = {}) {
  const { slug, base } = await consoles.newShop();
  const url = receiver.urlOf(path);
  const { uuid, secret } = await consoles.call('POST', `${base}/webhooks`, { url, ...fields });
  const key = await consoles.keyOf(slug, 'admin');
  const open = (view: string, options = {}) => consoles.open(browser, key, `/s/${slug}${view}`, options);
  return { slug, base, url, uuid, secret, open, own: `${base}/webhooks/${uuid}` };
}

const failed = { status: 'failed' as const, attempt_count: 15, attempts: [failedAttempt()] };
const arrived = {
  status: 'delivered' as const,
  attempt_count: 1,
  attempts: [{ at: new Date().toISOString(), duration_ms: 9, status: 200 }],
};
const payload = { source: 'shipments', ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', event_data: {} };

test('a red endpoint has all of its 600 failed deliveries recovered after four clicks at most', async () => {
  const { slug, uuid, url, open, own } = await endpointOf('/recovered');
  // One request recovers 500.
  await storeLog(consoles.service, { slug, target: uuid, count: 600, fields: failed, payload });
  const { page, context, faults } = await open('/endpoints');
  await page.getByRole('row', { name: url }).getByText('Most failed').waitFor();
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string) => {
    clicks++;
    await page.getByRole(role, { name, exact: true }).click();
  };
  await click('link', url);
  await click('button', 'Send failed deliveries again');
  await click('button', 'Send again');
  await page.getByText('That was all.').waitFor({ timeout: 120_000 });
  expect(clicks).toBeLessThanOrEqual(4);
  expect(await consoles.call('GET', `${own}/deliveries?status=failed`)).toEqual([]);
  await vi.waitFor(
    () => {
      const ids = receiver.received('/recovered').map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(600);
    },
    { timeout: 90_000, interval: 500 },
  );
  expect(faults).toEqual([]);
  await context.close();
}, 240_000);

test('a secret is rotated, and the older one is shown with the time it ends', async () => {
  const { open, secret, uuid, own } = await endpointOf('/rotated');
  const { page, context } = await open(`/endpoints/${uuid}`);
  await page.getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Grace period').selectOption('72');
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Use a new secret' }).click();
  await page.getByRole('heading', { name: 'Older secrets that still sign' }).waitFor();
  await page.getByText(`****${secret.slice(-4)}`).waitFor();
  const { older_secrets } = await consoles.call('GET', `${own}/health`);
  const hours = (Date.parse(older_secrets[0].valid_until) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71);
  const [{ secret: now }] = await consoles.call('GET', `${own.replace(/\/[^/]+$/, '')}?uuid=${uuid}`);
  expect(now).not.toBe(secret);
  await page.getByText(now, { exact: true }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New secret');
  await context.close();
});

test('a test event of any name is sent by keyboard alone, and its answer is shown', async () => {
  const { open, uuid } = await endpointOf('/tested');
  const { page, context } = await open(`/endpoints/${uuid}`);
  const section = page.locator('form', { hasText: 'invented order' });
  await section.getByLabel('Event', { exact: true }).selectOption('claims/created');
  await section.getByRole('button', { name: 'Send test event' }).focus();
  await page.keyboard.press('Enter');
  await section.locator('.state', { hasText: 'Delivered' }).waitFor({ timeout: 30_000 });
  await section.getByText('200').first().waitFor();
  // The list below shows it by itself.
  await page.getByRole('row', { name: 'Claim opened' }).getByText('Delivered').waitFor();
  await page.getByText('All arrived').waitFor();
  expect(JSON.parse(receiver.received('/tested')[0]!.body)).toMatchObject({
    ref: 'claims/created',
    event_data: { test: true },
  });
  await section.getByRole('link', { name: 'Open the delivery' }).click();
  await page.getByRole('heading', { name: 'Claim opened' }).waitFor();
  await page.getByText('service-signature').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Attempt 2').waitFor({ timeout: 30_000 });
  // It counts on, and does not begin at one again.
  await page.locator('dl.facts > div', { hasText: /^Attempts\s*2$/ }).waitFor();
  expect(receiver.received('/tested')).toHaveLength(2);
  await context.close();
});

test('a delivery that failed says so everywhere, with when it is tried again, and recovery leaves it alone', async () => {
  const { slug, uuid, url, open } = await endpointOf('/retried');
  const next_attempt_at = new Date(Date.now() + 3_600_000).toISOString();
  const fields = { status: 'pending' as const, attempt_count: 1, attempts: [failedAttempt()], next_attempt_at };
  const [delivery] = await storeLog(consoles.service, { slug, target: uuid, count: 1, fields, payload });
  await storeLog(consoles.service, { slug, target: uuid, count: 9, fields: arrived });
  const { page, context } = await open('/endpoints');
  const words = /^Failed with 500, next attempt (at|on) .*\d\d:\d\d$/;
  await page.getByRole('row', { name: url }).getByText('Some are tried again').waitFor();
  await page.getByRole('row', { name: url }).getByText('1 is tried again').waitFor();
  await page.getByRole('link', { name: url }).click();
  await page.locator('td .state', { hasText: words }).waitFor();
  await page.getByText('Sending goes on').waitFor();
  expect(await page.getByText('Sending normally').count()).toBe(0);
  await page.locator('dl.facts > div', { hasText: /^Last failureFailed with 500/ }).waitFor();
  expect(await page.locator('.state', { hasText: 'On its way' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Send failed deliveries again' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('1 delivery has failed so far and is tried again by itself').waitFor();
  await consoles.visit(page, `/s/${slug}/endpoints/${uuid}/deliveries/${delivery!.id}`);
  await page.locator('header .state', { hasText: words }).waitFor();
  await page.locator('dl.facts > div', { hasText: 'Next attempt' }).waitFor();
  await page.locator('summary .state', { hasText: /^Failed with 500$/ }).waitFor();
  expect(await page.getByText('http_500').count()).toBe(0);
  await context.close();
});

test('an endpoint that does not answer says what that means, since when, and what waits; its chart has a table', async () => {
  const { slug, uuid, open } = await endpointOf('/silent');
  const since = new Date(Date.now() - 600_000).toISOString();
  const circuit = {
    ...closedCircuit,
    state: 'open' as const,
    since,
    probe_at: new Date(Date.now() + 300_000).toISOString(),
  };
  await consoles.service.table.send(
    new PutCommand({
      TableName: consoles.service.tableName,
      Item: { ...keyOf.circuit(slug, uuid), ...circuit, shop_slug: slug, target: uuid, version: 1 },
    }),
  );
  const day = since.slice(0, 10);
  await consoles.service.table.send(
    new PutCommand({
      TableName: consoles.service.tableName,
      Item: { ...keyOf.deliveryCounts(slug, day, uuid), delivered: 41, failed: 2, attempts_failed: 7, 'ms#100': 48 },
    }),
  );
  await storeLog(consoles.service, { slug, target: uuid, count: 2, fields: { status: 'parked' }, payload });
  const { page, context } = await open(`/endpoints/${uuid}`);
  await page.locator('header .state', { hasText: 'Does not answer' }).waitFor();
  await page.getByText('Sending is paused').waitFor();
  await page.getByText('Ten deliveries in a row failed').waitFor();
  await page.getByText('2 wait for your system').waitFor();
  await page.getByText('41 arrived, 2 given up, 7 attempts failed').first().waitFor();
  await page.getByText('Show the figures as a table').first().click();
  await page.getByRole('cell', { name: '41', exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await context.close();
});

test('an endpoint is made, changed in two tabs without a silent loss, switched off and deleted', async () => {
  const { open, base } = await endpointOf('/first');
  const { page, context } = await open('/endpoints/new');
  await page.getByLabel('URL').fill('nonsense');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.locator('.fault').first().waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe('nonsense');
  await page.getByLabel('URL').fill(receiver.urlOf('/second'));
  await page.getByLabel('All events').uncheck();
  await page.getByLabel('Delivered', { exact: true }).first().check();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('heading', { name: receiver.urlOf('/second') }).waitFor();
  const [made] = await consoles.call('GET', `${base}/webhooks`);
  expect(made).toMatchObject({ url: receiver.urlOf('/second'), enabled_events: ['shipments/delivered'] });

  await page.getByRole('link', { name: 'Change' }).click();
  await page.getByLabel('Note').fill('mine');
  await consoles.call('PATCH', `${base}/webhooks/${made.uuid}`, { description: 'theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else saved a change').waitFor();
  expect(await page.getByLabel('Note').inputValue()).toBe('mine');
  await page.getByRole('button', { name: 'Drop mine and show theirs' }).click();
  await vi.waitFor(async () => expect(await page.getByLabel('Note').inputValue()).toBe('theirs'), { timeout: 20_000 });
  await page.getByLabel('Note').fill('both');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('both').waitFor();

  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Switched off').first().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: receiver.urlOf('/second') }).waitFor();
  await dialog.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByRole('link', { name: receiver.urlOf('/first') }).waitFor();
  expect(await consoles.call('GET', `${base}/webhooks`)).toHaveLength(1);
  await context.close();
});

/** What a browser does when another tab is chosen, and this one again. */
const hide = (
  isHidden: boolean,
) => `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
  document.dispatchEvent(new Event('visibilitychange'))`;

describe('the delivery log', () => {
  test('of 2,100 deliveries is read page by page without growing', async () => {
    const { slug, open, uuid } = await endpointOf('/long');
    await storeLog(consoles.service, { slug, target: uuid, count: 2100, fields: failed });
    const { page, context } = await open(`/endpoints/${uuid}?status=failed`);
    const next = page.getByRole('button', { name: 'Next', exact: true });
    const devtools = await context.newCDPSession(page);
    const size = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
      return { nodes: await page.locator('*').count(), heap: metric('JSHeapUsedSize') };
    };
    await devtools.send('Performance.enable');
    const turn = async (to: number) => {
      await next.click();
      await page.getByText(`${format((to - 1) * 50 + 1)}–${format(to * 50)}`).waitFor();
    };
    await next.waitFor();
    for (let number = 2; number <= 5; number++) await turn(number);
    const before = await size();
    for (let number = 6; number <= 40; number++) await turn(number);
    const after = await size();
    expect(after.nodes).toBeLessThan(before.nodes + 50);
    expect(after.heap).toBeLessThan(before.heap * 1.25 + 500_000);
    await page.reload();
    await page.getByText('1,951–2,000').waitFor();
    await context.close();
  }, 240_000);

  test('shows new deliveries live, and none while the tab is hidden', async () => {
    const { open, uuid, own } = await endpointOf('/live');
    const { page, context } = await open(`/endpoints/${uuid}`);
    await page.getByRole('button', { name: 'Watch live' }).click();
    await page.getByText('Waiting for the first delivery').waitFor();
    await consoles.call('POST', `${own}/test`, { event_name: 'SUCCESSFULLY_DELIVERED' });
    await page.getByRole('link', { name: 'Delivered', exact: true }).waitFor({ timeout: 15_000 });
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().includes('/deliveries')) reads++;
    });
    await page.evaluate(hide(true));
    await page.waitForResponse((response) => response.url().includes('/deliveries'), { timeout: 4000 }).catch(() => {});
    const inHiding = reads;
    expect(inHiding).toBeLessThanOrEqual(1);
    await page.evaluate(hide(false));
    await vi.waitFor(() => expect(reads).toBeGreaterThan(inHiding), { timeout: 20_000 });
    await context.close();
  });

  test('is filtered in the address, moved in by keys, and says how to go on where nothing matches', async () => {
    const { slug, open, uuid } = await endpointOf('/filtered');
    await storeLog(consoles.service, { slug, target: uuid, count: 3, fields: failed, payload });
    const { page, context } = await open(`/endpoints/${uuid}`);
    const log = page.locator('section', { has: page.getByRole('heading', { name: 'Deliveries' }) });
    await log.getByLabel('Status').selectOption('delivered');
    await page.getByText('No delivery matches').waitFor();
    expect(page.url()).toContain('status=delivered');
    await log.getByLabel('Status').selectOption('failed');
    const choices = log.getByLabel('Event', { exact: true }).locator('option');
    const all = await choices.count();
    await log.getByLabel('Search events').fill('delivered');
    await expect.poll(() => choices.count()).toBeLessThan(all / 2);
    await log.getByLabel('Event', { exact: true }).selectOption('shipments/delivered');
    await page.getByRole('link', { name: 'Delivered', exact: true }).first().waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Delivered', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('3 entries').waitFor();
    expect(page.url()).toContain('event=shipments%2Fdelivered');
    await context.close();
  });

  test('is saved as CSV with its filters, and so is the list of endpoints', async () => {
    const { slug, url, open, uuid } = await endpointOf('/saved', { description: 'Warehouse' });
    await storeLog(consoles.service, { slug, target: uuid, count: 2, fields: failed, payload });
    await storeLog(consoles.service, { slug, target: uuid, count: 1, fields: arrived, payload });
    const { page, context } = await open(`/endpoints/${uuid}?status=failed`);
    const [titles, ...rows] = await savedLines(page, `${slug}-deliveries.csv`);
    expect(titles).toBe('Event,Status,Last answer,Attempts,Made');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(
      /^shipments\/delivered\/SUCCESSFULLY_DELIVERED,"Failed with 500, given up",http_500,1,20\d\d-/,
    );
    await consoles.visit(page, `/s/${slug}/endpoints`);
    const [head, row] = await savedLines(page, `${slug}-endpoints.csv`);
    expect(head).toBe('URL,Events,Note,Status,Created');
    expect(row).toContain(`${url},*,Warehouse,Active,20`);
    await context.close();
  });
});

/** The lines of the list that the button saves, the last one empty. */
async function savedLines(page: Page, name: string): Promise<string[]> {
  const button = page.getByRole('button', { name: 'Export as CSV' });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(file.suggestedFilename()).toBe(name);
  return (await text(await file.createReadStream())).split('\r\n');
}

const script = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">';

async function expectHarmless(page: Page, faults: readonly string[]): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(faults).toEqual([]);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(isTooWide).toBe(false);
}

describe('hostile data', () => {
  test('in notes, payloads and answers runs nothing and does not break the layout', async () => {
    const { slug, open, uuid } = await endpointOf('/hostile', {
      description: `${script} ${'x'.repeat(500)} \u202eevil`,
    });
    const hostile = { [script]: script, long: 'y'.repeat(3000), rtl: '\u202e\u05d0\u05d1\u05d2' };
    const attempts = [failedAttempt({ response: `${script}${'z'.repeat(500)}` })];
    const [delivery] = await storeLog(consoles.service, {
      slug,
      target: uuid,
      count: 1,
      fields: { ...failed, attempts },
      payload: hostile,
    });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 800 },
    ]) {
      for (const path of ['/endpoints', `/endpoints/${uuid}`, `/endpoints/${uuid}/deliveries/${delivery!.id}`]) {
        const { page, context, faults } = await open(path, { viewport });
        await page.getByText('<script>').first().waitFor();
        await expectHarmless(page, faults);
        await context.close();
      }
    }
  });
});

describe('accessibility', () => {
  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('has no faults of WCAG 2.2 AA in any view, %s at %i pixels', async (colorScheme, width) => {
    const { slug, open, uuid } = await endpointOf('/accessible', { description: 'The service desk' });
    const request = { url: 'https://example.com/', own: { 'service-signature': 't=1,v1=abcdefgh…' } };
    const fields = { ...failed, attempts: [failedAttempt(), failedAttempt({ request })] };
    const [delivery] = await storeLog(consoles.service, { slug, target: uuid, count: 60, fields, payload });
    await storeLog(consoles.service, { slug, target: 'integration_1', kind: 'integration', count: 1, fields, payload });
    const views: [string, string][] = [
      ['/endpoints', 'Most failed'],
      ['/endpoints/new', 'Create endpoint'],
      [`/endpoints/${uuid}`, 'Last failure'],
      [`/endpoints/${uuid}/edit`, 'Save'],
      [`/endpoints/${uuid}/deliveries/${delivery!.id}`, 'Attempt 2'],
      ['/integrations', 'Push messages'],
      ['/integrations/integration_1', 'Last failure'],
      ['/integrations/integration_2', 'Nothing has been sent yet'],
    ];
    const { page, context, faults } = await open('/endpoints', { colorScheme, viewport: { width, height: 900 } });
    for (const [path, text] of views) {
      await consoles.visit(page, `/s/${slug}${path}`);
      await page.getByText(text).first().waitFor();
      expect(await axeFaults(page), path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), path).toBe(false);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});

test('somebody without the rights of an admin is not offered the views of developers', async () => {
  const { slug } = await endpointOf('/secret');
  const key = await consoles.keyOf(slug, 'editor');
  const { page, context } = await consoles.open(browser, key, `/s/${slug}/endpoints`);
  await page.getByText('Your key may not see this').waitFor();
  expect(await page.getByRole('link', { name: 'Endpoints' }).count()).toBe(0);
  await context.close();
});

const format = (value: number) => new Intl.NumberFormat('en').format(value);
