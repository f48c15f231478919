import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { shippedCounter } from '#domain/figures/counter-names.ts';
import { readCohorts, readDayCounts } from '#domain/figures/counter-store.ts';
import { rangeOf } from '#domain/figures/durations.ts';
import { keyOf } from '#platform/table/keys.ts';
import { carrierNames } from '#schemas/catalogues/carriers.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const place = (day: string, carrier = 'dhl', country = 'DE') => ({ day, carrier, country });

beforeEach(() =>
  tableWith(
    { ...keyOf.dayCounts('blue', '2026-10-31'), orders: 9, 's#dhl#DE': 9 },
    { ...keyOf.dayCounts('blue', '2026-11-01'), orders: 5, 's#dhl#DE': 3, 's#-#-': 1, 's#gls#AT': 0, mails_sent: 2 },
    { ...keyOf.dayCounts('blue', '2026-11-02'), orders: -1, delivered: 4, expires_at: 1 },
    { ...keyOf.dayCounts('blue', '2026-11-03'), 's#dhl#DE': 7 },
    { ...keyOf.dayCounts('red', '2026-11-01'), orders: 5 },
    {
      ...keyOf.cohortCounts('blue', place('2026-11-01')),
      h30: 1,
      h168: 1,
      x: 1,
      a: 2,
      f: 1,
      p: 2,
      k: 1,
      c: 1,
      g0: 1,
      g4: 1,
      z12: 1,
      o0: 1,
      e1: 1,
      q3: 2,
      pn: 2,
      pc: 1,
      pw: 7,
      cn: 2,
      cc: 1,
      cw: 30,
    },
    { ...keyOf.cohortCounts('blue', place('2026-11-03')), h2: 9 },
    { ...keyOf.ratingCounts('blue', place('2026-11-01')), n: 2, sum: 9 },
    { ...keyOf.ratingCounts('blue', place('2026-11-02', 'gls', 'AT')), n: 1, sum: 5 },
    { ...keyOf.ratingCounts('blue', place('2026-11-02', 'some-carrier', 'AT')), n: 1, sum: 3 },
  ),
);

const days = { from: '2026-11-01', to: '2026-11-02' };
const tooMuch = () => new Error('too much');

test('what happened is read for each day that has something, with the parcels of all lanes', async () => {
  const nothing = { claims: 0, pages_opened: 0, promotions_shown: 0, promotions_clicked: 0 };
  expect(await readDayCounts('blue', days)).toEqual([
    { day: '2026-11-01', orders: 5, shipped: 4, delivered: 0, mails_sent: 2, ...nothing },
    { day: '2026-11-02', orders: 0, shipped: 0, delivered: 4, mails_sent: 0, ...nothing },
  ]);
});

describe('cohorts', () => {
  const empty = { endedOtherwise: 0, attempted: 0, firstAttempts: 0, promised: 0, kept: 0, claims: 0 };
  const windows = { carrierWindows: 0, carrierHeld: 0, carrierHours: 0, shown: 0, held: 0, shownDays: 0 };
  const untouched = { ...empty, ...windows, delivered: new Map() };

  test('are joined from what was handed over, what became of it and its ratings', async () => {
    expect(await readCohorts('blue', days, tooMuch)).toEqual([
      {
        ...place('2026-11-01'),
        shipped: 3,
        delivered: new Map([
          [rangeOf(30), 1],
          [rangeOf(168), 1],
        ]),
        endedOtherwise: 1,
        attempted: 2,
        firstAttempts: 1,
        promised: 2,
        kept: 1,
        carrierWindows: 2,
        carrierHeld: 1,
        carrierHours: 30,
        shown: 2,
        held: 1,
        shownDays: 7,
        claims: 1,
        ratings: 2,
        stars: 9,
      },
      // Nothing has become of these yet.
      { ...place('2026-11-01', '-', '-'), shipped: 1, ...untouched, ratings: 0, stars: 0 },
      { ...place('2026-11-02', 'gls', 'AT'), shipped: 0, ...untouched, ratings: 1, stars: 5 },
      // A release of before counted ratings of carriers that nobody knows.
      { ...place('2026-11-02', '-', 'AT'), shipped: 0, ...untouched, ratings: 1, stars: 3 },
    ]);
  });

  test('are read by three queries of ranges', async () => {
    await readCohorts('blue', days, tooMuch);
    const ranges = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
    expect(ranges).toEqual(
      ['ORDERS#', 'COHORT#1#', 'RATINGS#'].map((prefix) => ({
        ':partition': 'STATISTICS#blue',
        ':from': `${prefix}2026-11-01`,
        ':to': `${prefix}2026-11-02~`,
      })),
    );
  });

  test('are read without the counters of silences and arrivals, which are many', async () => {
    await readCohorts('blue', days, tooMuch);
    const [, cohorts] = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input);
    const { ProjectionExpression, ExpressionAttributeNames } = cohorts!;
    const read = ProjectionExpression!.split(', ').map((name) => ExpressionAttributeNames![name] ?? name);
    expect(read).toEqual(expect.arrayContaining(['h30', 'x', 'pn', 'cw']));
    expect(read.filter((name) => /^[zoeqg]/.test(name))).toEqual([]);
    // DynamoDB takes expressions of 4 KB.
    expect(ProjectionExpression!.length).toBeLessThan(4096);
  });
});

test('the item of a day in which every carrier brought parcels to every pair of letters fits into the table', () => {
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const countries = ['-', ...letters.flatMap((one) => letters.map((other) => one + other))];
  const carriers = ['-', ...Object.keys(carrierNames)];
  const names = carriers.flatMap((carrier) => countries.map((country) => shippedCounter({ carrier, country })));
  // DynamoDB takes at most 21 bytes for a number. So many parcels a day take 5.
  const bytes = names.reduce((sum, name) => sum + name.length + 5, 0);
  expect(bytes).toBeLessThan(400 * 1024);
});
