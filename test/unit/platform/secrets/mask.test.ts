import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutSecrets } from '#platform/secrets/mask.ts';

test.each([
  ['as it is', 'no such key: s3cr3t-of-us!'],
  ['in JSON', JSON.stringify({ key: 's3cr3t-of-us!' })],
  ['in a query', `?key=${encodeURIComponent('s3cr3t-of-us!')}`],
  ['in base64', `Basic ${Buffer.from('s3cr3t-of-us!').toString('base64')}`],
  ['twice', 's3cr3t-of-us! s3cr3t-of-us!'],
  ['at a cut end', 'no such key: s3cr3t-of'],
])('a secret that is repeated %s is not shown', (_, text) => {
  const shown = withoutSecrets(text, ['s3cr3t-of-us!']);
  expect(shown).toContain('***');
  expect(shown).not.toContain('s3cr3t');
  expect(shown).not.toContain(Buffer.from('s3cr3t-of').toString('base64'));
});

test('a text without the secrets stays as it is, and short texts are no secrets', () => {
  expect(withoutSecrets('the answer is 42', ['secret-key', '42', ''])).toBe('the answer is 42');
});

test('no secret is left, whatever it consists of and wherever it is', () => {
  const secret = fc.string({ minLength: 8, maxLength: 60 });
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (own, before, after) => {
      fc.pre(!before.includes(own) && !'***'.includes(own));
      expect(withoutSecrets(before + own + after, [own]).includes(own)).toBe(false);
    }),
  );
});
