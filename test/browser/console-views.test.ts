import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { axeFaults, type ConsoleService, startConsole } from './console-service.ts';
import { type FilledShop, filledShop, hostile, startFailingReceiver } from './console-shop.ts';

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
const views = ['/login', '/shops', ...routed];

let browser: Browser;
let service: ConsoleService;
let receiver: Awaited<ReturnType<typeof startFailingReceiver>>;
let full: FilledShop;
let strange: FilledShop;
let empty: { slug: string };

beforeAll(async () => {
  if (folder) mkdirSync(resolve(folder), { recursive: true });
  [browser, service, receiver] = await Promise.all([
    launchChromium(),
    startConsole({ environment: { ALLOW_LOCAL_TARGETS: 'true' } }),
    startFailingReceiver(hostile),
  ]);
  full = await filledShop(service, receiver.url);
  strange = await filledShop(service, `${receiver.url}?strange`, hostile);
  empty = await service.newShop();
}, 180_000);

afterAll(async () => {
  receiver?.stop();
  await Promise.all([browser?.close(), service?.stop()]);
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

async function shoot(page: Page, view: string, state: string): Promise<void> {
  const file = `${shotName(view)}-${state}`;
  if (folder && file.includes(wanted)) await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true });
}

/** What a view waits for is there, and nothing moves any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page
    .locator('.waiting')
    .first()
    .waitFor({ state: 'detached', timeout: 15_000 })
    .catch(() => {});
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Opens the view as the operator, who sees everything. */
async function openView(view: string, shop: Parameters<typeof pathOf>[1], options: object) {
  if (view !== '/login') return service.open(browser, service.operatorKey, pathOf(view, shop), options);
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await page.goto(`${service.url}/console/login`);
  return { page, context, faults: [] as string[] };
}

describe.each(views)('the view %s', (view) => {
  test('has no fault of accessibility, full, at a desk in the light and on a phone in the dark, and fits', async () => {
    for (const [name, options] of Object.entries({
      'desk-light': { viewport: desk, colorScheme: 'light' },
      'phone-dark': { viewport: phone, colorScheme: 'dark' },
    })) {
      const { page, context, faults } = await openView(view, full, options);
      await settled(page);
      await shoot(page, view, `full-${name}`);
      expect.soft(await axeFaults(page), name).toEqual([]);
      expect.soft(await overflow(page), name).toBe(0);
      expect.soft(faults, name).toEqual([]);
      await context.close();
    }
  });

  test('says what would be there in an empty shop', async () => {
    const { page, context, faults } = await openView(view, empty, { viewport: desk });
    await settled(page);
    await shoot(page, view, 'empty-desk-light');
    expect.soft(await axeFaults(page)).toEqual([]);
    expect.soft(faults).toEqual([]);
    await context.close();
  });

  test('shows what others wrote as text, and runs nothing of it', async () => {
    const { page, context, faults } = await openView(view, strange, { viewport: phone });
    await settled(page);
    await shoot(page, view, 'hostile-phone-light');
    expect.soft(await page.evaluate('window.hacked ?? null')).toBeNull();
    for (const frame of page.frames()) expect.soft(await frame.evaluate('window.hacked ?? null')).toBeNull();
    expect.soft(await overflow(page)).toBe(0);
    expect.soft(faults).toEqual([]);
    await context.close();
  });

  test('says that it waits, and what to do if the service fails', async () => {
    if (view === '/login') return;
    const { page, context } = await openView('/shops', full, { viewport: desk });
    await settled(page);
    await page.route(/\/v1\/(?!sessions)/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await route.fulfill({
        status: 500,
        contentType: 'application/json',
        headers: { 'x-correlation-id': 'correlation-of-the-test' },
        body: JSON.stringify({
          key: 'unexpected',
          message: 'Something went wrong on our side.',
          type: 'api_error',
          errors: [],
        }),
      });
    });
    await page.goto(`${service.url}/console${pathOf(view, full)}`);
    const waiting = page.locator('.waiting:has(.spinner), [aria-busy=true]').first();
    const isForm = !(await waiting.waitFor({ timeout: 1100 }).then(
      () => true,
      () => false,
    ));
    await shoot(page, view, 'loading-desk-light');
    // A form that reads nothing has nothing to wait for.
    if (!isForm) {
      const failure = page.locator('.failure').first();
      await failure.waitFor({ timeout: 15_000 });
      expect.soft(await failure.textContent()).toContain('Something went wrong on our side.');
      expect.soft(await failure.textContent()).toContain('correlation-of-the-test');
      expect.soft(await failure.getByRole('button', { name: 'Try again' }).count()).toBe(1);
      expect.soft(await axeFaults(page)).toEqual([]);
    }
    await shoot(page, view, 'failing-desk-light');
    await context.close();
  });
});
