import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countedLists } from '#platform/table/counted-lists.ts';
import { type CountedList, type CountedRange, positionsOf, totalAbove } from '#platform/table/list-counters.ts';
import { countersOf } from '#test/kit/long-lists.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:10:00.000Z');
const minuteMs = 60_000;
/** One entry in each minute, newest first. */
const times = Array.from({ length: 900 }, (_, n) => now.getTime() - (n + 1) * minuteMs);
const list: CountedList = {
  ...countedLists.orders('blue'),
  count: async (from, to) => times.filter((time) => time >= from && time < to).length,
};

/** The stream stopped within a half-hour that lies some hours back. */
const uncounted = 145;
beforeEach(() => {
  tableWith();
  memoryTable.put(...countersOf([[list, times.slice(uncounted)]]));
});

test.each([300, 500, 899])(
  'an entry at position %i is found although the newest counters lack some',
  async (position) => {
    const { bound, skip } = (await positionsOf(list).find(position, now))!;
    const fromBound = times.filter((time) => new Date(time).toISOString() <= bound!);
    expect(fromBound[skip]).toBe(times[position]);
  },
);

test('a total has what the newest counters lack', async () => {
  expect(await totalAbove(100, list, {}, now)).toEqual({ entries: times.length });
});

describe('a list with more new entries than should be counted in it', () => {
  const second = 1000;
  const cellMs = 30 * minuteMs;
  /** Two in each second of four hours, newest first. The counters lack those of the last half minute. */
  const many = Array.from({ length: 8 * 3600 }, (_, n) => now.getTime() - (n + 1) * 500);
  const late = 60;
  const timesIn = (from: number, to: number) => many.filter((time) => time >= from && time < to).length;
  const count = vi.fn(async (from: number, to: number): Promise<number | undefined> => timesIn(from, to));
  const busy: CountedList = { ...countedLists.orders('busy'), count };
  /** The beginning of a cell. */
  const edge = Date.parse('2026-11-14T10:00:00.000Z');

  beforeEach(() => {
    count.mockClear();
    memoryTable.put(...countersOf([[busy, many.slice(late)]]));
  });

  test('has its total from the counters alone', async () => {
    expect(await totalAbove(100, busy, {}, now)).toEqual({ entries: many.length - late });
    expect(await totalAbove(100, busy, { from: edge }, now)).toEqual({ entries: timesIn(edge, Infinity) - late });
    expect(await totalAbove(100, busy, { from: edge, to: edge + 2 * cellMs }, now)).toEqual({
      entries: timesIn(edge, edge + 2 * cellMs),
    });
    expect(count).not.toHaveBeenCalled();
  });

  test.each<[string, string, CountedRange, number[], number]>([
    ['begins', 'early', { from: edge + 5 * minuteMs }, [edge, edge + 5 * minuteMs], late],
    ['begins', 'late', { from: edge + 20 * minuteMs }, [edge + 20 * minuteMs, edge + cellMs], late],
    ['ends', 'early', { to: edge + 5 * minuteMs }, [edge, edge + 5 * minuteMs], 0],
    ['ends', 'late', { to: edge + 20 * minuteMs }, [edge + 20 * minuteMs, edge + cellMs], 0],
  ])(
    'is counted for the shorter part of the cell in which a range %s, if it is %s',
    async (_, _when, range, [from, to], lacking) => {
      const entries = timesIn(range.from ?? 0, range.to ?? Infinity) - lacking;
      expect(await totalAbove(100, busy, range, now)).toEqual({ entries });
      expect(count.mock.calls).toEqual([[from, to]]);
    },
  );

  test('is counted only after the end of a range that ends a moment ago', async () => {
    const to = now.getTime() - 30 * second;
    expect(await totalAbove(100, busy, { to }, now)).toEqual({ entries: many.length - 2 * late });
    expect(count.mock.calls).toEqual([[to, Math.ceil(to / cellMs) * cellMs]]);
  });

  test('says in which cell a range begins or ends, if that has too many to count', async () => {
    count.mockResolvedValue(undefined);
    const cell = { start: edge, end: edge + cellMs };
    expect(await totalAbove(100, busy, { from: edge + minuteMs }, now)).toEqual({ tooManyIn: cell });
    expect(await totalAbove(100, busy, { to: edge + minuteMs }, now)).toEqual({ tooManyIn: cell });
    count.mockImplementation(async (from, to) => timesIn(from, to));
  });

  test.each([2000, 10_000, 28_000])('has the entry at position %i where the counters say', async (position) => {
    const back = (await positionsOf(busy).find(position, now))!;
    const fromBound = many.filter((time) => new Date(time).toISOString() <= (back.bound ?? '9'));
    // So many have come since.
    expect(fromBound[back.skip]).toBe(many[position + (back.bound === undefined ? 0 : late)]);
    const ahead = (await positionsOf(busy, { isForward: true, from: edge }).find(position / 4, now))!;
    const oldestFirst = many.toReversed().filter((time) => time >= Date.parse(ahead.bound!));
    expect(oldestFirst[ahead.skip]).toBe(edge + (position / 4) * 500);
    expect(count).not.toHaveBeenCalled();
  });

  test('is counted from where its counters end, if they have nothing new', async () => {
    for (const item of memoryTable.all('POSITIONS#busy')) memoryTable.remove(item);
    memoryTable.put(...countersOf([[busy, many.slice(1.5 * 3600)]]));
    expect(await totalAbove(100, busy, {}, now)).toEqual({ entries: many.length });
  });

  test('is not believed after a cell that the list contradicts', async () => {
    // The stream stopped a while ago, before the list had many.
    const few = many.filter((time, n) => n % 2 === 0 || time < edge);
    const listed: CountedList = {
      ...countedLists.orders('slow'),
      count: async (from, to) => few.filter((time) => time >= from && time < to).length,
    };
    memoryTable.put(...countersOf([[listed, few.filter((time) => time < now.getTime() - 15 * minuteMs)]]));
    expect(await totalAbove(100, listed, {}, now)).toEqual({ entries: few.length });
  });
});
