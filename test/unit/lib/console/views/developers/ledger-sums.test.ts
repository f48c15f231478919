import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  countedIn,
  dayBefore,
  daysOf,
  type LedgerHour,
  localDay,
  openRange,
  sumOf,
  todaySentence,
  toneOf,
  unlogged,
} from '#lib/console/views/developers/ledger-sums.ts';
import { anchorOf } from '#lib/docs/markdown.ts';

const hour = (at: string, count: number, delivered: number | null, settled = true): LedgerHour => ({
  hour: `${at}:00:00Z`,
  count,
  digest: '0'.repeat(64),
  delivered,
  settled,
});

/** What the page says, with the texts of a language. */
function said(language: 'en' | 'de', sum: Parameters<typeof todaySentence>[0]): string {
  const { name, values } = todaySentence(sum);
  const texts = JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8')).developers.ledger;
  const text = texts[name];
  const chosen = typeof text === 'string' ? text : text[new Intl.PluralRules(language).select(Number(values.count))];
  return chosen.replace(/\{(\w+)\}/g, (_: string, place: string) =>
    new Intl.NumberFormat(language).format(values[place]!),
  );
}

const sums = (sent: number, arrived: number) => ({ sent, arrived, open: sent - arrived, isCounting: false });

describe('the sentence about today', () => {
  test.each([
    [1204, 1204, 'All 1,204 of today arrived.', 'Alle 1.204 von heute sind angekommen.'],
    [
      1204,
      1198,
      '1,198 of 1,204 of today arrived; 6 have not yet.',
      '1.198 von 1.204 von heute sind angekommen; 6 fehlen noch.',
    ],
    [5, 4, '4 of 5 of today arrived; 1 has not yet.', '4 von 5 von heute sind angekommen; 1 fehlt noch.'],
    [5, 0, 'None of the 5 of today has arrived yet.', 'Von den 5 von heute ist noch keines angekommen.'],
    [1, 1, 'The one event of today arrived.', 'Das eine Ereignis von heute ist angekommen.'],
    [1, 0, 'The one event of today has not arrived yet.', 'Das eine Ereignis von heute ist noch nicht angekommen.'],
    [0, 0, 'Nothing was sent here today.', 'Heute wurde hierher nichts gesendet.'],
  ])('of %i with %i that arrived is: %s', (sent, arrived, english, german) => {
    expect([said('en', sums(sent, arrived)), said('de', sums(sent, arrived))]).toEqual([english, german]);
  });
});

describe('the sums of hours', () => {
  test('are what was sent, what arrived and what is open', () => {
    expect(sumOf([hour('2026-11-18T09', 700, 700), hour('2026-11-18T10', 504, 498)])).toEqual(sums(1204, 1198));
    expect(sumOf([])).toEqual(sums(0, 0));
  });

  test('count on while one hour is not settled', () => {
    expect(sumOf([hour('2026-11-18T09', 7, 7), hour('2026-11-18T10', 1, 0, false)]).isCounting).toBe(true);
  });

  test('are never less than nothing, and an hour that is ahead hides nothing of another one', () => {
    expect(sumOf([hour('2026-11-18T09', 3, 5, false), hour('2026-11-18T10', 4, 2)])).toMatchObject({
      sent: 7,
      arrived: 5,
      open: 2,
    });
    expect(sumOf([hour('2026-11-18T09', 3, null)])).toMatchObject({ arrived: 0, open: 3 });
  });
});

describe('a day', () => {
  afterEach(() => vi.unstubAllEnvs());
  const days = (zone: string, hours: readonly LedgerHour[]) => {
    vi.stubEnv('TZ', zone);
    return daysOf(hours).map(({ day, sent, hours: own }) => [day, sent, own.length]);
  };

  test('is one of the zone of the user, newest first, whatever the order of the hours', () => {
    const hours = [hour('2026-11-18T03', 4, 4), hour('2026-11-17T22', 1, 1), hour('2026-11-17T23', 2, 2)];
    expect(days('Europe/Berlin', hours)).toEqual([
      ['2026-11-18', 6, 2],
      ['2026-11-17', 1, 1],
    ]);
    expect(days('UTC', hours)).toEqual([
      ['2026-11-18', 4, 1],
      ['2026-11-17', 3, 2],
    ]);
  });

  test('has the hours that begin in it, where days begin in the middle of an hour of UTC', () => {
    // 18:30 in UTC is midnight there.
    expect(days('Asia/Kolkata', [hour('2026-11-17T18', 1, 1), hour('2026-11-17T19', 2, 2)])).toEqual([
      ['2026-11-18', 2, 1],
      ['2026-11-17', 1, 1],
    ]);
  });

  test('has 25 hours when summer ends', () => {
    const start = Date.parse('2026-10-24T22:00:00Z');
    const hours = Array.from({ length: 25 }, (_, n) =>
      hour(new Date(start + n * 3_600_000).toISOString().slice(0, 'yyyy-mm-ddThh'.length), 1, 1),
    );
    expect(days('Europe/Berlin', hours)).toEqual([['2026-10-25', 25, 25]]);
  });

  test('so many days ago is one of the calendar, also over the end of summer and of a year', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    // Half an hour after midnight: 24 hours before, it was 23:30 two days earlier in summer time.
    const now = Date.parse('2026-10-25T23:30:00Z');
    expect([0, 1, 2].map((count) => dayBefore(now, count))).toEqual(['2026-10-26', '2026-10-25', '2026-10-24']);
    expect(dayBefore(Date.parse('2027-01-01T12:00:00Z'), 1)).toBe('2026-12-31');
    expect(localDay('2026-11-17T23:00:00Z')).toBe('2026-11-18');
  });
});

describe('what has not arrived', () => {
  const hours = [
    hour('2026-11-18T08', 2, 2),
    hour('2026-11-18T09', 2, 1),
    hour('2026-11-18T10', 5, 5),
    hour('2026-11-18T11', 2, 0),
  ];

  test('is looked for from the first hour that is open to the end of the last one', () => {
    expect(openRange(hours)).toEqual({
      since: Date.parse('2026-11-18T09:00:00Z'),
      until: Date.parse('2026-11-18T12:00:00Z'),
    });
    expect(openRange([hours[0]!, hours[2]!])).toBeUndefined();
  });

  test('counts in one of the hours, newest first; a test event counts in none', () => {
    const delivery = (id: string, feed_hour: string | null, created_at: string) => ({ id, feed_hour, created_at });
    const found = countedIn(
      [
        delivery('yesterday', '2026-11-17T09:00:00Z', '2026-11-18T09:00:00.000Z'),
        delivery('first', '2026-11-18T09:00:00Z', '2026-11-18T09:00:01.000Z'),
        delivery('test', null, '2026-11-18T09:30:00.000Z'),
        // It entered the feed in the last moment of its hour.
        delivery('last', '2026-11-18T11:00:00.000Z', '2026-11-18T12:00:00.000Z'),
      ],
      hours,
    );
    expect(found.map(({ id }) => id)).toEqual(['last', 'first']);
  });

  test('and is not in the log is never less than none', () => {
    expect([unlogged(6, 4), unlogged(6, 6), unlogged(6, 7)]).toEqual([2, 0, 0]);
  });
});

describe('the tone of a day', () => {
  const late = hour('2026-11-18T09', 2, 1);
  const now = hour('2026-11-18T10', 2, 1, false);
  test.each([
    ['nothing was sent', [], false, 'quiet'],
    ['all arrived', [hour('2026-11-18T09', 2, 2)], false, 'arrived'],
    ['some are on their way', [now], false, 'moving'],
    ['an attempt failed', [now], true, 'attention'],
    ['some are open in an hour that is counted whole', [late, now], false, 'attention'],
  ])('in which %s', (_, hours, hasFailed, tone) => {
    expect(toneOf(hours, hasFailed)).toBe(tone);
  });
});

test('the page leads to the guide that says how to compare', () => {
  const title = /^# (.+)$/m.exec(readFileSync('lib/docs/guides/reconcile.md', 'utf8'))![1]!;
  const view = readFileSync('lib/console/views/developers/ledger.tsx', 'utf8');
  expect(view).toContain(`/docs/guides#${anchorOf(title)}'`);
});
