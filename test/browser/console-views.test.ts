import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults, outlineOf } from './axe.ts';
import { type ConsoleService, sharedConsole } from './console-service.ts';
import { type FilledShop, filledShop, hostile, startFailingReceiver } from './console-shop.ts';
import { sharedChromium } from './shared-stack.ts';

/**
 * Every view of the console, in every state. `SCREENSHOTS=<folder> npx vitest run --project browser console-views` keeps
 * pictures for people to look at, and `SHOTS=<part of a name>` takes only some.
 */
const folder = process.env.SCREENSHOTS;
const wanted = process.env.SHOTS ?? '';

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** Read as text, because the console is checked with the types of a browser. */
const routed = globSync('lib/console/views/*/routes.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path]) => path!),
);
const views = ['/shops', ...routed];

const kinds = {
  'desk-light': { viewport: desk, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
} as const;

let browser: Browser;
const service = sharedConsole();
let receiver: Awaited<ReturnType<typeof startFailingReceiver>>;
let full: FilledShop;
let strange: FilledShop;
let empty: { slug: string };

beforeAll(async () => {
  if (folder) mkdirSync(resolve(folder), { recursive: true });
  [browser, receiver] = await Promise.all([sharedChromium(), startFailingReceiver(hostile)]);
  full = await filledShop(service, receiver.url);
  strange = await filledShop(service, `${receiver.url}?strange`, hostile);
  await addReturningParcel(full);
  empty = await service.newShop();
}, 180_000);

/** A parcel that comes back by itself has the longest words of all states. */
async function addReturningParcel({ base, number }: FilledShop): Promise<void> {
  const tracking_number = `${number}2`;
  await service.call('PUT', `${base}/orders`, {
    id: 'N-1002',
    order: { email_id: 'oskar@example.com', address: { name: 'Oskar Schäfer-Hoffmann' } },
    trackings: [{ tracking_number, carrier_reference: 'dhl' }],
  });
  const event_name = 'SHIPMENT_RETURNING_TO_SENDER';
  await service.call('POST', `${base}/shipment-events`, { id: tracking_number, event_name });
}

afterAll(async () => {
  receiver?.stop();
  await browser?.close();
});

/** The address of a view for a shop that has one of everything. */
function pathOf(view: string, { slug, uuids, delivery }: Pick<FilledShop, 'slug'> & Partial<FilledShop>): string {
  const none = '01a1e39b-8788-71be-aefd-a29e4f87cc4e';
  const area = view.split('/')[3] ?? '';
  const values: Record<string, string> = {
    shop: slug,
    id: uuids?.[area] ?? none,
    uuid: uuids?.[area] ?? none,
    delivery: view.includes('integrations') ? none : (delivery?.id ?? none),
    name: 'integration_1',
    integration: 'webhook',
    trigger: uuids?.triggers ?? none,
    provider: 'aftership',
  };
  const path = view.replace(/:(\w+)/g, (_, name) => values[name] ?? none);
  return path.endsWith('/search') ? `${path}?q=N-1001` : path;
}

const shotName = (view: string) =>
  view.replaceAll('/s/:shop/', '').replaceAll(/[/:]+/g, '-').replace(/^-/, '') || 'root';

/** Takes the view as it is now, at a desk and on a phone, in the light and in the dark. */
async function shoot(page: Page, view: string, state: string): Promise<void> {
  const file = `${shotName(view)}-${state}`;
  if (!folder || !file.includes(wanted)) return;
  const before = page.viewportSize()!;
  for (const [device, viewport] of Object.entries({ desk, phone })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(folder, `${file}-${device}-${colorScheme}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

const { settled } = service;

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The lists that are wider than their card, by their caption. */
const cutLists = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.table')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((list) => list.querySelector('caption').textContent + ': ' + (list.scrollWidth - list.clientWidth) + ' px')`);

type Opened = Awaited<ReturnType<ConsoleService['open']>>;

/** One browser of each kind for all views, as somebody has who works in the console. */
const opened: Record<string, Opened> = {};

async function pageFor(state: string, options: BrowserContextOptions): Promise<Opened> {
  opened[state] ??= await service.open(browser, service.operatorKey, '/shops', options);
  opened[state].faults.length = 0;
  return opened[state];
}

const visit = (page: Page, view: string, shop: Parameters<typeof pathOf>[1]) => service.visit(page, pathOf(view, shop));

const failure = {
  status: 500,
  contentType: 'application/json',
  headers: { 'x-correlation-id': 'correlation-of-the-test' },
  body: JSON.stringify({
    key: 'unexpected',
    message: 'Something went wrong on our side.',
    type: 'api_error',
    errors: [],
  }),
};

/** Everything that is read or heard, but not what somebody typed. */
const shownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].flatMap((element) => {
    if (element.closest('script, style, svg, code, pre, iframe')) return [];
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data);
    const heard = ['aria-label', 'placeholder', 'data-title', 'label'].map((name) => element.getAttribute(name) ?? '');
    return [...own, ...heard].map((text) => text.trim()).filter((text) => text !== '');
  })`);

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn);

/** The texts of the console that German says otherwise. What is filled in may be anything. */
const [english, german] = ['en', 'de'].map(
  (language) => new Set(textsIn(JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8')))),
) as [Set<string>, Set<string>];
const onlyEnglish = [...english].filter((text) => !german.has(text) && /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, '')));
const filledIn = onlyEnglish
  .filter((text) => /\{\w+\}/.test(text) && /[a-z]{3}.* |[a-z]{3}.*[a-z]{3}/i.test(text.replace(/\{\w+\}/g, '')))
  .map((text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));
const isEnglish = (text: string): boolean =>
  !german.has(text) && (onlyEnglish.includes(text) || filledIn.some((form) => form.test(text)));

test('the login has no fault of accessibility, at a desk in the light and on a phone in the dark', async () => {
  for (const [name, options] of Object.entries(kinds)) {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    await page.goto(`${service.url}/console/login`);
    await settled(page);
    if (name === 'desk-light') await shoot(page, '/login', 'full');
    expect.soft(await axeFaults(page), name).toEqual([]);
    expect.soft(await overflow(page), name).toBe(0);
    await context.close();
  }
});

/** Views that fail differ in little but their words, which axe does not read. */
const failing = new Set<string>();

describe.each(views)('the view %s', (view) => {
  test('has no fault of accessibility, full, at a desk in the light and on a phone in the dark, and fits', async () => {
    // A colour that fades into the other one is neither.
    const { page, faults } = await pageFor('full', { ...kinds['desk-light'], reducedMotion: 'reduce' });
    await visit(page, view, full);
    await settled(page);
    await shoot(page, view, 'full');
    for (const [name, { viewport, colorScheme }] of Object.entries(kinds)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect.soft(await axeFaults(page), name).toEqual([]);
      expect.soft(await overflow(page), name).toBe(0);
    }
    expect.soft(faults).toEqual([]);
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('says what would be there in an empty shop', async () => {
    const { page, faults } = await pageFor('empty', { viewport: desk });
    await visit(page, view, empty);
    await settled(page);
    await shoot(page, view, 'empty');
    expect.soft(faults).toEqual([]);
  });

  test('fits in German, too, on a phone and at a desk, and so does each of its lists', async () => {
    const { page, faults } = await pageFor('german', { viewport: phone, locale: 'de-DE' });
    await visit(page, view, full);
    await settled(page);
    await shoot(page, view, 'german');
    expect.soft(await page.evaluate('document.documentElement.lang')).toBe('de');
    expect.soft(await overflow(page)).toBe(0);
    expect.soft(await cutLists(page)).toEqual([]);
    await page.setViewportSize(desk);
    expect.soft(await cutLists(page)).toEqual([]);
    await page.setViewportSize(phone);
    expect.soft((await shownTexts(page)).filter(isEnglish)).toEqual([]);
    expect.soft(faults).toEqual([]);
  });

  test('shows what others wrote as text, and runs nothing of it', async () => {
    const { page, faults } = await pageFor('hostile', { viewport: phone });
    await visit(page, view, strange);
    await settled(page);
    await shoot(page, view, 'hostile');
    for (const frame of page.frames()) expect.soft(await frame.evaluate('window.hacked ?? null')).toBeNull();
    expect.soft(await overflow(page)).toBe(0);
    expect.soft(faults).toEqual([]);
  });

  test('says that it waits, and what to do if the service fails', async () => {
    const { page } = await pageFor('failing', { viewport: desk });
    await page.unrouteAll();
    await visit(page, '/nothing', full);
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let requests = 0;
    await page.route(/\/v1\/(?!sessions)/, async (route) => {
      // A frame tells the console nothing of its answer but the page in it.
      if (!route.request().url().includes('/preview')) requests++;
      await answered;
      await route.fulfill(failure).catch(() => {});
    });
    await visit(page, view, full);
    const waiting = page.locator('.waiting:has(.spinner)').first();
    // A form can be filled in while it reads what it suggests.
    const isForm = view.endsWith('/new') || view.endsWith('/explain');
    const seen = isForm ? page.locator('main form').first().or(waiting).first() : waiting;
    await seen.waitFor({ timeout: 10_000 }).catch(() => {});
    await shoot(page, view, 'loading');
    // A view that is loaded waits anew for what it reads.
    if (!isForm && requests > 0) await expect.poll(() => waiting.count()).toBe(1);
    answer();
    if (isForm) return expect.soft(await axeFaults(page)).toEqual([]);
    if (requests === 0) return;
    const box = page.locator('.failure').first();
    await box.waitFor({ timeout: 30_000 });
    const text = await box.textContent();
    expect.soft(text).toContain('Something went wrong in the service.');
    expect.soft(text).toContain('correlation-of-the-test');
    expect.soft(await box.getByRole('button', { name: 'Try again' }).count()).toBe(1);
    expect.soft(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    const outline = (await outlineOf(page, 'main, main *')).join('\n');
    if (!failing.has(outline)) expect.soft(await axeFaults(page)).toEqual([]);
    failing.add(outline);
    await shoot(page, view, 'failing');
  });
});
