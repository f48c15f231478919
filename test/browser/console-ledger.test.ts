import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';
import { failedAttempt, storeLog } from './stored-log.ts';

/** `SCREENSHOTS=<folder> npx vitest run --project browser console-ledger` keeps pictures for people to look at. */
const folder = process.env.SCREENSHOTS;

const consoles = sharedConsole();
let browser: Browser;
let receiver: EventReceiver;

beforeAll(async () => {
  if (folder) mkdirSync(folder, { recursive: true });
  [browser, receiver] = await Promise.all([sharedChromium(), startEventReceiver()]);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await receiver?.stop();
});

const hourMs = 3_600_000;

/** A zone in which it is a little after noon, so that the last hours are hours of today whenever the tests run. */
function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
}

interface Hour {
  hoursAgo: number;
  count: number;
  delivered: number;
  settled?: boolean;
}

const hourAgo = (hours: number): string =>
  `${new Date(Date.now() - hours * hourMs).toISOString().slice(0, 'yyyy-mm-ddThh'.length)}:00:00Z`;

const answerOf = (hours: readonly Hour[]) =>
  hours.map(({ hoursAgo, count, delivered, settled = true }) => ({
    hour: hourAgo(hoursAgo),
    count,
    digest: `5a0c${String(count).padStart(60, '0')}`,
    delivered,
    settled,
  }));

const failureOf = (status: number, key: string) => ({
  status,
  headers: { 'x-correlation-id': 'correlation-of-the-test' },
  json: { key, message: 'In the words of the service.', type: 'api_error', errors: [] },
});

type Answers = readonly Hour[] | ReturnType<typeof failureOf>;

const off = failureOf(409, 'feed_off');

/** An endpoint whose ledger has these hours. `ledger.now` is what the service answers next. */
async function endpointWith(path: string, first: Answers) {
  const { slug, base } = await consoles.newShop();
  const { uuid } = await consoles.call('POST', `${base}/webhooks`, { url: receiver.urlOf(path) });
  const key = await consoles.keyOf(slug, 'admin');
  const ledger: { now: Answers; asked: URLSearchParams[] } = { now: first, asked: [] };
  const open = async (options = {}) => {
    const opened = await consoles.open(browser, key, `/s/${slug}/endpoints`, {
      timezoneId: zoneAtNoon(),
      reducedMotion: 'reduce',
      ...options,
    });
    await opened.page.route('**/events/ledger?*', (route) => {
      ledger.asked.push(new URL(route.request().url()).searchParams);
      const { now } = ledger;
      return route.fulfill('status' in now ? now : { json: answerOf(now) });
    });
    await consoles.visit(opened.page, `/s/${slug}/endpoints/${uuid}`);
    return opened;
  };
  return { slug, base, uuid, ledger, open };
}

const sectionOf = (page: Page) =>
  page.locator('section', {
    has: page.getByRole('heading', { name: /^(Did everything arrive\?|Ist alles angekommen\?)$/ }),
  });

const answer = (page: Page) => page.locator('[data-answer]');

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Whether a table of hours is wider than the day it belongs to, which the page itself would hide. */
const isCut = (page: Page) =>
  page.evaluate(
    "[...document.querySelectorAll('.hours')].some((one) => one.offsetWidth > one.parentElement.clientWidth)",
  );

const kinds = {
  'desk-light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'desk-dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  'phone-light': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;

/** The section alone, without the bar of the console that would lie over it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  await page.evaluate('scrollTo(0, 0)');
  const { x, y, width, height } = (await sectionOf(page).boundingBox())!;
  const clip = { x: Math.max(0, x - 16), y: y - 16, width: width + 32, height: height + 32 };
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, clip, animations: 'disabled' });
}

/** It fits and has no fault of accessibility, at a desk and on a phone, in the light and in the dark. */
async function isSound(page: Page, name: string): Promise<void> {
  for (const [kind, { viewport, colorScheme }] of Object.entries(kinds)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect.soft(await axeFaults(page), `${name} ${kind}`).toEqual([]);
    expect.soft(await overflow(page), `${name} ${kind}`).toBe(0);
    expect.soft(await isCut(page), `${name} ${kind}`).toBe(false);
    await keepPicture(page, `${name}-${kind}`);
  }
  await page.setViewportSize(kinds['desk-light'].viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Today's hours, some of the days before, and the present hour, which is still counted. */
const hoursWith = (arrived: number): Hour[] => [
  { hoursAgo: 51, count: 310, delivered: 310 },
  { hoursAgo: 50, count: 422, delivered: 421 },
  { hoursAgo: 27, count: 512, delivered: 512 },
  { hoursAgo: 2, count: 700, delivered: 700 },
  { hoursAgo: 1, count: 400, delivered: 400 },
  { hoursAgo: 0, count: 104, delivered: arrived - 1100, settled: false },
];

const textsOf = async (texts: Promise<string[]>): Promise<string[]> =>
  (await texts).map((text) => text.replace(/\s+/g, ' '));

const payload = { source: 'shipments', ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', event_data: {} };

/** Two deliveries of this hour that were given up, and one that is tried again. A failed test event is beside them. */
async function storeMissing(slug: string, target: string) {
  const feed = { generation: 1, hour: hourAgo(0) };
  const failed = { status: 'failed' as const, attempt_count: 15, attempts: [failedAttempt()] };
  const next_attempt_at = new Date(Date.now() + hourMs).toISOString();
  const retried = { status: 'pending' as const, attempt_count: 1, attempts: [failedAttempt()], next_attempt_at };
  const store = (count: number, fields: object) => storeLog(consoles.service, { slug, target, count, fields, payload });
  await store(2, { ...failed, feed });
  await store(1, { ...retried, feed, ref: 'claims/created' });
  await store(1, { ...failed, ref: 'claims/updated' });
}

describe('the ledger beside the log of an endpoint', () => {
  test('says that all of today arrived, day by day and hour by hour, and does not look for what is missing', async () => {
    const { open, uuid, ledger } = await endpointWith('/all', hoursWith(1204));
    const { page, context, faults } = await open();
    const looked: string[] = [];
    page.on('request', (request) => {
      if (/deliveries\?.*status=/.test(request.url())) looked.push(request.url());
    });
    await page.getByText('All 1,204 of today arrived.').waitFor();
    expect(await answer(page).getAttribute('class')).toContain('arrived');
    expect(ledger.asked[0]!.get('endpoint')).toBe(uuid);
    const section = sectionOf(page);
    const days = section.locator('summary');
    expect(await textsOf(days.allInnerTexts())).toEqual([
      'Today 1,204 sent 1,204 arrived Nothing open still counting',
      'Yesterday 512 sent 512 arrived Nothing open',
      expect.stringMatching(/^\w+, \w+ \d+ 732 sent 731 arrived 1 open$/),
    ]);
    await days.first().focus();
    await page.keyboard.press('Enter');
    const hours = section.locator('table.hours tbody tr');
    await hours.first().waitFor();
    expect(await textsOf(hours.allInnerTexts())).toEqual([
      expect.stringMatching(/^12:00 still counting 104 104 0 /),
      expect.stringMatching(/^11:00 400 400 0 .*5a0c0000…/),
      expect.stringMatching(/^10:00 700 700 0 /),
    ]);
    await section.getByText('Arrived means that the endpoint answered with success.').waitFor();
    const guide = await section.getByRole('link', { name: 'How to compare' }).getAttribute('href');
    expect(guide).toMatch(/^\/docs\/guides#/);
    await isSound(page, 'all');
    expect(looked).toEqual([]);
    // What is missing of a day before is looked for when that is opened.
    await days.last().click();
    await section.getByText('1 is not in the log, or not any more.').waitFor();
    expect(looked.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows which have not arrived, without test events, and sends one again by keyboard alone', async () => {
    const { slug, uuid, ledger, open } = await endpointWith('/missing', hoursWith(1199));
    await storeMissing(slug, uuid);
    const { page, context, faults } = await open();
    await page.getByText('1,199 of 1,204 of today arrived; 5 have not yet.').waitFor();
    await page.getByText('The hour since 12:00 is still being counted').waitFor();
    const rows = sectionOf(page).locator('.missing tbody tr');
    await rows.nth(2).waitFor();
    expect((await textsOf(rows.allInnerTexts())).sort()).toEqual([
      expect.stringMatching(/^Claim opened Failed with 500, next attempt at \d\d:\d\d .* Send again/),
      expect.stringMatching(/^Delivered Failed with 500, given up .* Send again/),
      expect.stringMatching(/^Delivered Failed with 500, given up .* Send again/),
    ]);
    await sectionOf(page).getByText('2 are not in the log yet').waitFor();
    expect(await answer(page).getAttribute('class')).toContain('attention');
    await isSound(page, 'missing');
    await rows.filter({ hasText: 'given up' }).first().getByRole('button', { name: 'Send again' }).focus();
    ledger.now = hoursWith(1200);
    await page.keyboard.press('Enter');
    await page.getByText('The delivery is sent again.').waitFor();
    await page.getByText('1,200 of 1,204 of today arrived; 4 have not yet.').waitFor();
    await expect.poll(() => receiver.received('/missing').length).toBe(1);
    await expect.poll(() => rows.count()).toBe(2);
    // Its button is gone, and the keyboard goes on where the answer is.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('1,200 of 1,204');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('does not alarm about what is on its way in an hour that is still counted', async () => {
    const { open } = await endpointWith('/counting', [{ hoursAgo: 0, count: 12, delivered: 9, settled: false }]);
    const { page, context } = await open();
    await page.getByText('9 of 12 of today arrived; 3 have not yet.').waitFor();
    await sectionOf(page).getByText('3 are not in the log yet').waitFor();
    expect(await answer(page).getAttribute('class')).toContain('moving');
    await isSound(page, 'counting');
    await context.close();
  });

  test('says that nothing was sent, and shows a month if somebody asks for it', async () => {
    const { open, ledger } = await endpointWith('/nothing', []);
    const { page, context } = await open();
    await page.getByText('Nothing was sent here today.').waitFor();
    await page.getByText('Nothing was sent here in these days.').waitFor();
    await isSound(page, 'empty');
    await page.getByRole('button', { name: 'Show 30 days' }).click();
    await page.getByRole('heading', { name: 'The last 30 days' }).waitFor();
    const [week, month] = [ledger.asked[0]!, ledger.asked.at(-1)!].map((query) => Date.parse(query.get('from')!));
    expect(Math.round((week! - month!) / (24 * hourMs))).toBe(23);
    await context.close();
  });

  test('is offered while the feed is off, and switched on by one button, which keeps the focus near', async () => {
    const { open, base, ledger } = await endpointWith('/off', off);
    const { page, context, faults } = await open();
    await page.getByText('With the feed of events, this page says').waitFor();
    await isSound(page, 'off');
    const button = page.getByRole('button', { name: 'Switch the feed on' });
    await page.route('**/settings/events', (route) => route.fulfill(failureOf(500, 'unexpected')));
    await button.click();
    await page.getByText('Something went wrong in the service.').waitFor();
    await page.unroute('**/settings/events');
    ledger.now = [];
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('The feed is on. It counts what happens from now on.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Nothing was sent here today.');
    expect(await consoles.call('GET', `${base}/settings/events`)).toEqual({ feed_enabled: true });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('says what failed, and keeps the rest of the page', async () => {
    const { open, ledger } = await endpointWith('/failing', failureOf(500, 'unexpected'));
    const { page, context } = await open();
    const box = sectionOf(page).locator('.failure');
    await box.getByText('What arrived could not be read.').waitFor();
    expect(await box.textContent()).toContain('correlation-of-the-test');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await isSound(page, 'failing');
    ledger.now = [];
    await box.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing was sent here today.').waitFor();
    await context.close();
  });

  test('is said in German, and fits', async () => {
    const { slug, uuid, open } = await endpointWith('/german', hoursWith(1199));
    await storeMissing(slug, uuid);
    const { page, context } = await open({ locale: 'de-DE' });
    await page.getByText('1.199 von 1.204 von heute sind angekommen; 5 fehlen noch.').waitFor();
    await sectionOf(page).getByText('2 stehen noch nicht im Protokoll').waitFor();
    await sectionOf(page).locator('summary').first().click();
    await isSound(page, 'german');
    await context.close();
  });
});

test('the feed is switched off under the services only after somebody read what is lost', async () => {
  const { slug, base } = await consoles.newShop();
  await consoles.call('PATCH', `${base}/settings/events`, { feed_enabled: true });
  const key = await consoles.keyOf(slug, 'admin');
  const { page, context, faults } = await consoles.open(browser, key, `/s/${slug}/settings/services`);
  const settings = () => consoles.call('GET', `${base}/settings/events`);
  const box = page.getByLabel('Keep a feed of all events');
  await box.uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch the feed of events off?' });
  await dialog.getByText('All cursors end').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await settings()).toEqual({ feed_enabled: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Switch the feed off' }).click();
  await page.getByText('Saved. The feed is off, and its cursors have ended.').waitFor();
  expect(await settings()).toEqual({ feed_enabled: false });
  await box.check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. The feed has every event from now on.').waitFor();
  expect(await settings()).toEqual({ feed_enabled: true });
  expect(faults).toEqual([]);
  await context.close();
});
