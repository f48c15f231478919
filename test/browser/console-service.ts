import { randomUUID } from 'node:crypto';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ShopRole } from '#schemas/catalogues/enumerations.ts';
import { basic, clientOf } from '#test/e2e/kit/client.ts';
import { type ServiceOptions, startService } from '#test/kit/service.ts';

export type ConsoleRole = ShopRole | 'superadmin';

/** A service with its console, and ways to open it as somebody. */
export async function startConsole(options: ServiceOptions = {}) {
  const service = await startService(options);
  const { url } = service.stack;
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

  return { service, url, api, call, newShop, keyOf, open, operatorKey, stop: service.stop };
}

export type ConsoleService = Awaited<ReturnType<typeof startConsole>>;

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds against WCAG 2.2 AA, each with the places. The page in a preview has tests of its own. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run({ runOnly: ${JSON.stringify(wcag)}, resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 5).map(({ html }) => html.slice(0, 200)).join(' | ')))`);
}
