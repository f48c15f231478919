/** A list as a file for a spreadsheet. */

export type CsvValue = string | number | null | undefined;

/** A cell that begins like this is a formula to a spreadsheet, and what stands in a list was written by others. */
const formula = /^[=+\-@\t\r]/;

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** UTF-8 with a mark at the beginning, without which Excel reads another encoding; lines end as RFC 4180 says. */
export const csvOf = (titles: readonly string[], rows: readonly (readonly CsvValue[])[]): string =>
  `\ufeff${[titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;

/** The most rows of a file: more are not read. */
export const maxRows = 5000;

/** All entries of a list, page by page, up to the bound. */
export async function allPages<T>(read: (page: number, size: number) => Promise<readonly T[]>): Promise<T[]> {
  const size = 100;
  const rows: T[] = [];
  for (let page = 1; rows.length < maxRows; page++) {
    const found = await read(page, size);
    rows.push(...found);
    if (found.length < size) break;
  }
  return rows.slice(0, maxRows);
}
