import { keyOf, recordPrefix, recordsIn } from '#platform/table/keys.ts';
import type { ReadPart } from '#platform/table/list-walk.ts';
import { queryAll } from '#platform/table/query.ts';
import { queryPart } from '#platform/table/query-part.ts';
import type { Recorded, RecordKind } from './record.ts';

type Matches<F> = (record: Recorded<F>) => boolean;

/** The records of a shop, newest first: their ids begin with their time. */
export function recordReader<F>(kind: RecordKind<F>, slug: string, matches?: Matches<F>): ReadPart<Recorded<F>> {
  return async (limit, after) => {
    const { entries, next } = await queryPart({
      query: { ...recordQuery(kind, slug), ScanIndexForward: false },
      limit,
      start: after === undefined ? undefined : keyOf.record(kind.name, slug, after),
      toEntry: (item) => {
        const record = toRecord<F>(item);
        return !matches || matches(record) ? record : undefined;
      },
      filtered: matches !== undefined,
    });
    return { entries, next: next?.slice(recordPrefix.length) };
  };
}

/** Every record of the shop, oldest first: for kinds of which a shop has few. */
export async function allRecords<F>(kind: RecordKind<F>, slug: string): Promise<Recorded<F>[]> {
  const items = await queryAll<Record<string, unknown>>({ ...recordQuery(kind, slug), ConsistentRead: true });
  return items.map(toRecord<F>);
}

const recordQuery = (kind: RecordKind<never>, slug: string) => ({
  KeyConditionExpression: 'pk = :records AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':records': recordsIn(kind.name, slug), ':prefix': recordPrefix },
});

/** Without what only the table needs. */
export function toRecord<F>(item: Record<string, unknown>): Recorded<F> {
  const { pk: _pk, sk: _sk, list_pk: _listPk, list_sk: _listSk, ...record } = item;
  return record as Recorded<F>;
}
