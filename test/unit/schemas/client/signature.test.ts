import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders as signedByTheService } from '#pipeline/delivery/post.ts';
import { readEvent, SignatureError, signatureHeaders, verifySignature } from '#schemas/client/index.ts';

const now = new Date('2026-11-16T08:00:00.700Z');
const body = Buffer.from('{"source":"claims","ref":"claims/created","text":"grün"}');
const [first, second] = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`, 'a-secret-of-the-merchant'];

const headersOf = (...secrets: string[]) => signedByTheService({ id: 'msg-1', body, secrets, now });
const only = (headers: Record<string, string>, start: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(start)));

test.each([first, second, 'whsec_not base64! -_', 'whsec_abcde'])(
  'a request that the service signed with %s is accepted by either kind of header',
  async (secret) => {
    const headers = headersOf(secret);
    await expect(verifySignature(body, headers, secret, { now })).resolves.toBe(true);
    await expect(verifySignature(body, only(headers, 'service-'), secret, { now })).resolves.toBe(true);
    await expect(verifySignature(body, only(headers, 'webhook-'), secret, { now })).resolves.toBe(true);
  },
);

test('headers may be those of fetch, and names may have capitals', async () => {
  const headers = headersOf(first);
  await expect(verifySignature(body.toString(), new Headers(headers), first, { now })).resolves.toBe(true);
  const capitals = { 'Service-Signature': headers['service-signature'], Other: ['a', 'b'] };
  await expect(verifySignature(body, capitals, first, { now })).resolves.toBe(true);
});

test('during a rotation either secret is enough, on either side', async () => {
  const headers = headersOf(second, first);
  await expect(verifySignature(body, headers, first, { now })).resolves.toBe(true);
  await expect(verifySignature(body, headers, second, { now })).resolves.toBe(true);
  await expect(verifySignature(body, headersOf(first), [second, first], { now })).resolves.toBe(true);
});

test.each([
  ['another secret', body, headersOf(first), second],
  ['other bytes', Buffer.from(`${body} `), headersOf(first), first],
  ['no headers', body, {}, first],
  ['a signature of another length', body, { 'service-signature': `t=${now.getTime() / 1000},v1=abcd` }, first],
  ['a secret without a key', body, headersOf(first), 'whsec_====='],
])('%s is refused', async (_what, bytes, headers, secret) => {
  await expect(verifySignature(bytes, headers, secret, { now })).resolves.toBe(false);
});

test('another time, id or order of the parts is refused', async () => {
  const headers = headersOf(first);
  const later = { 'service-signature': headers['service-signature']!.replace(/t=\d+/, (t) => `${t.slice(0, -1)}9`) };
  const otherId = { ...only(headers, 'webhook-'), 'webhook-id': 'msg-2' };
  await expect(verifySignature(body, later, first, { now })).resolves.toBe(false);
  await expect(verifySignature(body, otherId, first, { now })).resolves.toBe(false);
});

test.each([
  [300, true],
  [302, false],
  [-300, true],
  [-302, false],
])('a signature that is %i seconds away from the clock is accepted: %s', async (seconds, isAccepted) => {
  const clock = new Date(Math.floor(now.getTime() / 1000) * 1000 + seconds * 1000);
  await expect(verifySignature(body, headersOf(first), first, { now: clock })).resolves.toBe(isAccepted);
});

test('an event is read only if it is signed', async () => {
  await expect(readEvent(body, headersOf(first), first, { now })).resolves.toEqual(JSON.parse(body.toString()));
  await expect(readEvent(body, headersOf(first), second, { now })).rejects.toThrow(SignatureError);
});

test('the client signs as the service does', async () => {
  const seconds = Math.floor(now.getTime() / 1000);
  for (const secret of [first, second]) {
    await expect(signatureHeaders(body, { id: 'msg-1', secret, seconds })).resolves.toEqual(headersOf(secret));
  }
});

test('what the client signs is accepted by the library of Standard Webhooks', async () => {
  const headers = await signatureHeaders(body, { id: 'msg-1', secret: first, seconds: Math.floor(Date.now() / 1000) });
  expect(new Webhook(first).verify(body.toString(), headers)).toMatchObject({ ref: 'claims/created' });
});
