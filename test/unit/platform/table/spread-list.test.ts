import { describe, expect, test } from 'vitest';
import { readSpreadList, type SpreadList } from '#platform/table/spread-list.ts';

/** A list of two-digit numbers in these partitions, which notes what was read of each. */
function listOf(partitions: readonly (readonly string[])[], more: Partial<SpreadList<string>> = {}) {
  const reads: string[] = [];
  const list: SpreadList<string> = {
    shards: partitions.map((_, shard) => shard),
    readShard: async (shard, limit, after = '') => {
      reads.push(`${shard}: ${limit}`);
      const rest = partitions[shard]!.filter((position) => position > after);
      const entries = rest.slice(0, limit);
      return { entries, last: rest.length > limit ? entries.at(-1) : undefined };
    },
    positionOf: (entry) => entry,
    isBefore: (position, other) => position < other,
    ...more,
  };
  return { list, reads };
}

const range = (limit: number, after?: string) => ({ limit, after, maxRounds: 10 });

describe('a list in several partitions', () => {
  const even = [
    ['01', '04', '07', '10'],
    ['02', '05', '08', '11'],
    ['03', '06', '09', '12'],
  ];

  test('is read in one round if its entries are spread evenly', async () => {
    const { list, reads } = listOf(even);
    expect(await readSpreadList(list, range(4))).toEqual({ entries: ['01', '02', '03', '04'], next: '04' });
    expect(reads).toEqual(['0: 6', '1: 6', '2: 6']);
  });

  test('goes on after a position, and ends', async () => {
    const { list } = listOf(even);
    expect(await readSpreadList(list, range(5, '08'))).toEqual({ entries: ['09', '10', '11', '12'], next: undefined });
    expect(await readSpreadList(list, range(4, '08'))).toEqual({ entries: ['09', '10', '11', '12'], next: undefined });
  });

  test('is read on only where a partition ran out before the page was full', async () => {
    const partitions = [['01', '02', '03', '04', '05', '06'], ['08', '09', '10', '11', '12'], ['07']];
    const { list, reads } = listOf(partitions, { itemsToRead: () => 4 });
    expect(await readSpreadList(list, range(5))).toEqual({ entries: ['01', '02', '03', '04', '05'], next: '05' });
    expect(reads.filter((read) => !read.startsWith('0'))).toEqual(['1: 4', '2: 4']);
  });

  test('gives what is certain if a partition may not be read again, and says where to go on', async () => {
    const { list } = listOf(
      [
        ['01', '02', '03', '04', '05', '06'],
        ['08', '09'],
      ],
      { itemsToRead: () => 3 },
    );
    const once = { limit: 9, maxRounds: 1 };
    expect(await readSpreadList(list, once)).toEqual({ entries: ['01', '02', '03'], next: '03' });
    expect(await readSpreadList(list, { ...once, after: '03' })).toEqual({ entries: ['04', '05', '06', '08', '09'] });
  });
});
