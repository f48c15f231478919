import { waitingClaim } from '#domain/orders/attention.ts';
import { pack, unpack } from '#domain/orders/order-items.ts';
import { ServiceError } from '#platform/errors.ts';
import { claimPrefix, claimsOf, indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { allItemsIn, batchGet, itemsIn, queryAll, queryPages } from '#platform/table/reads.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { claimLimits, pageContentLimits, sizeText } from '#schemas/catalogues/limits.ts';
import { type Author, type Claim, type ClaimPlace, type HistoryEntry, isDeleted } from './claim-rules.ts';
import { waitingSince } from './message-rules.ts';

/** A claim with the version that was read. A write is refused if somebody else wrote after that. */
export interface LoadedClaim {
  claim: Claim;
  version: number;
}

/** The ids that locate a claim, or undefined if the shop never had it. */
export async function findClaim(slug: string, uuid: string): Promise<ClaimPlace | undefined> {
  const [reference] = await batchGet([keyOf.claimReference(slug, uuid)]);
  if (!reference) return undefined;
  const { order_id, shipment_id } = reference as unknown as ClaimPlace;
  return { uuid, order_id, shipment_id };
}

/** The same for the number that customer and shop call a claim by. */
export async function findClaimByNumber(slug: string, number: string): Promise<ClaimPlace | undefined> {
  const [reference] = await batchGet([keyOf.claimNumber(slug, number)]);
  if (!reference) return undefined;
  const { uuid, order_id, shipment_id } = reference as unknown as ClaimPlace;
  return { uuid, order_id, shipment_id };
}

/** Undefined if the claim is deleted. */
export async function loadClaim(slug: string, { order_id, uuid }: ClaimPlace): Promise<LoadedClaim | undefined> {
  const [item] = await batchGet([keyOf.claim(slug, order_id, uuid)]);
  return item && toLoadedClaim(item);
}

/** In the order of `places`. Deleted claims are left out. */
export async function loadClaims(slug: string, places: readonly ClaimKey[]): Promise<Claim[]> {
  const keys = places.map(({ order_id, uuid }) => keyOf.claim(slug, order_id, uuid));
  const items = await batchGet(keys);
  return items.flatMap((item) => (item && toLoadedClaim(item)?.claim) ?? []);
}

type ClaimKey = Pick<ClaimPlace, 'uuid' | 'order_id'>;

/** Every claim of an order with the deleted ones, oldest first. An order has at most a hundred. */
export async function claimsOfOrder(slug: string, orderId: string): Promise<Claim[]> {
  const items = await allItemsIn<StoredClaim>(claimsOf(slug, orderId), { prefix: claimPrefix });
  return items.map(toClaim);
}

/** The history entries of these versions, newest first. Versions have no gaps, so any range is one query. */
export async function readHistory(slug: string, key: ClaimKey, from: number, to: number): Promise<HistoryEntry[]> {
  const items = await queryAll<Record<string, unknown>>(historyQuery(slug, key, from, to));
  return items.map(toHistoryEntry);
}

/** The highest version that fits into the key. */
const lastVersion = 99_999_999;

/** A claim can have any number of entries, and callers rarely look far back. */
const entriesPerPage = 25;

/** The entries since that time and at least one entry before it, if there is one. Newest first. */
export async function historyBackTo(slug: string, key: ClaimKey, then: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const page of queryPages({ ...historyQuery(slug, key, 1, lastVersion), Limit: entriesPerPage })) {
    entries.push(...page.map(toHistoryEntry));
    if (entries.some(({ at }) => at <= then)) break;
  }
  return entries;
}

/** Every entry of a claim with its version, newest first. */
export async function wholeHistory(slug: string, key: ClaimKey): Promise<(HistoryEntry & { version: number })[]> {
  const entries = await readHistory(slug, key, 1, lastVersion);
  return entries.map((entry, i) => ({ ...entry, version: entries.length - i }));
}

/** The newest entries of a claim, newest first. */
export async function newestHistory(slug: string, key: ClaimKey, limit: number): Promise<HistoryEntry[]> {
  const pages = queryPages({ ...historyQuery(slug, key, 1, lastVersion), Limit: limit });
  for await (const page of pages) return page.map(toHistoryEntry);
  return [];
}

function historyQuery(slug: string, { order_id, uuid }: ClaimKey, from: number, to: number) {
  const { pk, sk: first } = keyOf.claimHistory(slug, order_id, uuid, from);
  const { sk: last } = keyOf.claimHistory(slug, order_id, uuid, to);
  return {
    ...itemsIn(pk, { from: first, to: last }),
    ScanIndexForward: false,
    ConsistentRead: true,
  };
}

function toLoadedClaim(item: Record<string, unknown>): LoadedClaim | undefined {
  const stored = item as unknown as StoredClaim;
  const claim = toClaim(stored);
  return isDeleted(claim) ? undefined : { claim, version: stored.version };
}

/** How claims and their histories look in the table. */

export interface StoredClaim {
  pk: string;
  sk: string;
  version: number;
  document: Uint8Array;
}

/** Without what no payload has. */
export const claimBytes = ({ cohort: _, ...claim }: Claim): number => Buffer.byteLength(JSON.stringify(claim));

export function checkSize(claim: Claim): void {
  if (claimBytes(claim) <= claimLimits.bytes) return;
  throw new ServiceError('payload_too_large', {
    message: `The claim is too large. It can have up to ${sizeText(claimLimits.bytes)}, including its texts and links.`,
  });
}

/** A deleted claim has no index keys, so no list contains it. */
export function claimItem(slug: string, claim: Claim, version: number) {
  checkSize(claim);
  const { uuid, order_id, created_at, updated_at, status, reason, resolution_preference, simulation_id } = claim;
  const since = simulation_id === undefined ? waitingSince(claim) : undefined;
  return {
    ...keyOf.claim(slug, order_id, uuid),
    ...(!isDeleted(claim) && indexKeyOf.claims(slug, created_at, updated_at, uuid)),
    ...(since !== undefined && indexKeyOf.attention(slug, waitingClaim, since, uuid)),
    created_at,
    updated_at,
    claim: { status, reason, resolution_preference },
    version,
    document: pack(claim),
  };
}

export const toClaim = ({ document }: StoredClaim): Claim => unpack<Claim>(document);

export const claimReferenceItem = (slug: string, { uuid, order_id, shipment_id }: Claim) => ({
  ...keyOf.claimReference(slug, uuid),
  order_id,
  shipment_id,
});

/** Two claims of a shop may have the same number, though hardly ever: the newer one is found by it. */
export const claimNumberItem = (slug: string, { uuid, order_id, shipment_id }: Claim) => ({
  ...keyOf.claimNumber(slug, claimNumber(uuid)),
  uuid,
  order_id,
  shipment_id,
});

/** @param version the version that the entry led to */
export const historyItem = (
  slug: string,
  { uuid, order_id }: ClaimPlace,
  version: number,
  entry: StoredHistoryEntry,
) => ({
  ...keyOf.claimHistory(slug, order_id, uuid, version),
  ...entry,
});

/** An entry of before API keys had names lacks the name. */
export type StoredHistoryEntry = Omit<HistoryEntry, 'by_name'> & Author;

function toHistoryEntry(item: Record<string, unknown>): HistoryEntry {
  const { at, by, by_name = null, action, changes, comment } = item as unknown as StoredHistoryEntry;
  return { at, by, by_name, action, changes, ...(comment && { comment }) };
}

/** What a customer sees of a claim. */
export type PageClaim = Pick<Claim, 'uuid' | 'reason' | 'status' | 'created_at' | 'description' | 'message_count'>;

export const pageClaimItem = (
  token: string,
  { uuid, reason, status, created_at, description, message_count = 0 }: Claim,
) => ({
  ...keyOf.pageClaim(token, uuid),
  reason,
  status,
  created_at,
  message_count,
  // Enough to know one's own words again. A write costs as much as its item is large.
  ...(description && { description: [...description].slice(0, pageContentLimits.claimCharacters).join('') }),
});
