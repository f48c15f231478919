import { expect, test } from 'vitest';
import { digest, mask, newSecret, readBasicHeader, sameHash } from '#platform/access/api-key.ts';

test('a new secret has 256 bits and needs no escaping anywhere', () => {
  expect(newSecret()).toMatch(/^[\w-]{43}$/);
  expect(newSecret()).not.toBe(newSecret());
});

test('the token id has 16 characters that follow from the username and the secret', () => {
  const { tokenId, hash } = digest({ username: 'blue', secret: 'secret' });
  expect(tokenId).toMatch(/^[0-9a-v]{16}$/);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(digest({ username: 'blue', secret: 'secret' }).tokenId).toBe(tokenId);
  expect(digest({ username: 'red', secret: 'secret' }).tokenId).not.toBe(tokenId);
});

test('hashes of different lengths are compared as different, without an error', () => {
  expect(sameHash('ab', 'abc')).toBe(false);
  expect(sameHash('abc', 'abc')).toBe(true);
});

test('a header in UTF-8 is decoded as UTF-8', () => {
  const header = `Basic ${Buffer.from('bücher:schlüssel').toString('base64')}`;
  expect(readBasicHeader(header)).toEqual({ username: 'bücher', secret: 'schlüssel' });
});

test.each([
  ['0123456789abcdef', '****cdef'],
  ['short', '****'],
])('the value %s is shown as %s', (value, shown) => {
  expect(mask(value)).toBe(shown);
});
