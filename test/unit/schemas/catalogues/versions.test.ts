import { expect, test } from 'vitest';
import { downgradeResponse, selectVersion, upgradeRequest, type Version } from '#schemas/catalogues/versions.ts';

const rename = (from: string, to: string) => (body: unknown) => {
  const { [from]: value, ...rest } = body as Record<string, unknown>;
  return { ...rest, [to]: value };
};

const known: [Version, ...Version[]] = [
  { date: '2026-11-14', changes: [] },
  {
    date: '2027-01-01',
    changes: [
      {
        operation: 'get',
        description: 'a became b',
        upgradeRequest: rename('a', 'b'),
        downgradeResponse: rename('b', 'a'),
      },
    ],
  },
  {
    date: '2027-06-01',
    changes: [
      {
        operation: 'get',
        description: 'b became c',
        upgradeRequest: rename('b', 'c'),
        downgradeResponse: rename('c', 'b'),
      },
      {
        operation: 'list',
        description: 'an answer became a list',
        downgradeResponse: (body) => (body as unknown[])[0] ?? null,
      },
    ],
  },
];

test.each([
  [undefined, '2027-06-01'],
  ['2027-01-01', '2027-01-01'],
  [' 2026-11-14 ', '2026-11-14'],
  ['2026-11-15', '2027-06-01'],
  ['2999-01-01', '2027-06-01'],
  ['latest', '2027-06-01'],
  ['', '2027-06-01'],
])('the header %j selects the version %s', (header, version) => {
  expect(selectVersion(header, known)).toBe(version);
});

test('a request of an old version passes through every later change', () => {
  expect(upgradeRequest('get', '2026-11-14', { a: 1 }, known)).toEqual({ c: 1 });
  expect(upgradeRequest('get', '2027-01-01', { b: 1 }, known)).toEqual({ c: 1 });
  expect(upgradeRequest('get', '2027-06-01', { c: 1 }, known)).toEqual({ c: 1 });
});

test('an answer passes back through the same changes, newest first', () => {
  expect(downgradeResponse('get', '2026-11-14', { c: 1 }, known)).toEqual({ a: 1 });
  expect(downgradeResponse('get', '2027-06-01', { c: 1 }, known)).toEqual({ c: 1 });
});

test('a change applies only to its own operation, and may answer null', () => {
  expect(downgradeResponse('other', '2026-11-14', { c: 1 }, known)).toEqual({ c: 1 });
  expect(downgradeResponse('list', '2027-01-01', [], known)).toBeNull();
});
