import { describe, expect, test, vi } from 'vitest';
import type { ServiceError } from '#platform/errors.ts';
import { type ListReader, readFullPage } from '#platform/table/paging.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';

const errorsOf = (error: unknown) => (error as ServiceError).details.errors;

/** A list without an end, of which each read finds these entries. */
const endless = (...found: number[]) => vi.fn<ListReader<number>>(async () => ({ entries: found, next: 'more' }));

describe('a page of a list in which little matches', () => {
  test('is refused after a bounded number of reads, because an empty page would look like the end', async () => {
    const read = endless();
    const error = await readFullPage(read, { size: 30 }).catch(errorsOf);
    expect(error).toMatchObject([{ loc: ['query'], type: 'value_error' }]);
    expect(read).toHaveBeenCalledTimes(searchLimits.reads);
  });

  test('is refused with the number of entries that a page can have', async () => {
    const error = await readFullPage(endless(1), { size: 30 }).catch(errorsOf);
    expect(error).toMatchObject([
      { loc: ['query', 'per_page'], msg: expect.stringContaining(`${searchLimits.reads} `) },
    ]);
    const { entries } = await readFullPage(endless(1), { size: searchLimits.reads });
    expect(entries).toHaveLength(searchLimits.reads);
  });

  test('is refused as too far back if not even its start is found', async () => {
    const error = await readFullPage(endless(1), { skip: 100, size: 30 }).catch(errorsOf);
    expect(error).toMatchObject([{ loc: ['query', 'page'] }]);
  });

  test('is short at the end of the list', async () => {
    const read: ListReader<number> = async (_limit, after) =>
      after === undefined ? { entries: [1], next: 'more' } : { entries: [2] };
    expect(await readFullPage(read, { size: 30 })).toEqual({ entries: [1, 2], next: undefined });
  });
});
