import { KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/pages/handler.ts';
import { addressHash } from '#domain/emails/address-hash.ts';
import { readSuppression, suppress } from '#domain/emails/suppression-store.ts';
import { loadUnsubscribeTexts } from '#domain/emails/unsubscribe-texts/unsubscribe-texts.ts';
import { unsubscribeToken } from '#domain/emails/unsubscribe-token.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { eventOf, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { multipart } from '#test/kit/multipart.ts';
import { holdsShop, pageOfOrder, shopCall, pageShop as slug } from '#test/kit/page-shop.ts';

const kms = mockClient(KMSClient);
const address = 'ada@example.com';
let token: string;
let id: string;

beforeEach(async () => {
  fakeKms(kms);
  knownDataKeys.clear();
  vi.stubEnv('EMAIL_FROM', 'post@mail.example.com');
  holdsShop();
  const pageToken = await pageOfOrder('1', { email_id: address });
  token = await unsubscribeToken({ pageToken, slug, address });
  id = await addressHash(slug, address);
});
afterEach(() => void vi.unstubAllEnvs());

const resource = '/u/{token}';
const open = (of = token, query = {}) => invoke(handler, { method: 'GET', resource, params: { token: of }, query });
const urlEncoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
const send = (rawBody: string, of = token) =>
  invoke(handler, { method: 'POST', resource, params: { token: of }, headers: urlEncoded, rawBody });

const oneClick = 'List-Unsubscribe=One-Click';
const held = () => readSuppression(slug, id);
const suppressed = (reason: 'bounce' | 'complaint') =>
  suppress({ slug, id, reason, at: '2026-11-17T09:00:00.000Z', order_id: 'o' });

describe('the page to unsubscribe', () => {
  test('shows a button and changes nothing, however often it is opened', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toContain('value="off"');
    expect(body).not.toContain(address);
    const before = memoryTable.all();
    await open();
    expect(memoryTable.all()).toEqual(before);
    expect(await held()).toBeUndefined();
  });

  test('works also when its order is erased and the page is gone: the customer may have other orders', async () => {
    const [, pageToken] = token.split('.');
    for (const { pk, sk } of memoryTable.all()) {
      if (String(pk).endsWith(pageToken!)) memoryTable.remove({ pk, sk });
    }
    const { status, body } = await open();
    expect([status, body.includes(`/t/${pageToken}`)]).toEqual([200, false]);
    expect((await send(oneClick)).status).toBe(200);
    expect(await held()).toMatchObject({ reason: 'unsubscribed' });
  });

  test('is for people only: no cache and no search engine keeps it', async () => {
    const { headers } = await open();
    expect(headers['Cache-Control']).toContain('no-store');
    expect(headers['X-Robots-Tag']).toBe('noindex');
  });

  test.each(['x', 'a.b.c', ''])('does not exist for the token %j', async (wrong) => {
    expect((await open(wrong)).status).toBe(404);
    expect((await send(oneClick, wrong)).status).toBe(404);
  });

  test('does not exist for a token that was changed', async () => {
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    expect((await send(oneClick, changed)).status).toBe(404);
    expect(await held()).toBeUndefined();
  });

  test('does not exist where the deployment names no sender', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    expect((await open()).status).toBe(404);
  });

  test('is there although the shop has switched its pages off', async () => {
    await shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { enabled: false } });
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).not.toContain('href="../t/');
  });

  test('speaks every language', async () => {
    const english = await loadUnsubscribeTexts('en');
    for (const language of languages) {
      const texts = await loadUnsubscribeTexts(language);
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const name of ['on', 'off', 'stopped', 'started', 'blocked'] as const)
        expect(texts[name]).toContain('{shop}');
      expect((await open(token, { lang: language })).body).toContain(texts.stop);
    }
  });
});

describe('who unsubscribes', () => {
  test('does so with one click in the mail program, and is answered without a redirect', async () => {
    const { status, headers } = await send(oneClick);
    expect([status, headers.Location]).toEqual([200, undefined]);
    expect(await held()).toMatchObject({ reason: 'unsubscribed' });
  });

  test('may send the form as parts, too', async () => {
    const { headers, body } = multipart(['List-Unsubscribe', 'One-Click']);
    const event = eventOf({ method: 'POST', resource, params: { token }, headers });
    const answer = await handler({ ...event, isBase64Encoded: true, body: body.toString('base64') });
    expect(answer.statusCode).toBe(200);
    expect(await held()).toMatchObject({ reason: 'unsubscribed' });
  });

  test('can do so again, and can subscribe again', async () => {
    await send('emails=off');
    expect((await send(oneClick)).status).toBe(200);
    expect((await open()).body).toContain('value="on"');
    const { status, body } = await send('emails=on');
    expect(status).toBe(200);
    expect(body).toContain('value="off"');
    expect(await held()).toBeUndefined();
  });

  test.each(['bounce', 'complaint'] as const)('cannot take a %s back', async (reason) => {
    await suppressed(reason);
    expect((await open()).body).not.toContain('<button');
    await send('emails=on');
    await send(oneClick);
    await send('emails=on');
    expect(await held()).toMatchObject({ reason });
  });

  test('can subscribe ten times an hour, and unsubscribe without a limit', async () => {
    for (let i = 0; i < 10; i++) {
      await send(oneClick);
      expect((await send('emails=on')).status).toBe(200);
    }
    expect((await send(oneClick)).status).toBe(200);
    const { status, headers } = await send('emails=on');
    expect(status).toBe(429);
    expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
    expect(await held()).toMatchObject({ reason: 'unsubscribed' });
  });

  test.each(['', 'List-Unsubscribe=Two-Clicks', 'emails=maybe', 'x=1'])('changes nothing with %j', async (body) => {
    expect((await send(body)).status).toBe(422);
    expect(await held()).toBeUndefined();
  });
});
