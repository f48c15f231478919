import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, entriesOf, shortHash, valueReader } from '#domain/shop-systems/fields.ts';
import { shopWebhookLimits } from '#schemas/catalogues/limits.ts';

type Name = 'money' | 'currency' | 'time' | 'link';

/** What a reader makes of a value, and whether it noted the field. */
function outcome(name: Name, value: unknown) {
  const reader = valueReader();
  const read = reader[name](value, 'field');
  return { read, isNoted: reader.unread.length > 0 };
}

describe('money', () => {
  test.each<[unknown, number]>([
    ['19.99', 19.99],
    ['0.10', 0.1],
    ['-5.00', -5],
    ['-0.00', 0],
    ['0', 0],
    ['100.', 100],
    [' 7.5 ', 7.5],
    ['+3', 3],
    ['1000000000000.01', 1000000000000.01],
    ['0.000001', 0.000001],
    [16.666666666666668, 16.666666666666668],
    [1e-7, 1e-7],
    [0, 0],
  ])('of %j is exactly %j', (value, read) => {
    expect(outcome('money', value)).toEqual({ read, isNoted: false });
  });

  test.each<unknown>([
    '1e3',
    '12,50',
    '1.000,00',
    '€ 5',
    'free',
    '0x10',
    '.5',
    '90071992547409931.01',
    '9'.repeat(400),
  ])('of %j is noted, because no number is written so', (value) => {
    expect(outcome('money', value)).toEqual({ read: undefined, isNoted: true });
  });

  test.each<unknown>([NaN, Infinity, 1e21, { a: 1 }, ['1'], true])('of %j is noted', (value) => {
    expect(outcome('money', value)).toEqual({ read: undefined, isNoted: true });
  });

  test.each<unknown>([null, undefined, '', '  ', [], {}])('of %j is absent', (value) => {
    expect(outcome('money', value)).toEqual({ read: undefined, isNoted: false });
  });

  test('is the same in text again, for every amount of up to fifteen digits', () => {
    const amounts = fc.tuple(fc.boolean(), fc.bigInt(0n, 10n ** 15n - 1n), fc.nat({ max: 6 }));
    fc.assert(
      fc.property(amounts, ([isNegative, units, scale]) => {
        const digits = String(units).padStart(scale + 1, '0');
        const whole = digits.slice(0, digits.length - scale);
        const text = `${isNegative ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
        const { read, isNoted } = outcome('money', text);
        expect(isNoted).toBe(false);
        expect(
          Number(read)
            .toFixed(scale)
            .replace(/^-(?=[0.]*$)/, ''),
        ).toBe(text.replace(/^-(?=[0.]*$)/, ''));
      }),
    );
  });
});

describe('a currency', () => {
  test.each(['EUR', ' eur ', 'Eur'])('%j is a code in capitals', (value) => {
    expect(outcome('currency', value)).toEqual({ read: 'EUR', isNoted: false });
  });

  test.each<unknown>(['€', 'Euro', 'EU', 'EUR.', 978, ['EUR']])('%j is noted', (value) => {
    expect(outcome('currency', value)).toEqual({ read: undefined, isNoted: true });
  });

  test.each<unknown>([null, '', ' ', []])('%j is absent', (value) => {
    expect(outcome('currency', value)).toEqual({ read: undefined, isNoted: false });
  });
});

describe('a time', () => {
  test.each([
    ['2026-11-10T16:15:47', '2026-11-10T16:15:47.000Z'],
    ['2026-11-10 16:15:47', '2026-11-10T16:15:47.000Z'],
    ['2026-11-10T16:15:47.123456+00:00', '2026-11-10T16:15:47.123Z'],
    ['2026-11-10T16:15:47-0530', '2026-11-10T21:45:47.000Z'],
    ['2028-02-29T23:59:59z', '2028-02-29T23:59:59.000Z'],
  ])('%s is in UTC', (value, read) => {
    expect(outcome('time', value)).toEqual({ read, isNoted: false });
  });

  test.each<unknown>([
    '2026-02-30T00:00:00',
    '0000-00-00T00:00:00',
    '2026-11-10',
    '2026-13-01T00:00:00Z',
    '2026-11-10T25:00:00',
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00+12:00',
    'yesterday',
    1_700_000_000,
    ['2026-11-10T16:15:47'],
  ])('%j is noted', (value) => {
    expect(outcome('time', value)).toEqual({ read: undefined, isNoted: true });
  });
});

describe('a link', () => {
  test('is the address of a page', () => {
    const read = 'https://shop.example.com/a.jpg?w=1';
    expect(outcome('link', ` ${read} `)).toEqual({ read, isNoted: false });
  });

  test.each([
    'javascript:alert(1)',
    '/picture.jpg',
    'https://a@b.example.com',
    `https://a.example.com/${'x'.repeat(2048)}`,
  ])('is never %s', (value) => {
    expect(outcome('link', value)).toEqual({ read: undefined, isNoted: true });
  });
});

test('a text is cut, except one of which a part would be wrong', () => {
  const reader = valueReader();
  expect(reader.text(`ab${'😀'}c`, 'name', 3)).toBe('ab');
  expect(reader.text(' a b ', 'name', 2)).toBe('a');
  expect(reader.text(42, 'name', 10)).toBe('42');
  expect(reader.wholeText('abcd', 'email', 4)).toBe('abcd');
  expect(reader.unread).toEqual([]);
  expect(reader.text('😀', 'sign', 1)).toBeUndefined();
  expect(reader.wholeText('abcd', 'email', 3)).toBeUndefined();
  expect(reader.text({ a: 1 }, 'name', 10)).toBeUndefined();
  expect(reader.unread).toEqual([{ field: 'sign' }, { field: 'email' }, { field: 'name' }]);
});

test('a count is a whole number within its bounds', () => {
  const reader = valueReader();
  expect([2, '3', '4.0', 0].map((value) => reader.count(value, 'quantity', 10))).toEqual([2, 3, 4, 0]);
  expect(reader.unread).toEqual([]);
  expect([1.5, -1, 11, 'x', Infinity].map((value, i) => reader.count(value, `items.${i}`, 10))).toEqual(
    Array(5).fill(undefined),
  );
  expect(reader.unread).toHaveLength(5);
});

test('a reader notes each field once, and only so many fields', () => {
  const reader = valueReader();
  for (let i = 0; i < 100; i++) reader.money('x', `items.${i % 50}.price`);
  expect(reader.unread).toHaveLength(shopWebhookLimits.unreadFields);
  expect(new Set(reader.unread.map(({ field }) => field)).size).toBe(shopWebhookLimits.unreadFields);
});

test('nothing that anybody sends makes a reader throw or gives an empty text', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const reader = valueReader();
      const texts = [reader.text(value, 'a', 5), reader.wholeText(value, 'b', 5), reader.time(value, 'c')];
      expect([...texts, reader.link(value, 'd')].filter((text) => text === '')).toEqual([]);
      for (const number of [reader.money(value, 'e'), reader.count(value, 'f', 9)]) {
        expect(number === undefined || Number.isFinite(number)).toBe(true);
      }
    }),
  );
});

test('the entries of a list are those of a list with gaps and of a list as text, too', () => {
  const entries = [{ key: 'a' }, {}];
  for (const list of [entries, [{ key: 'a' }, 7], { 0: { key: 'a' }, 2: null }, JSON.stringify(entries)]) {
    expect(entriesOf(list)).toEqual(entries);
  }
  expect(entriesOf([])).toEqual([]);
  for (const other of [{ key: 'a' }, 'a', 7, null, undefined]) expect(entriesOf(other)).toBeUndefined();
});

test('the hash of a state is that of every equal state and of no other', () => {
  expect(shortHash({ a: [1] })).toMatch(/^[0-9a-f]{12}$/);
  expect(shortHash({ a: [1] })).toBe(shortHash({ a: [1] }));
  expect(shortHash({ a: [1] })).not.toBe(shortHash({ a: [2] }));
});

test('a cut text has no half of a character, and is empty only if nothing of it fits', () => {
  expect([clip('a😀', 2), clip('a😀', 3), clip('😀', 1)]).toEqual(['a', 'a😀', '']);
  expect([clip('\ud83d', 5), clip('a\ude00b', 5)]).toEqual(['\ufffd', 'a\ufffdb']);
});
