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

const answerOf = (hours: readonly Hour[]) =>
  hours.map(({ hoursAgo, count, delivered, settled = true }) => {
    const at = new Date(Date.now() - hoursAgo * hourMs).toISOString().slice(0, 'yyyy-mm-ddThh'.length);
    return { hour: `${at}:00:00Z`, count, digest: `5a0c${String(count).padStart(60, '0')}`, delivered, settled };
  });

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

const kinds = {
  'desk-light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'desk-dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  'phone-light': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;

/** It fits and has no fault of accessibility, at a desk and on a phone, in the light and in the dark. */
async function isSound(page: Page, name: string): Promise<void> {
  for (const [kind, { viewport, colorScheme }] of Object.entries(kinds)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect.soft(await axeFaults(page), `${name} ${kind}`).toEqual([]);
    expect.soft(await overflow(page), `${name} ${kind}`).toBe(0);
    if (folder) await sectionOf(page).screenshot({ path: join(folder, `${name}-${kind}.png`), animations: 'disabled' });
  }
  await page.setViewportSize(kinds['desk-light'].viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Today's hours, some of the days before, and the present hour, which is still counted. */
const today = (delivered: number): Hour[] => [
  { hoursAgo: 51, count: 310, delivered: 310 },
  { hoursAgo: 50, count: 422, delivered: 421 },
  { hoursAgo: 27, count: 512, delivered: 512 },
  { hoursAgo: 2, count: 700, delivered: 700 },
  { hoursAgo: 1, count: 400, delivered: 400 },
  { hoursAgo: 0, count: 104, delivered: delivered - 1100, settled: false },
];

describe('the ledger beside the log of an endpoint', () => {
  test('says that all of today arrived, day by day and hour by hour, and asks for nothing else', async () => {
    const { open, uuid, ledger } = await endpointWith('/all', today(1204));
    const { page, context, faults } = await open();
    const log: string[] = [];
    page.on('request', (request) => {
      if (/deliveries\?.*status=/.test(request.url())) log.push(request.url());
    });
    await page.getByText('All 1,204 of today arrived.').waitFor();
    expect(await answer(page).getAttribute('class')).toContain('arrived');
    expect(ledger.asked[0]!.get('endpoint')).toBe(uuid);
    const section = sectionOf(page);
    const days = section.locator('summary');
    expect((await days.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Today 1,204 sent 1,204 arrived 0 open still counting',
      'Yesterday 512 sent 512 arrived 0 open',
      expect.stringMatching(/^\w{3},? \d+ \w+ 732 sent 731 arrived 1 open$/),
    ]);
    await days.first().focus();
    await page.keyboard.press('Enter');
    const hours = section.locator('table.hours tbody tr');
    expect(await hours.count()).toBe(3);
    const texts = (await hours.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts[0]).toMatch(/^12:00 still counting 104 104 0 /);
    expect(texts[1]).toMatch(/^11:00 400 400 0 .*5a0c0000…/);
    await section.getByText('Arrived means that the endpoint answered with success.').waitFor();
    expect(await section.getByRole('link', { name: 'How to compare' }).getAttribute('href')).toMatch(
      /^\/docs\/guides#/,
    );
    await isSound(page, 'all');
    expect(log).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows which have not arrived, with their state, and sends one again by keyboard alone', async () => {
    const { slug, uuid, ledger, open } = await endpointWith('/missing', today(1198));
    const shared = { slug, target: uuid };
    const payload = { source: 'shipments', ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', event_data: {} };
    const made = { created_at: new Date().toISOString() };
    await storeLog(consoles.service, {
      ...shared,
      count: 2,
      fields: { ...made, status: 'failed', attempt_count: 15, attempts: [failedAttempt()] },
      payload,
    });
    const next_attempt_at = new Date(Date.now() + hourMs).toISOString();
    await storeLog(consoles.service, {
      ...shared,
      count: 3,
      fields: { ...made, status: 'pending', attempt_count: 1, attempts: [failedAttempt()], next_attempt_at },
      payload,
    });
    const { page, context, faults } = await open();
    await page.getByText('1,198 of 1,204 of today arrived; 6 have not yet.').waitFor();
    await page.getByText('The hour since 12:00 is still being counted').waitFor();
    const list = sectionOf(page).locator('.table');
    await list.locator('tbody tr').nth(2).waitFor();
    expect(await answer(page).getAttribute('class')).toContain('attention');
    await isSound(page, 'missing');
    await context.close();
    expect(faults).toEqual([]);
  });
});
