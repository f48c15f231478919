import { isDeleted } from '#domain/claims/claim-rules.ts';
import { toClaim } from '#domain/claims/claim-store.ts';
import { readSilenceRule } from '#domain/figures/silence.ts';
import {
  attentionDays,
  attentionLists,
  isSilent,
  isSilentSince,
  type SilenceRule,
  silentAfter,
} from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf, orderIdIn, timeIn } from '#platform/table/keys.ts';
import { readMerged } from '#platform/table/merged-lists.ts';
import { batchGet, type Key, keyText } from '#platform/table/reads.ts';
import { type AttentionKind, attentionKinds } from '#schemas/catalogues/enumerations.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import type { AttentionResponse, statistics } from '#schemas/families/statistics.ts';

export const getAttention: Implementation<typeof statistics.getAttention> = async ({ shop: { slug }, query, now }) => {
  const { idle_days } = query;
  const silence = idle_days === undefined ? readSilenceRule(slug, now) : silentAfter(idle_days);
  const found = await Promise.all(
    attentionKinds.map(async (kind) =>
      kind === 'no_movement' ? silentEntries(slug, await silence, now) : entriesOf(slug, kind, now),
    ),
  );
  const read = await readShown(
    slug,
    found.flatMap(({ shown }) => shown),
  );
  const of = (kind: AttentionKind) => found[attentionKinds.indexOf(kind)]!;
  return {
    no_movement: parcelsOf(of('no_movement'), read),
    failed_delivery: parcelsOf(of('failed_delivery'), read),
    lost: parcelsOf(of('lost'), read),
    damaged: parcelsOf(of('damaged'), read),
    exception: parcelsOf(of('exception'), read),
    claims: claimsOf(of('claims'), read),
  };
};

/** What needs somebody for one reason: how many, and the keys of those that are shown. */
interface Entries {
  count: number;
  has_more: boolean;
  shown: Key[];
}

/** What has waited longest is first where the wait is the trouble. */
const oldestFirst: ReadonlySet<AttentionKind> = new Set(['no_movement', 'claims']);

async function entriesOf(slug: string, kind: AttentionKind, now: Date): Promise<Entries> {
  const { entries } = await readEntries(slug, kind, attentionDays(now, attentionLimits.days));
  return counted(entries, false);
}

/**
 * An entry says when its parcel moved last, and not its lane. Where that decides, the parcel is read. Of a lane that is often
 * silent for long, many are of no silent parcel. So it reads on, with a bound, and what it has not read may have more.
 */
async function silentEntries(slug: string, rule: SilenceRule, now: Date): Promise<Entries> {
  const days = attentionDays(now, attentionLimits.days, rule);
  const silent: Listed[] = [];
  let after: string | undefined;
  for (let reads = 0; reads < attentionLimits.reads; reads++) {
    const { entries, next } = await readEntries(slug, 'no_movement', days, after);
    silent.push(...(await silentOf(entries, rule, now)));
    after = next;
    if (after === undefined || silent.length > attentionLimits.counted) break;
  }
  return counted(silent, after !== undefined);
}

async function silentOf(entries: readonly Listed[], rule: SilenceRule, now: Date): Promise<Listed[]> {
  const silence = entries.map(({ attention_sk }) => isSilentSince(timeIn(attention_sk), rule, now));
  const undecided = entries.filter((_, i) => silence[i] === undefined).map(keyIn);
  const items = await batchGet(undecided, { ConsistentRead: false });
  const silent = new Set(
    (items as unknown as (StoredItem | undefined)[])
      .filter((item) => item !== undefined && isSilent(toShipment(item), rule, now))
      .map((item) => keyText(item!)),
  );
  return entries.filter((entry, i) => silence[i] ?? silent.has(keyText(keyIn(entry))));
}

const keyIn = ({ pk, sk }: Listed): Key => ({ pk, sk });

const counted = (items: readonly Listed[], areOthersUnread: boolean): Entries => ({
  count: Math.min(items.length, attentionLimits.counted),
  has_more: areOthersUnread || items.length > attentionLimits.counted,
  shown: items.slice(0, attentionLimits.shown).map(keyIn),
});

interface Listed extends Key {
  attention_sk: string;
}

/** @param after the place of the last entry that was read */
async function readEntries(
  slug: string,
  kind: AttentionKind,
  { from, to }: { from: string; to: string },
  after?: string,
): Promise<{ entries: Listed[]; next: string | undefined }> {
  const lists = attentionLists(slug, kind).map((partitions) => ({ index: 'attention' as const, partitions }));
  const { entries, next } = await readMerged<Listed>(
    // `~` sorts after every uuid of the last day.
    { lists, from, to: `${to}~`, isForward: oldestFirst.has(kind) },
    // One more than is counted, which says that there are more.
    { limit: attentionLimits.counted + 1, after },
  );
  return { entries: entries.map(({ entry }) => entry), next };
}

interface Shown {
  items: (keys: readonly Key[]) => StoredItem[];
  customerOf: (orderId: string) => string | null;
}

/** The parcels and claims, and their orders, which know the customers. The index that found them lags behind, too. */
async function readShown(slug: string, keys: readonly Key[]): Promise<Shown> {
  const orderKeys = [...new Set(keys.map(({ pk }) => orderIdIn(pk)))].map((id) => keyOf.order(slug, id));
  const items = await batchGet([...keys, ...orderKeys], { ConsistentRead: false });
  const found = new Map(
    (items as unknown as (StoredItem | undefined)[]).flatMap((item) => (item ? [[keyText(item), item]] : [])),
  );
  return {
    items: (some) => some.flatMap((key) => found.get(keyText(key)) ?? []),
    customerOf: (orderId) => {
      const order = found.get(keyText(keyOf.order(slug, orderId)));
      return (order && toOrder(order).address?.name) ?? null;
    },
  };
}

type Parcels = AttentionResponse['lost'];

const parcelsOf = ({ shown, ...counted }: Entries, { items, customerOf }: Shown): Parcels => ({
  ...counted,
  parcels: items(shown).map((item) => {
    const shipment = toShipment(item);
    return { ...toParcel(shipment), customer_name: customerOf(shipment.order_id) };
  }),
});

function toParcel(shipment: Shipment) {
  const { order_id, order_number, uuid, tracking_number, carrier_reference } = shipment;
  const { event_name, time } = currentEvent(shipment.events);
  return {
    order_id,
    order_number,
    shipment_id: uuid,
    tracking_number,
    carrier_reference,
    phase: currentPhase(shipment),
    event_name,
    event_time: time,
  };
}

const claimsOf = ({ shown, ...counted }: Entries, { items, customerOf }: Shown): AttentionResponse['claims'] => ({
  ...counted,
  claims: items(shown)
    .map(toClaim)
    .filter((claim) => !isDeleted(claim))
    .map(({ uuid, order_id, order_number, reason, status, created_at, unanswered_since = null }) => ({
      uuid,
      order_id,
      order_number,
      customer_name: customerOf(order_id),
      reason,
      status,
      created_at,
      unanswered_since,
    })),
});
