import { loadClaims } from '#domain/claims/claim-store.ts';
import type { Claim, ClaimPlace } from '#domain/claims/model.ts';
import { claimPrefix, keyOf, orderIdIn } from '#platform/table/keys.ts';
import type { ReadPart } from '#platform/table/list-walk.ts';
import { queryPart } from '#platform/table/query-part.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import type { ClaimFilters } from '#schemas/families/claims.ts';
import {
  type IndexRange,
  indexFor,
  isAnsweredByIndex,
  matches,
  placeOf,
  type Summary,
  sortField,
} from './claim-filters.ts';

/** A claim's place in an index. */
interface Entry extends Pick<ClaimPlace, 'uuid' | 'order_id'> {
  /** Its sort key: a time and the uuid. */
  place: string;
}

/** The claims of a shop in the order of their sort, those that match. */
export function claimReader(slug: string, filters: ClaimFilters): ReadPart<Claim> {
  const range = indexFor(slug, filters);
  const { partition, sort } = indexes[range.name];
  const end = `${range.to}~`; // the tilde stands behind every uuid of the last moment
  return async (limit, after) => {
    if (range.from > end) return { entries: [] }; // DynamoDB refuses a range that ends before it begins
    const { entries, next } = await queryPart<Entry>({
      query: {
        IndexName: range.name,
        KeyConditionExpression: `${partition} = :shop AND ${sort} BETWEEN :from AND :to`,
        ExpressionAttributeValues: { ':shop': range.partition, ':from': range.from, ':to': end },
        ScanIndexForward: range.forward,
      },
      limit,
      start: after === undefined ? undefined : keyBehind(slug, range, after),
      toEntry: (item) => (matches(summaryOf(item), filters) ? toEntry(item, sort) : undefined),
      filtered: !isAnsweredByIndex(filters),
      placeOf: (item) => `${item[sort]}#${orderIdIn(String(item.pk))}`,
    });
    return { entries: await readEntries(slug, entries, filters), next };
  };
}

/** @param after a time, the uuid of a claim and that of its order */
function keyBehind(slug: string, { name, partition: value }: IndexRange, after: string) {
  const { partition, sort } = indexes[name];
  const [time, uuid, orderId] = after.split('#') as [string, string, string];
  return { ...keyOf.claim(slug, orderId, uuid), [partition]: value, [sort]: `${time}#${uuid}` };
}

function summaryOf(item: Record<string, unknown>): Summary {
  const { created_at, updated_at, claim } = item as unknown as Summary & { claim: Summary };
  return { ...claim, created_at, updated_at };
}

const toEntry = (item: Record<string, unknown>, sort: string): Entry => ({
  order_id: orderIdIn(String(item.pk)),
  uuid: String(item.sk).slice(claimPrefix.length),
  place: String(item[sort]),
});

/** The index may lag behind: what it says is held against the claim itself. */
async function readEntries(slug: string, entries: readonly Entry[], filters: ClaimFilters): Promise<Claim[]> {
  const places = new Map(entries.map(({ uuid, place }) => [uuid, place]));
  const field = sortField(filters.sort);
  return (await loadClaims(slug, entries)).filter(
    (claim) => placeOf(claim, field) === places.get(claim.uuid) && matches(claim, filters),
  );
}
