import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { ShopRole } from '#schemas/catalogues/enumerations.ts';
import { basic, clientOf } from '#test/e2e/kit/client.ts';
import { sharedService } from './shared-stack.ts';

export type ConsoleRole = ShopRole | 'superadmin';

/** The console of the shared service, and ways to open it as somebody. */
export function sharedConsole() {
  const service = sharedService();
  const { url } = service;
  const api = clientOf(url);
  const operatorKey = `${service.operator.username}:${service.operator.secret}`;

  /** Calls the API as the operator, and expects success. */
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await api(method, path, { key: operatorKey, ...(body !== undefined && { body }) });
    expect([200, 201, 204], `${method} ${path}: ${answer.text.slice(0, 400)}`).toContain(answer.status);
    return answer.body;
  };

  /** A new shop. `base` is the path of its operations. */
  const newShop = async (fields: object = {}) => {
    const slug = `shop-${randomUUID()}`;
    await call('POST', '/v1/shops', { name: 'Nordlicht Outdoor', slug, ...fields });
    return { slug, base: `/v1/shops/${slug}` };
  };

  const keyOf = async (slug: string, role: ConsoleRole): Promise<string> => {
    if (role === 'superadmin') return operatorKey;
    const { username, secret } = await call('POST', `/v1/shops/${slug}/api-keys`, { role, expiration: 0 });
    return `${username}:${secret}`;
  };

  /** Logs in and opens a path of the console, such as `/s/my-shop/orders`. */
  const open = async (browser: Browser, key: string, path: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
    const answer = await context.request.post(`${url}/v1/sessions`, { headers: { Authorization: basic(key) } });
    expect(answer.status(), await answer.text()).toBe(200);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // A browser reports every answer of 4xx and 5xx, also those that a view shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    await page.goto(`${url}/console${path}`);
    return { page, context, faults };
  };

  /** Goes to a path as a link does, without loading the console anew. Afterwards nothing of the last view is there. */
  const visit = (page: Page, path: string) =>
    page.evaluate(`
      history.pushState(null, '', ${JSON.stringify(`/console${path}`)});
      dispatchEvent(new PopStateEvent('popstate'));
      new Promise((resolve) => setTimeout(resolve));
    `);

  /** What a view waits for is there: it has its title, or says why not, and nothing says that it waits. */
  const settled = (page: Page) =>
    vi.waitFor(
      async () => {
        const isThere =
          "document.querySelector('h1:not(.stand-in), .failure, .empty') && !document.querySelector('.waiting, [aria-busy=true]')";
        expect(await page.evaluate(`Boolean(${isThere})`)).toBe(true);
      },
      { timeout: 20_000, interval: 20 },
    );

  return { service, url, api, call, newShop, keyOf, open, visit, settled, operatorKey };
}

export type ConsoleService = ReturnType<typeof sharedConsole>;
