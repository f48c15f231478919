import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { signatureHeaders } from '#pipeline/delivery/post.ts';

type IsOurs = (header: string | undefined, rawBody: Buffer, secret: string) => boolean;

let isOurs: IsOurs;

beforeAll(async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  // Only the part before the server: a check of a signature needs no port.
  const [, code] = /```js\n([\s\S]*?)\ncreateServer\([\s\S]*?```\n/.exec(readme)!;
  const module = `data:text/javascript,${encodeURIComponent(`${code}\nexport { isOurs };`)}`;
  ({ isOurs } = (await import(/* @vite-ignore */ module)) as { isOurs: IsOurs });
});

const body = Buffer.from('{"name":"Zoë"}');
const secrets = ['whsec_new-secret-01', 'old-secret-0000001'];
const signed = (now = new Date()) => signatureHeaders({ id: 'delivery-1', body, secrets, now })['service-signature'];

test('the receiver in the README accepts a signature made with any valid secret', () => {
  for (const secret of secrets) expect(isOurs(signed(), body, secret)).toBe(true);
});

test('the receiver refuses another secret, another body and another time', () => {
  expect(isOurs(signed(), body, 'another-secret-001')).toBe(false);
  expect(isOurs(signed(), Buffer.from('{}'), secrets[0]!)).toBe(false);
  expect(isOurs(signed(new Date(Date.now() - 301_000)), body, secrets[0]!)).toBe(false);
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['a signature without a value', 't=1,v1'],
  ['a signature with as many characters but more bytes', `t=1,v1=${'é'.repeat(64)}`],
  ['a signature without a time', `v1=${'0'.repeat(64)}`],
])('the receiver refuses %s without an error', (_, header) => {
  expect(isOurs(header, body, secrets[0]!)).toBe(false);
});
