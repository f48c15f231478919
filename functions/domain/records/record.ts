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
