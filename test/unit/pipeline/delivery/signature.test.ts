import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { credentialHeader } from '#pipeline/delivery/destination.ts';
import { signatureHeaders } from '#pipeline/delivery/post.ts';

const now = new Date('2026-11-14T12:00:00.900Z');
const timestamp = '1794657600';
const text = '{"name":"Zoë"}';
const sign = (secrets: string[]) => signatureHeaders({ id: 'delivery-1', body: Buffer.from(text), secrets, now });

test('the signature is the contract’s: over the timestamp and the exact bytes, in hexadecimal', () => {
  const expected = createHmac('sha256', 'secret-of-16-chars').update(`${timestamp}.${text}`).digest('hex');
  expect(sign(['secret-of-16-chars'])['service-signature']).toBe(`t=${timestamp},v1=${expected}`);
});

test('two secrets in force sign both, the current one first', () => {
  const [, first, second, ...rest] = sign(['new-secret-0000001', 'old-secret-0000001'])['service-signature']!.split(
    ',',
  );
  const hex = (secret: string) => createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex');
  expect([first, second, rest]).toEqual([`v1=${hex('new-secret-0000001')}`, `v1=${hex('old-secret-0000001')}`, []]);
});

test('the headers of Standard Webhooks stand beside it', () => {
  const base64 = (key: string | Buffer) =>
    createHmac('sha256', key).update(`delivery-1.${timestamp}.${text}`).digest('base64');
  expect(sign(['secret-of-16-chars', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toMatchObject({
    'webhook-id': 'delivery-1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${base64('secret-of-16-chars')} v1,${base64(
      Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
    )}`,
  });
});

test.each([
  ['bearer', { api_key: 'key' }, { authorization: 'Bearer key' }],
  ['bearer', { client_id: 'id', client_secret: 'key' }, { authorization: 'Bearer key' }],
  ['basic', { password: 'pass', username: 'user' }, { authorization: `Basic ${btoa('user:pass')}` }],
  ['basic', { api_key: 'key' }, { authorization: `Basic ${btoa('key:')}` }],
  ['header:X-Api-Key', { api_key: 'key' }, { 'x-api-key': 'key' }],
] as const)('an integration is shown its credential by the scheme %s', (scheme, credential, headers) => {
  expect(credentialHeader(scheme, credential)).toEqual(headers);
});
