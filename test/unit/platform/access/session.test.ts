import { expect, test } from 'vitest';
import { hashOf, readToken, writeToken } from '#platform/access/session.ts';

const token = { username: 'bücher & co.', tokenId: '0123456789abcdef', secret: 'A'.repeat(43) };

test('a token is read as it was written, whatever the username has in it', () => {
  expect(writeToken(token)).toMatch(/^[\w.-]+$/);
  expect(readToken(writeToken(token))).toEqual(token);
});

test('the hash of a token depends on every part of it', () => {
  const others = [{ username: 'x' }, { tokenId: '0123456789abcdeg' }, { secret: 'B'.repeat(43) }];
  for (const part of others) expect(hashOf({ ...token, ...part })).not.toBe(hashOf(token));
});
