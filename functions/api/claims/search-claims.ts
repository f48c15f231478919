import { type Claim, type ClaimPlace, isDeleted } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, loadClaims } from '#domain/claims/claim-store.ts';
import { orderIdOf } from '#domain/orders/model.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { claimPrefix, keyOf, orderIdIn, partitionOf } from '#platform/table/keys.ts';
import { justAfter, positionsOf } from '#platform/table/list-counters.ts';
import { type ListReader, type Positions, pageOf, queryListPart, readPage } from '#platform/table/paging.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { utc } from '#platform/time.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import type { ClaimFilters, claims } from '#schemas/families/claims.ts';
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
  const shipmentId = filters.shipment_id?.toLowerCase();
  const orderId = filters.order_id?.toLowerCase() ?? orderIdOf(shipmentId!);
  const found = (await claimsOfOrder(slug, orderId))
    .filter((claim) => !isDeleted(claim) && matches(claim, filters))
    .filter(({ shipment_id }) => shipmentId === undefined || shipment_id === shipmentId)
    .sort(compareBy(filters.sort));
  return pageOf(found, filters);
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
  const { sort } = indexes[range.name];
  const end = `${range.to}~`; // the tilde sorts after every uuid of the last moment
  return async (limit, after, { bound, skip } = { skip: 0 }) => {
    const [from, to] = [(range.forward && bound) || range.from, (!range.forward && bound) || end];
    if (from > to) return { entries: [] }; // DynamoDB refuses a range that ends before it begins
    const { entries, next } = await queryListPart<Entry>({
      query: { ...itemsIn(range.partition, { index: range.name, from, to }), ScanIndexForward: range.forward },
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

/** The fields of a claim that the index holds. */
type Summary = Pick<Claim, 'status' | 'reason' | 'resolution_preference' | 'created_at' | 'updated_at'>;

/** Checks every filter, because the range of an index answers only some of them. */
function matches(claim: Summary, filters: ClaimFilters): boolean {
  const { status, reason, resolution_preference } = filters;
  return (
    (status === undefined || claim.status === status) &&
    (reason === undefined || claim.reason === reason) &&
    (resolution_preference === undefined || claim.resolution_preference === resolution_preference) &&
    isWithin(claim.created_at, filters.created_from, filters.created_to) &&
    isWithin(claim.updated_at, filters.updated_from, filters.updated_to)
  );
}

const isWithin = (time: string, from: string | undefined, to: string | undefined) =>
  (from === undefined || time >= utc(from)) && (to === undefined || time <= utc(to));

/** A part of an index, from one time to another, both included. */
interface IndexRange {
  name: 'timeline' | 'activity';
  partition: string;
  from: string;
  to: string;
  /** True for oldest first, false for newest first. */
  forward: boolean;
}

/**
 * The index in the order of the sort, and the part of it that can match. A claim never changes before it is created, so
 * the range of either time also bounds the other on one side.
 */
function indexFor(slug: string, filters: ClaimFilters): IndexRange {
  const { sort, created_from, created_to, updated_from, updated_to } = filters;
  const forward = !sort.startsWith('-');
  if (sortField(sort) === 'created_at') {
    const range = { from: latest(created_from), to: earliest(created_to, updated_to) };
    return { name: 'timeline', partition: partitionOf.claimsByCreation(slug), ...range, forward };
  }
  const range = { from: latest(created_from, updated_from), to: earliest(updated_to) };
  return { name: 'activity', partition: partitionOf.claimsByUpdate(slug), ...range, forward };
}

type Time = string | undefined;

/** Every time begins with a year of four digits. */
const firstTime = '0';
const lastTime = '9';
const latest = (...times: Time[]) => sorted(times).at(-1) ?? firstTime;
const earliest = (...times: Time[]) => sorted(times).at(0) ?? lastTime;
const sorted = (times: Time[]) => times.flatMap((time) => (time === undefined ? [] : utc(time))).sort();

const sortField = (sort: ClaimFilters['sort']) => sort.replace('-', '') as 'created_at' | 'updated_at';

/** Compares claims in the order of the index. */
function compareBy(sort: ClaimFilters['sort']) {
  const field = sortField(sort);
  const direction = sort.startsWith('-') ? -1 : 1;
  return (a: Claim, b: Claim) => (placeOf(a, field) < placeOf(b, field) ? -direction : direction);
}

/** The sort key of a claim in the index of the field. */
const placeOf = (claim: Claim, field: 'created_at' | 'updated_at') => `${claim[field]}#${claim.uuid}`;

/** Whether every claim in the range of the index matches. Then a page needs no more entries than it has claims. */
function isAnsweredByIndex(filters: ClaimFilters): boolean {
  const { status, reason, resolution_preference, created_from, created_to, updated_from, updated_to } = filters;
  const byCreation = sortField(filters.sort) === 'created_at';
  const others = byCreation ? [updated_from, updated_to] : [created_from, created_to];
  return [status, reason, resolution_preference, ...others].every((filter) => filter === undefined);
}
