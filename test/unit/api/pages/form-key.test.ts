import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isValidFormKey, newFormKey } from '#api/pages/form-key.ts';

const token = 'n5GJxgCk2Qm8bZ4rT1yVwA';
const secret = { orderId: '01930000-0000-7000-8000-000000001000', shopId: '01930000-0000-7000-8000-000000000000' };
const issuedAt = new Date('2026-11-15T20:00:00Z');
const after = (ms: number) => new Date(issuedAt.getTime() + ms);
const hours = (count: number) => after(count * 3_600_000);
const formKey = newFormKey(token, secret, issuedAt);

test('a key is valid for a day', () => {
  expect(isValidFormKey(formKey, token, secret, issuedAt)).toBe(true);
  expect(isValidFormKey(formKey, token, secret, after(24 * 3_600_000 - 1))).toBe(true);
  expect(isValidFormKey(formKey, token, secret, hours(24))).toBe(false);
});

test('a key from a clock that is a little ahead is valid, one from the future is not', () => {
  expect(isValidFormKey(formKey, token, secret, after(-30_000))).toBe(true);
  expect(isValidFormKey(formKey, token, secret, hours(-1))).toBe(false);
});

test('a key is valid for its page, order and shop only', () => {
  expect(isValidFormKey(formKey, 'another-token-of-22-ch', secret, issuedAt)).toBe(false);
  expect(isValidFormKey(formKey, token, { ...secret, orderId: secret.shopId }, issuedAt)).toBe(false);
  expect(isValidFormKey(formKey, token, { ...secret, shopId: secret.orderId }, issuedAt)).toBe(false);
});

test('a key of which anything was changed is not valid', () => {
  const changes = fc.tuple(fc.nat(formKey.length - 1), fc.constantFrom(...'abcXYZ019-_.'));
  fc.assert(
    fc.property(changes, ([at, character]) => {
      const changed = formKey.slice(0, at) + character + formKey.slice(at + 1);
      expect(isValidFormKey(changed, token, secret, issuedAt)).toBe(changed === formKey);
    }),
  );
});

test('no other text is a key', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
      expect(isValidFormKey(text, token, secret, issuedAt)).toBe(false);
    }),
  );
});

test('a key says nothing about the order or the shop', () => {
  expect(formKey).toMatch(/^[0-9a-z]+\.[\w-]{8}\.[\w-]{43}$/);
  for (const id of Object.values(secret)) expect(formKey).not.toContain(id);
});

test('each form has a key of its own', () => {
  expect(newFormKey(token, secret, issuedAt)).not.toBe(newFormKey(token, secret, issuedAt));
});
