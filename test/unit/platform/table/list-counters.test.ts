import { beforeEach, expect, test } from 'vitest';
import { countedLists } from '#platform/table/counted-lists.ts';
import { type CountedList, positionsOf, totalAbove } from '#platform/table/list-counters.ts';
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
