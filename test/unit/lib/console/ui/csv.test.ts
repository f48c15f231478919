import { describe, expect, test } from 'vitest';
import { allPages, csvOf, maxRows } from '#lib/console/ui/csv.ts';

describe('a list as CSV', () => {
  test('begins with a mark of its encoding, and has lines as RFC 4180 says', () => {
    expect(csvOf(['Name', 'Start'], [['Größe', '2026-11-20T00:00:00.000Z']])).toBe(
      '\ufeffName,Start\r\nGröße,2026-11-20T00:00:00.000Z\r\n',
    );
  });

  test('puts in quotes what would end a cell', () => {
    expect(csvOf(['a', 'b', 'c'], [['x,y', 'say "hi"', 'two\nlines']])).toBe(
      '\ufeffa,b,c\r\n"x,y","say ""hi""","two\nlines"\r\n',
    );
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('takes no text for a formula: %j', (text) => {
    const [, line] = csvOf(['a'], [[text]]).split('\r\n');
    expect(line).toMatch(/^"?'/);
  });

  test('leaves numbers numbers, also negative ones, and what is missing empty', () => {
    expect(csvOf(['a', 'b', 'c'], [[-1.5, null, undefined]])).toContain('\r\n-1.5,,\r\n');
  });
});

describe('all pages of a list', () => {
  test('are read until one is not full', async () => {
    const sizes: number[] = [];
    const rows = await allPages(async (page, size) => {
      sizes.push(page);
      return Array.from({ length: page < 3 ? size : 5 }, (_, i) => `${page}.${i}`);
    });
    expect(rows).toHaveLength(205);
    expect(sizes).toEqual([1, 2, 3]);
  });

  test('are read up to a bound', async () => {
    expect(await allPages(async (_, size) => Array.from({ length: size }, () => 1))).toHaveLength(maxRows);
  });
});
