import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isEnvelope, open, seal, wrappedKeyOf } from '#platform/secrets/envelope.ts';

const dataKey = { plain: randomBytes(32), wrapped: randomBytes(184) };
const context = { shop: 'blue', webhook: 'e1' };
const secret = 'whsec_Grüße 🗝';
const envelope = seal(secret, context, dataKey);

const refusal = expect.objectContaining({ name: 'InvalidCiphertextException' });

test('a secret is read with its context and its data key', () => {
  expect(open(envelope, context, dataKey.plain)).toBe(secret);
  expect(open(envelope, { webhook: 'e1', shop: 'blue' }, dataKey.plain)).toBe(secret);
  expect(Buffer.from(envelope).includes('whsec_')).toBe(false);
});

test('the data key of a secret stands in it, encrypted', () => {
  expect(Buffer.from(wrappedKeyOf(envelope))).toEqual(dataKey.wrapped);
  expect(Buffer.from(envelope).includes(dataKey.plain)).toBe(false);
});

test.each([
  { shop: 'red', webhook: 'e1' },
  { shop: 'blue', webhook: 'e2' },
  { shop: 'blue', automation: 'e1' },
  { shop: 'blue', webhook: 'e1', more: 'x' },
  { shop: 'blue' },
])('another context is refused: %j', (other) => {
  expect(() => open(envelope, other as Record<string, string>, dataKey.plain)).toThrow(refusal);
});

test('another data key is refused', () => {
  expect(() => open(envelope, context, randomBytes(32))).toThrow(refusal);
});

test('the same secret is never encrypted to the same bytes', () => {
  expect(seal(secret, context, dataKey)).not.toEqual(envelope);
});

test('any changed or missing byte after the encrypted data key is refused', () => {
  const start = Buffer.from(envelope).indexOf(dataKey.wrapped) + dataKey.wrapped.length;
  for (let i = start; i < envelope.length; i++) {
    const changed = Buffer.from(envelope);
    changed[i]! ^= 1;
    expect(() => open(changed, context, dataKey.plain)).toThrow(refusal);
    expect(() => open(envelope.subarray(0, i), context, dataKey.plain)).toThrow(refusal);
  }
});

test('what KMS encrypted is no envelope, and neither is anything short', () => {
  expect([isEnvelope(envelope), isEnvelope(dataKey.wrapped), isEnvelope(Buffer.from('envelope'))]).toEqual([
    true,
    false,
    false,
  ]);
});
