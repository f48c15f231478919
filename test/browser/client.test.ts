import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient } from '#lib/bundling/client.ts';
import { sharedChromium, sharedService } from './shared-stack.ts';

const service = sharedService();
let browser: Browser;
let folder: string;
let code: string;

beforeAll(async () => {
  browser = await sharedChromium();
  folder = await mkdtemp(join(tmpdir(), 'browser-client-'));
  await buildClient(folder);
  code = await readFile(join(folder, 'index.js'), 'utf8');
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a developer writes into a page. It is a text, because the test runner would change its import. */
const program = (key: string) => `(async () => {
  const { ApiError, createClient, readEvent, signatureHeaders } = await import('/own/client.js');
  const byKey = createClient({ key: ${JSON.stringify(key)} });
  await byKey.createShop({ body: { name: 'Blå', slug: 'blue' } });
  await byKey.createSession();
  const bySession = createClient({ shop: 'blue' });
  const { username } = await bySession.getSession();
  const { uuid, secret } = await bySession.createWebhook({ body: { url: 'http://127.0.0.1:9/hook' } });
  await bySession.updateWebhook({ params: { uuid }, body: { description: 'of the browser' } });
  const endpoints = [];
  for await (const endpoint of bySession.paged('searchWebhooks', { query: { per_page: 1 } })) endpoints.push(endpoint.description);
  const changed = await bySession
    .updateWebhook({ params: { uuid }, body: { status: 'inactive' }, ifMatch: '2020-01-01T00:00:00.000Z' })
    .catch((error) => [error instanceof ApiError, error.status, error.key, typeof error.correlationId]);
  const picture = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (c) => c.charCodeAt(0));
  const image = await bySession.uploadImage({ body: { image: new Blob([picture], { type: 'image/gif' }), image_type: 'logo' } });
  const body = new TextEncoder().encode('{"ref":"claims/created"}');
  const headers = await signatureHeaders(body, { id: 'a', secret, seconds: Math.floor(Date.now() / 1000) });
  const event = await readEvent(body, new Headers(headers), secret);
  const forged = await readEvent(body, headers, 'another-secret-of-somebody').catch((error) => error.name);
  return { username, endpoints, changed, image: image.image_type, event, forged };
})()`;

test('the client works in a browser: with a key, with a session, with files, and for signatures', async () => {
  const { url } = service;
  const page = await browser.newPage();
  await page.route(`${url}/own/**`, (route) => {
    const isCode = route.request().url().endsWith('.js');
    return route.fulfill({ contentType: isCode ? 'text/javascript' : 'text/html', body: isCode ? code : '<p>A page' });
  });
  await page.goto(`${url}/own/page.html`);
  const { username, secret } = service.operator;
  await expect(page.evaluate(program(`${username}:${secret}`))).resolves.toEqual({
    username,
    endpoints: ['of the browser'],
    changed: [true, 412, 'changed_since_read', 'string'],
    image: 'logo',
    event: { ref: 'claims/created' },
    forged: 'SignatureError',
  });
  await page.close();
});
