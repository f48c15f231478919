import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { credentialHeader, signatureHeaders } from '#pipeline/delivery/post.ts';

const now = new Date('2026-11-14T12:00:00.900Z');
const text = '{"name":"Zoë"}';
const sign = (secrets: string[]) => signatureHeaders({ id: 'delivery-1', body: Buffer.from(text), secrets, now });

// Made by `printf '1794657600.{"name":"Zoë"}' | openssl dgst -sha256 -hmac <secret>`.
const signedBy = {
  'secret-of-16-chars': 'cc111f21cc4c794cdb7b791a21b8e6422a35fc4e1cc5262dd1c6acef44fc7452',
  'new-secret-0000001': 'b4bbb2e1de318c547d74370be8d80b0f8c4309b00d333131e8e17b6da61d49e9',
  'old-secret-0000001': '63e9b82c1d67346a62be4524156326dfd3acc0b13cd0f159bbf43bb5e2c41e36',
};

test('the signature covers the timestamp and the exact bytes, in hexadecimal, as the contract says', () => {
  const { 'service-signature': signature } = sign(['secret-of-16-chars']);
  expect(signature).toBe(`t=1794657600,v1=${signedBy['secret-of-16-chars']}`);
});

test('two valid secrets both sign, the current one first', () => {
  const { 'service-signature': signature } = sign(['new-secret-0000001', 'old-secret-0000001']);
  const [first, second] = [signedBy['new-secret-0000001'], signedBy['old-secret-0000001']];
  expect(signature).toBe(`t=1794657600,v1=${first},v1=${second}`);
});

test('the library of Standard Webhooks accepts its headers for each valid secret and for no other', () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const headers = sign(['secret-of-16-chars', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  expect(headers).toMatchObject({ 'webhook-id': 'delivery-1', 'webhook-timestamp': '1794657600' });
  const raw = new Webhook('secret-of-16-chars', { format: 'raw' });
  const encoded = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  for (const webhook of [raw, encoded]) {
    expect(webhook.verify(text, headers)).toEqual({ name: 'Zoë' });
    expect(() => webhook.verify(text, { ...headers, 'webhook-id': 'another' })).toThrow('No matching signature');
  }
  const other = new Webhook('another-secret-001', { format: 'raw' });
  expect(() => other.verify(text, headers)).toThrow('No matching signature');
});

test.each([
  ['bearer', { api_key: 'key' }, { authorization: 'Bearer key' }],
  ['bearer', { client_id: 'id', client_secret: 'key' }, { authorization: 'Bearer key' }],
  ['basic', { password: 'pass', username: 'user' }, { authorization: `Basic ${btoa('user:pass')}` }],
  ['basic', { api_key: 'key' }, { authorization: `Basic ${btoa('key:')}` }],
  ['header:X-Api-Key', { api_key: 'key' }, { 'x-api-key': 'key' }],
] as const)('an integration gets its credential in the scheme %s', (scheme, credential, headers) => {
  expect(credentialHeader(scheme, credential)).toEqual(headers);
});
