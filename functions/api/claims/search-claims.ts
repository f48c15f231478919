import { type Claim, type ClaimPlace, isDeleted } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, loadClaims } from '#domain/claims/claim-store.ts';
import { orderIdOf } from '#domain/orders/model.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { claimPrefix, keyOf, orderIdIn } from '#platform/table/keys.ts';
import { justAfter, positionsOf } from '#platform/table/list-counters.ts';
import { type ListReader, type Positions, queryListPart, readPage } from '#platform/table/paging.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import type { ClaimFilters, claims } from '#schemas/families/claims.ts';
import {
  compareBy,
  firstTime,
  type IndexRange,
  indexFor,
  isAnsweredByIndex,
  lastTime,
  matches,
  placeOf,
  type Summary,
  sortField,
} from './claim-filters.ts';
import { showClaims } from './claims.ts';

export const searchClaims: Implementation<typeof claims.searchClaims> = async (request) => {
  const { shop, query, now } = request;
  const found =
    query.order_id !== undefined || query.shipment_id !== undefined
      ? await findInOrder(shop.slug, query)
      : await readPage(request, `claims#${shop.slug}`, claimReader(shop.slug, query), positionsFor(shop.slug, query));
  return { claims: await showClaims(found, shop, now) };
};

/** The order's id follows from a shipment's uuid, and an order has few claims, so all of them are read. */
async function findInOrder(slug: string, filters: ClaimFilters): Promise<Claim[]> {
  const { page, per_page, sort } = filters;
  const shipmentId = filters.shipment_id?.toLowerCase();
  const orderId = filters.order_id?.toLowerCase() ?? orderIdOf(shipmentId!);
  const found = (await claimsOfOrder(slug, orderId))
    .filter((claim) => !isDeleted(claim) && matches(claim, filters))
    .filter(({ shipment_id }) => shipmentId === undefined || shipment_id === shipmentId)
    .sort(compareBy(sort));
  return found.slice((page - 1) * per_page, page * per_page);
}

function positionsFor(slug: string, filters: ClaimFilters): Positions | undefined {
  if (!isAnsweredByIndex(filters)) return undefined;
  const { name, from, to, forward } = indexFor(slug, filters);
  const list = name === 'timeline' ? countedLists.claimsByCreation(slug) : countedLists.claimsByUpdate(slug);
  return positionsOf(list, {
    isForward: forward,
    from: from === firstTime ? undefined : Date.parse(from),
    to: to === lastTime ? undefined : justAfter(to),
  });
}

/** A claim's place in an index. */
interface Entry extends Pick<ClaimPlace, 'uuid' | 'order_id'> {
  /** Its sort key: a time and the uuid. */
  place: string;
}

/** The matching claims of a shop, in the order of the sort. */
function claimReader(slug: string, filters: ClaimFilters): ListReader<Claim> {
  const range = indexFor(slug, filters);
  const { partition, sort } = indexes[range.name];
  const end = `${range.to}~`; // the tilde sorts after every uuid of the last moment
  return async (limit, after, { bound, skip } = { skip: 0 }) => {
    const [from, to] = [(range.forward && bound) || range.from, (!range.forward && bound) || end];
    if (from > to) return { entries: [] }; // DynamoDB refuses a range that ends before it begins
    const { entries, next } = await queryListPart<Entry>({
      query: {
        IndexName: range.name,
        KeyConditionExpression: `${partition} = :shop AND ${sort} BETWEEN :from AND :to`,
        ExpressionAttributeValues: { ':shop': range.partition, ':from': from, ':to': to },
        ScanIndexForward: range.forward,
      },
      limit,
      start: after === undefined ? undefined : startKeyAfter(slug, range, after),
      toEntry: (item) => (matches(summaryOf(item), filters) ? toEntry(item, sort) : undefined),
      filtered: !isAnsweredByIndex(filters),
      placeOf: (item) => `${item[sort]}#${orderIdIn(String(item.pk))}`,
    });
    const skipped = Math.min(skip, entries.length);
    return { entries: await readEntries(slug, entries.slice(skipped), filters), skipped, next };
  };
}

/** @param after a time, the uuid of a claim and that of its order */
function startKeyAfter(slug: string, { name, partition: value }: IndexRange, after: string) {
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

/** The index may lag behind, so each entry is checked against the claim itself. */
async function readEntries(slug: string, entries: readonly Entry[], filters: ClaimFilters): Promise<Claim[]> {
  const places = new Map(entries.map(({ uuid, place }) => [uuid, place]));
  const field = sortField(filters.sort);
  return (await loadClaims(slug, entries)).filter(
    (claim) => placeOf(claim, field) === places.get(claim.uuid) && matches(claim, filters),
  );
}
