import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import type { RecordKindName } from '#schemas/catalogues/table.ts';

/** One of the things that a shop has a list of, such as a discount, as it is stored. */
export type Recorded<Fields> = Fields & {
  uuid: string;
  shop_slug: string;
  created_at: string;
  updated_at: string;
  /** Counts its changes: who changes it says which one was read. */
  version: number;
};

/** A value that no two records of a shop may share. */
export interface UniqueValue<Fields> {
  name: string;
  /** Null where the record lays claim to none. */
  of: (fields: Fields) => string | null;
  /** The answer to the second one. */
  taken: ErrorKey;
}

/** What tells one kind of record from another. */
export interface RecordKind<Fields> {
  name: RecordKindName;
  notFound: ErrorKey;
  unique?: readonly UniqueValue<Fields>[];
  /** Where it stands in the indexes, beside the list of its shop. */
  place?: (record: Recorded<Fields>) => object;
}

/** What every list takes, and what is looked up by key. */
const notFields = new Set(['page', 'per_page', 'uuid']);

/** Whether each filter of a query equals the field of its name; undefined where there is nothing to filter by. */
export function equalsOf<T extends object>(query: Record<string, unknown>): ((record: T) => boolean) | undefined {
  const wanted = Object.entries(query).filter(([name, value]) => value !== undefined && !notFields.has(name));
  if (wanted.length === 0) return undefined;
  return (record) => wanted.every(([name, value]) => record[name as keyof T] === value);
}
