import { beforeEach, describe, expect, test } from 'vitest';
import { countIn, queryCounters, sortKeyOf } from '#platform/table/counters.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';

beforeEach(() => tableWith());

const read = async (partition: string) => Array.fromAsync(queryCounters(itemsIn(partition)));

describe('counters', () => {
  test('are read with their keys, and never below zero', async () => {
    memoryTable.put({ pk: 'P', sk: 'a"b', n: 12, less: -3, text: 'x' }, { pk: 'P', sk: 'c' }, { pk: 'Q', sk: 'd' });
    const [items] = await read('P');
    expect(items!.map(sortKeyOf)).toEqual(['a"b', 'c']);
    expect(['n', 'less', 'none', 'text'].map((name) => countIn(items![0]!, name))).toEqual([12, 0, 0, 0]);
  });

  test('of nothing are one empty page', async () => {
    expect(await read('P')).toEqual([[]]);
  });

  test('of more than a megabyte come in pages, each item once', async () => {
    const text = 'x'.repeat(300_000);
    memoryTable.put(...Array.from({ length: 9 }, (_, i) => ({ pk: 'P', sk: `${i}`, text })));
    const pages = await read('P');
    expect(pages.length).toBe(3);
    expect(pages.flat().map(sortKeyOf)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
  });

  test('are an error of the table, if that refuses', async () => {
    process.env.TABLE_NAME = 'gone';
    await expect(read('P')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
