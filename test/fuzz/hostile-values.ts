import { Raw, setField } from './json-text.ts';
import type { Random } from './random.ts';

/** Names that JavaScript objects inherit or treat in their own way. */
export const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  'then',
  '$ref',
  '0',
  'a.b',
  'a/b~c',
  '\ud800',
  '\u0000',
  'n'.repeat(300),
] as const;

export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202etxet',
  '👩‍👩‍👧‍👦',
  'ﬃ',
  'İ',
  '#',
  'a#b',
  'SHOP#blue',
  '/',
  '..',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%E0%A4%A',
  '{}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '\r\nX-Injected: yes',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0x10',
  '1e400',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF',
  'urn:uuid:00000000-0000-4000-8000-000000000000',
  ...hostileNames.slice(0, 6),
] as const;

const hostileTimes = [
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  '2026-02-29T00:00:00Z',
  '2026-11-14T24:00:00Z',
  '2026-11-14T12:00:00',
  '2026-11-14t12:00:00z',
  '2026-11-14 12:00:00Z',
  '2026-11-14T12:00:00+01',
  '2026-11-14T12:00:00.123456789+14:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
] as const;

const hostileUrls = [
  'http://',
  'https://x',
  'http://127.1/',
  'http://0127.0.0.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'https://user:password@shop.example.com/',
  'https://shop.example.com:0/',
  'https://shop.example.com:99999/',
  'https://shop.example.com/%zz',
  'https://shop.example.com/\u0000',
  'https://shop.example.com/?q=<>"',
  'https://.example.com/',
  'https://xn--/',
  'https://ａ.example.com/',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
  '//shop.example.com/',
] as const;

const hostileNumbers = [
  0,
  new Raw('-0'),
  -1,
  0.1,
  1.5,
  -1e-7,
  1e-320,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e126,
  1e308,
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('12345678901234567890.12345678901234567890'),
  new Raw('0.1000000000000000055511151231257827021181583404541015625'),
] as const;

/** Long enough to pass every bound. A few only, because they cost time. */
const longTexts = (random: Random) =>
  random.pick([
    'x'.repeat(256),
    'x'.repeat(2049),
    'é'.repeat(5001),
    '\u0000'.repeat(300),
    '"\\'.repeat(3000),
    `2026-11-14T12:00:00.${'1'.repeat(100_000)}Z`,
    `https://shop.example.com/${'a'.repeat(5000)}`,
    'x'.repeat(100_000),
  ]);

/** A text that some part of the service might take for something else. */
export function hostileText(random: Random): string {
  if (random.chance(0.05)) return longTexts(random);
  return random.pick(random.pick([hostileTexts, hostileTexts, hostileTimes, hostileUrls]));
}

/** Any value that JSON can hold, and some that only its text can. */
export function hostileValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [() => hostileText(random), 8],
    [() => random.pick(hostileNumbers), 4],
    [() => random.pick([null, true, false]), 4],
    [() => random.pick<unknown>([[], {}, [[]], [null], [{}], { a: [] }]), 4],
    [() => withHostileName({}, random), 2],
    [() => deep(random.pick([10, 100, 2000]), random), 0.3],
    [
      () => Array.from({ length: random.pick([60, 101, 1001, 1001, 20_000]) }, () => random.pick<unknown>([1, '', {}])),
      0.3,
    ],
  ])();
}

export function withHostileName(target: object, random: Random): object {
  setField(target, random.pick(hostileNames), random.chance(0.5) ? hostileText(random) : { polluted: true });
  return target;
}

function deep(levels: number, random: Random): Raw {
  const [open, close] = random.pick([['[', ']'] as const, ['{"a":', '}'] as const]);
  return new Raw(`${open.repeat(levels)}1${close.repeat(levels)}`);
}
