import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EndpointSecret } from '#domain/endpoints/endpoint.ts';
import { newWebhookSecret, secretsInForce } from '#domain/endpoints/secrets.ts';
import { endpoint } from '#test/kit/endpoints.ts';

const kms = mockClient(KMSClient);

/** Each test has a new name, because decrypted secrets are cached. */
let count = 0;
const sealed = (expires_at: string | null): EndpointSecret => ({
  ciphertext: Buffer.from(`sealed-${++count}`),
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at,
});
const opened = (ciphertext: Uint8Array) => Buffer.from(ciphertext).toString().replace('sealed', 'opened');

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: Buffer.from(opened(CiphertextBlob)) }));
});

describe('the secrets of an endpoint', () => {
  const at = (time: string) => new Date(`2026-11-14T${time}Z`);

  test('sign until they expire, the current one first', async () => {
    const rotating = endpoint({ secrets: [sealed(null), sealed('2026-11-14T12:00:00.000Z')] });
    const both = rotating.secrets.map(({ ciphertext }) => opened(ciphertext));
    expect(await secretsInForce(rotating, at('11:59:59.999'))).toEqual(both);
    expect(await secretsInForce(rotating, at('12:00:00'))).toEqual(both.slice(0, 1));
  });

  test('are decrypted once, bound to their shop and endpoint', async () => {
    const one = endpoint({ secrets: [sealed(null)] });
    for (let i = 0; i < 3; i++) await secretsInForce(one, at('12:00:00'));
    await Promise.all([secretsInForce(one, at('12:00:00')), secretsInForce(one, at('12:00:00'))]);
    const calls = kms.commandCalls(DecryptCommand);
    expect(calls).toHaveLength(1);
    expect(calls[0]!.args[0].input.EncryptionContext).toEqual({ shop: 'blue', webhook: one.uuid });
  });

  test('are not read from the cache when they were moved to another endpoint', async () => {
    const one = endpoint({ secrets: [sealed(null)] });
    await secretsInForce(one, at('12:00:00'));
    kms.on(DecryptCommand).rejects(Object.assign(new Error(), { name: 'InvalidCiphertextException' }));
    await expect(secretsInForce({ ...one, shop_slug: 'red' }, at('12:00:00'))).rejects.toThrow();
  });

  test('are tried again when they could not be decrypted', async () => {
    const one = endpoint({ secrets: [sealed(null)] });
    kms.on(DecryptCommand).rejects(Object.assign(new Error(), { name: 'KMSInternalException' }));
    await expect(secretsInForce(one, at('12:00:00'))).rejects.toThrow();
    kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from('opened') });
    expect(await secretsInForce(one, at('12:00:00'))).toEqual(['opened']);
  });
});

test('a generated secret has the form and the length that receivers accept', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secret.length).toBeLessThanOrEqual(64);
  expect(newWebhookSecret()).not.toBe(secret);
});
