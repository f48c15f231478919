import { KMSClient } from '@aws-sdk/client-kms';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '#api/emails/handler.ts';
import { addressHash } from '#domain/emails/address-hash.ts';
import { readSuppression, suppress } from '#domain/emails/suppression-store.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { holdsShop, shopCall, pageShop as slug } from '#test/kit/page-shop.ts';
import { asOperator, keyFor } from '#test/kit/table.ts';

const kms = mockClient(KMSClient);
const ses = mockClient(SESv2Client);
const viewer = keyFor(slug, 'viewer');

beforeEach(() => {
  fakeKms(kms);
  knownDataKeys.clear();
  ses.reset();
  ses.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
  vi.stubEnv('EMAIL_FROM', 'post@mail.example.com');
  vi.stubEnv('PUBLIC_URL', 'https://api.example.com');
  holdsShop(viewer.item);
});
afterEach(() => void vi.unstubAllEnvs());

type Call = { body?: object; query?: Record<string, string>; params?: object; headers?: Record<string, string> };

const call = (method: string, path: string, { headers = asOperator, params = {}, ...rest }: Call = {}) =>
  invoke(handler, { method, resource: `/v1/shops/{slug}${path}`, params: { slug, ...params }, headers, ...rest });

const change = (body: object, headers?: Record<string, string>) =>
  call('PATCH', '/settings/emails', { body, ...(headers && { headers: { ...asOperator, ...headers } }) });

describe('the settings of e-mails', () => {
  test('are off at first, with the groups that customers wait for', async () => {
    const { status, body } = await call('GET', '/settings/emails');
    expect(status).toBe(200);
    expect(body).toMatchObject({ available: true, enabled: false, sender_name: null, reply_to: null });
    expect([body.groups.shipment_out_for_delivery, body.groups.claim_created]).toEqual([true, true]);
    expect(Object.values(body.groups)).toContain(false);
  });

  test('change only where they are named, and null restores the default', async () => {
    await change({ enabled: true, sender_name: 'Blue', groups: { shipment_in_transit: false, claim_created: false } });
    const { body } = await change({ groups: { claim_created: null }, reply_to: 'help@shop.example' });
    expect(body).toMatchObject({ enabled: true, sender_name: 'Blue', reply_to: 'help@shop.example' });
    expect(body.groups).toMatchObject({ shipment_in_transit: false, claim_created: true });
    expect((await change({ sender_name: null })).body.sender_name).toBeNull();
  });

  test('cannot be switched on where the deployment names no sender, and can be switched off', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    expect((await change({ enabled: true })).body.key).toBe('emails_unavailable');
    expect((await change({ enabled: false })).body).toMatchObject({ available: false, enabled: false });
  });

  test('are not changed by whoever has read an older state', async () => {
    const { headers } = await call('GET', '/settings/emails');
    await change({ sender_name: 'Blue' });
    expect((await change({ sender_name: 'Green' }, { 'If-Match': headers.ETag! })).status).toBe(412);
  });

  test('are not changed by a viewer', async () => {
    const headers = basic(slug, viewer.secret);
    expect((await call('PATCH', '/settings/emails', { body: { enabled: true }, headers })).status).toBe(403);
    expect((await call('GET', '/settings/emails', { headers })).status).toBe(200);
  });

  test.each([
    [{ reply_to: 'help' }, 'reply_to'],
    [{ reply_to: 'Help <help@shop.example>' }, 'reply_to'],
    [{ reply_to: 'a@b.example\r\nBcc: x@y.example' }, 'reply_to'],
    [{ sender_name: ' ' }, 'sender_name'],
    [{ sender_name: 'x'.repeat(101) }, 'sender_name'],
    [{ groups: { claim_created: 'yes' } }, 'claim_created'],
  ])('refuse %j', async (body, field) => {
    const answer = await change(body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body.errors)).toContain(field);
  });
});

describe('a preview', () => {
  const preview = (query: Record<string, string> = {}) => call('GET', '/emails/preview', { query });

  test('is HTML in which nothing runs, plain text, or both as JSON', async () => {
    // Late in the evening the sample says from when on its courier may come.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const html = await preview();
    expect([html.status, html.headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.headers['Content-Security-Policy']).toMatch(/default-src 'none'.*sandbox/);
    const text = await preview({ format: 'text' });
    expect(text.headers['Content-Type']).toBe('text/plain; charset=utf-8');
    const { body } = await preview({ format: 'json' });
    expect(Object.keys(body)).toEqual(['subject', 'preheader', 'html', 'text']);
    expect([body.html, body.text]).toEqual([html.body, text.body]);
  });

  test('is one of every event, of a return and of a claim', async () => {
    for (const query of [
      { event_name: 'SUCCESSFULLY_DELIVERED' },
      { event_name: 'ORDER_CREATED', is_return: 'true' },
      { event_name: 'claims/created' },
      { event_name: 'claims/updated' },
    ]) {
      expect((await preview({ ...query, format: 'json' })).status, JSON.stringify(query)).toBe(200);
    }
  });

  test('needs no sender', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    expect((await preview()).status).toBe(200);
  });

  test.each([{ event_name: 'x' }, { language: 'xx' }, { theme: 'blue' }, { format: 'pdf' }])(
    'refuses %j',
    async (query) => {
      expect((await preview(query as Record<string, string>)).status).toBe(422);
    },
  );
});

describe('a test mail', () => {
  const send = (body: object = {}) => call('POST', '/emails/test', { body: { to: 'me@example.com', ...body } });

  test('is sent at once, in the name of the shop', async () => {
    await change({ sender_name: 'Blue shop', reply_to: 'help@shop.example' });
    expect((await send()).body).toEqual({ message_id: 'm-1' });
    const { input } = ses.commandCalls(SendEmailCommand)[0]!.args[0];
    expect(input).toMatchObject({
      FromEmailAddress: '"Blue shop" <post@mail.example.com>',
      ReplyToAddresses: ['help@shop.example'],
      Destination: { ToAddresses: ['me@example.com'] },
      EmailTags: [{ Name: 'shop', Value: slug }],
    });
  });

  test('is refused without a sender', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    expect((await send()).body.key).toBe('emails_unavailable');
  });

  test('is sent ten times an hour at most', async () => {
    for (let i = 0; i < 10; i++) expect((await send()).status).toBe(200);
    const { status, headers } = await send();
    expect(status).toBe(429);
    expect(Number(headers['Retry-After'])).toBeGreaterThan(3000);
    expect(ses.commandCalls(SendEmailCommand)).toHaveLength(10);
  });

  test('does not go to an address that bounced, but to one that unsubscribed', async () => {
    const id = await addressHash(slug, 'me@example.com');
    const at = '2026-11-17T09:00:00.000Z';
    await suppress({ slug, id, reason: 'unsubscribed', at, order_id: 'o' });
    expect((await send()).status).toBe(200);
    await suppress({ slug, id, reason: 'bounce', at, order_id: 'o' });
    expect((await send()).body.key).toBe('email_suppressed');
  });

  test.each([
    ['MessageRejected', 422],
    ['TooManyRequestsException', 429],
    ['SendingPausedException', 502],
  ])('tells what SES says: %s', async (name, status) => {
    ses.on(SendEmailCommand).rejects(Object.assign(new Error(), { name, $metadata: { httpStatusCode: 400 } }));
    expect((await send()).status).toBe(status);
  });

  test.each([{ to: 'x' }, { to: 'a@b' }, { to: 'a b@c.example' }, { to: 'Größe@c.example' }, { to: 7 }])(
    'refuses %j',
    async (body) => {
      expect((await send(body)).status).toBe(422);
      expect(ses.calls()).toHaveLength(0);
    },
  );
});

describe('the suppressed addresses', () => {
  const list = (query = {}) => call('GET', '/emails/suppressions', { query });
  const at = (second: number) => `2026-11-17T09:00:0${second}.000Z`;

  async function suppressed(): Promise<string> {
    await shopCall('orders', 'PUT', '/orders', {
      body: { id: '1', order: { email_id: 'Ada@Example.com' }, trackings: [] },
    });
    const [{ uuid }] = await shopCall('orders', 'GET', '/orders', { query: { order_number: '1' } });
    const id = await addressHash(slug, 'ada@example.com');
    await suppress({ slug, id, reason: 'unsubscribed', at: at(1), order_id: uuid });
    await suppress({
      slug,
      id: await addressHash(slug, 'old@example.com'),
      reason: 'bounce',
      at: at(2),
      order_id: uuid,
    });
    return id;
  }

  test('are shown as their orders have them, newest first', async () => {
    const id = await suppressed();
    expect((await list()).body).toEqual([
      // The order has another address by now.
      { id: expect.any(String), email_id: null, reason: 'bounce', at: at(2) },
      { id, email_id: 'Ada@Example.com', reason: 'unsubscribed', at: at(1) },
    ]);
    expect((await list({ per_page: '1', page: '2' })).body).toMatchObject([{ id }]);
  });

  test('get e-mails again when they are removed', async () => {
    const id = await suppressed();
    const remove = () => call('DELETE', '/emails/suppressions/{id}', { params: { id } });
    expect((await remove()).status).toBe(200);
    expect(await readSuppression(slug, id)).toBeUndefined();
    expect((await list()).body).toHaveLength(1);
    expect((await remove()).body.key).toBe('suppression_not_found');
  });

  test.each(['x', '../x', 'a'.repeat(22), 'é'])('none has the id %j', async (id) => {
    expect((await call('DELETE', '/emails/suppressions/{id}', { params: { id } })).status).toBe(404);
  });
});
