/**
 * A list as CSV by RFC 4180, for operations that are declared `csv`. A column is the path of a field in an entry of the
 * list: `promised.n` is the column `promised_n`.
 */
export type CsvColumn = readonly string[];

interface Schema {
  type?: unknown;
  items?: object;
  properties?: Record<string, object>;
}

/** In the order of the declaration, so that an empty list has the same header line. */
export function csvColumns(response: object): CsvColumn[] {
  const { items } = response as Schema;
  if (!items) throw new Error('Only a list can be CSV.');
  return columnsIn(items);
}

function columnsIn({ type, properties }: Schema, path: CsvColumn = []): CsvColumn[] {
  if (properties) return Object.entries(properties).flatMap(([name, field]) => columnsIn(field, [...path, name]));
  if ([type].flat().some((one) => one === 'array' || one === 'object')) {
    throw new Error(`${path.join('.')} has no place in a line of CSV.`);
  }
  return [path];
}

/** With a header line, also if the list is empty. Every line ends with CR and LF. */
export const csvText = (columns: readonly CsvColumn[], entries: readonly unknown[]): string =>
  [columns.map((path) => path.join('_')), ...entries.map((entry) => columns.map((path) => cellAt(entry, path)))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

function cellAt(entry: unknown, path: CsvColumn): string {
  let value = entry;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? textCell(value) : String(value);
}

/**
 * A spreadsheet takes a text that begins like this for a formula, and runs it. What others wrote may stand in a list, so an
 * apostrophe in front makes a text of it (OWASP, CSV injection). A number stays one, also below zero.
 */
const formula = /^[=+\-@\t\r]/;

function textCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
