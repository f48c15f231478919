import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic } from '#test/e2e/kit/client.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

let browser: Browser;
const service = sharedConsole();
let slug: string;
let key: string;

beforeAll(async () => {
  browser = await sharedChromium();
  ({ slug } = await service.newShop());
  key = await service.keyOf(slug, 'admin');
}, 180_000);

afterAll(async () => {
  await browser?.close();
});

/** A browser that nobody logged in with. */
async function freshPage(path: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${service.url}/console${path}`);
  return page;
}

async function logIn(page: Page, credentials = key): Promise<void> {
  const [username = '', secret = ''] = credentials.split(':');
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=secret]').fill(secret);
  await page.locator('form.login [type=submit]').click();
}

const isLoggedIn = (page: Page) => page.locator('form.login').waitFor({ state: 'detached' });
const asksForLogIn = (page: Page) => page.locator('form.login').waitFor();
const isOver = async (page: Page) => (await page.request.get(`${service.url}/v1/sessions/current`)).status() === 401;

test('a deep link opened fresh asks for the log-in, and then shows what it links to', async () => {
  const view = `/s/${slug}/orders?q=1001`;
  const page = await freshPage(view);
  await logIn(page);
  await isLoggedIn(page);
  expect(page.url()).toBe(`${service.url}/console${view}`);
  await page.reload();
  await isLoggedIn(page);
  expect(page.url()).toBe(`${service.url}/console${view}`);
  await page.context().close();
});

test('the log-out ends the session, and the view is not shown again without a log-in', async () => {
  const { page, context } = await service.open(browser, key, `/s/${slug}/orders`);
  await isLoggedIn(page);
  const [cookie] = await context.cookies();
  await page.evaluate("fetch('/v1/sessions/current', { method: 'DELETE' })");
  expect(await context.cookies()).toEqual([]);
  await context.addCookies([cookie!]);
  expect(await isOver(page)).toBe(true);
  await page.reload();
  await asksForLogIn(page);
  await context.close();
});

test('a wrong key is refused with a message, and nobody is logged in', async () => {
  const page = await freshPage('/login');
  await logIn(page, `${slug}:a-wrong-secret-of-the-shop`);
  await page.locator('form.login [role=alert]').waitFor();
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.locator('[name=username]').inputValue()).toBe(slug);
  await page.context().close();
});

test('no secret is where a script could read it', async () => {
  const page = await freshPage('/login');
  await logIn(page);
  await isLoggedIn(page);
  const [, secret = ''] = key.split(':');
  const readable = await page.evaluate<string>(
    'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state, location.href, document.documentElement.outerHTML])',
  );
  expect(readable).not.toContain(secret);
  expect(await page.evaluate<string>('document.cookie')).toBe('');
  expect(await page.evaluate<unknown[]>('indexedDB.databases()')).toEqual([]);
  const [cookie, ...others] = await page.context().cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookie!.value).not.toContain(secret);
  await page.context().close();
});

test('a page of another site cannot use the session of a browser', async () => {
  const { page, context } = await service.open(browser, key, `/s/${slug}/orders`);
  await isLoggedIn(page);
  const elsewhere = await context.newPage();
  await elsewhere.route('http://evil.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<form method="post" enctype="multipart/form-data"></form>' }),
  );
  await elsewhere.goto('http://evil.example/');
  const path = `${service.url}/v1/shops/${slug}/images`;
  const [answer] = await Promise.all([
    elsewhere.waitForResponse(path),
    elsewhere.evaluate(`{ const [form] = document.forms; form.action = '${path}'; form.submit(); }`),
  ]);
  // A browser sends no cookie from there. If it did, the service would refuse it.
  expect(answer.status()).toBe(400);
  const stolen = await page.request.post(path, {
    headers: { origin: 'http://evil.example' },
    multipart: { image_type: 'logo' },
  });
  expect(stolen.status()).toBe(403);
  await context.close();
});

test('the Content-Security-Policy stops whatever got into the page', async () => {
  const { page, context } = await service.open(browser, key, `/s/${slug}/orders`);
  await isLoggedIn(page);
  const ran = await page.evaluate(`new Promise((resolve) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true });
    const script = document.createElement('script');
    script.textContent = 'globalThis.hasRun = true';
    document.body.append(script);
    setTimeout(() => resolve('nothing'), 5000);
  })`);
  expect(ran).toBe('script-src-elem');
  expect(await page.evaluate('globalThis.hasRun')).toBeUndefined();
  await context.close();
});

/** Somebody with a name in the shop's settings that is not saved. */
async function withTypedName() {
  const opened = await service.open(browser, key, `/s/${slug}/settings/shop`);
  const name = opened.page.locator('[name=name]');
  // Another one for each test: one of them saves it, and then it would be no change.
  const typed = `Typed ${randomUUID()}`;
  await name.fill(typed);
  return { ...opened, name, typed };
}

test('when the cookie has expired, saving asks for the log-in, and what was typed is kept', async () => {
  const { page, context, name, typed } = await withTypedName();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('secret');
  await logIn(page);
  await isLoggedIn(page);
  expect(await name.inputValue()).toBe(typed);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.notice', { hasText: 'Saved.' }).first().waitFor();
  await context.close();
});

test('Back asks before it leaves what was typed, and stays if somebody wants to', async () => {
  const { page, context, name, typed } = await withTypedName();
  const here = page.url();
  const answers = [false, true];
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.message());
    await (answers.shift() ? dialog.accept() : dialog.dismiss());
  });
  await page.evaluate(
    `history.replaceState(null, '', '/console/s/${slug}/orders'); history.pushState(null, '', '${here}')`,
  );
  await page.goBack();
  await page.waitForURL(here);
  expect([await name.inputValue(), asked.length]).toEqual([typed, 1]);
  await page.goBack();
  await name.waitFor({ state: 'detached' });
  expect([page.url(), asked.length]).toEqual([`${service.url}/console/s/${slug}/orders`, 2]);
  await context.close();
});

test('the address of a shop leads to its overview, with the name of the shop', async () => {
  const { page, context, faults } = await service.open(browser, key, `/s/${slug}`);
  await page.waitForURL(`${service.url}/console/s/${slug}/overview`);
  const { name } = await service.call('GET', `/v1/shops/${slug}`);
  await page.locator('.bar .name').getByText(name, { exact: true }).waitFor();
  await expect.poll(() => page.title()).toContain(name);
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await page.locator('.bar').boundingBox())!.height).toBeLessThan(64);
  const search = page.getByRole('searchbox').first();
  await search.focus();
  expect((await search.boundingBox())!.width).toBeGreaterThan(340);
  await service.visit(page, `/s/${slug}/claims`);
  const filters = page.getByRole('button', { name: 'Filters' });
  await filters.waitFor();
  expect(await page.locator('.filters').first().isVisible()).toBe(false);
  await filters.click();
  await page.locator('.filters').first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('an address with a broken percent encoding shows that nothing is there', async () => {
  const { page, context, faults } = await service.open(browser, key, '/s/%E0');
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('the log-in over a view closes with Esc, however often, and with its X', async () => {
  const { page, context, name, typed } = await withTypedName();
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  // Chromium lets a page prevent only the first of several.
  for (const close of ['Escape', 'Escape', 'Escape', 'X']) {
    await page.evaluate("document.querySelector('form.form').requestSubmit()");
    await dialog.waitFor();
    if (close === 'X') await dialog.getByRole('button', { name: 'Close' }).click();
    else await page.keyboard.press(close);
    await dialog.waitFor({ state: 'detached' });
  }
  expect(await name.inputValue()).toBe(typed);
  await context.close();
});

test('the log-out asks before it leaves what was typed', async () => {
  const { page, context, name, typed } = await withTypedName();
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.locator('details.user summary').click();
  await page.getByRole('button', { name: 'Log out' }).click();
  expect(await name.inputValue()).toBe(typed);
  expect(await isOver(page)).toBe(false);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  await page.getByRole('button', { name: 'Log out' }).click();
  await asksForLogIn(page);
  expect(asked).toEqual(['confirm']);
  await context.close();
});

test('a tab that comes to the front follows what happened to the session in another one', async () => {
  const { page, context } = await service.open(browser, key, `/s/${slug}/orders`);
  await isLoggedIn(page);
  const comeToTheFront = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.evaluate("fetch('/v1/sessions/current', { method: 'DELETE' })");
  await comeToTheFront();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  const headers = { Authorization: basic(service.operatorKey) };
  await context.request.post(`${service.url}/v1/sessions`, { headers });
  await Promise.all([page.waitForEvent('load'), comeToTheFront()]);
  await page.locator('.user-name', { hasText: service.operatorKey.split(':')[0]! }).waitFor();
  await context.close();
});
