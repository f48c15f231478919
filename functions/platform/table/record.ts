import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import type { RecordKindName } from '#schemas/catalogues/table.ts';
import type { Action } from './writes.ts';

/** A stored entry of one of a shop's lists, for example a discount. */
export type Recorded<Fields> = Fields & {
  uuid: string;
  shop_slug: string;
  created_at: string;
  updated_at: string;
  /** Counts the changes. A writer must name the version that it read. */
  version: number;
};

/** A value that no two records of a shop may share. */
export interface UniqueValue<Fields> {
  name: string;
  /** Null if the record has no such value. */
  of: (fields: Fields) => string | null;
  /** The error for the second record. */
  taken: ErrorKey;
}

export interface RecordKind<Fields> {
  name: RecordKindName;
  notFound: ErrorKey;
  unique?: readonly UniqueValue<Fields>[];
  /** How many a shop may have, and what merchants call them. */
  limit?: { max: number; noun: string };
  /** What every change of one writes besides. */
  alsoOnChange?: (slug: string) => Action;
  /** Its index keys, besides the list of its shop. */
  place?: (record: Recorded<Fields>) => object;
}

/** Query parameters that are not filters: paging, and the uuid that is read by key. */
const notFields = new Set(['page', 'per_page', 'uuid']);

/** A test whether the fields of a record equal the filters of a query, or undefined if there are no filters. */
export function equalsOf<T extends object>(query: Record<string, unknown>): ((record: T) => boolean) | undefined {
  const filters = Object.entries(query).filter(([name, value]) => value !== undefined && !notFields.has(name));
  if (filters.length === 0) return undefined;
  return (record) => filters.every(([name, value]) => record[name as keyof T] === value);
}
