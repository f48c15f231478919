import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { isDeleted } from '#domain/claims/claim-rules.ts';
import { toClaim } from '#domain/claims/claim-store.ts';
import { readSilenceRule } from '#domain/figures/silence.ts';
import {
  attentionDays,
  attentionReasons,
  isSilent,
  isSilentSince,
  type SilenceRule,
  silentAfter,
} from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Implementation } from '#platform/http/request.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf, timeIn } from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, keyText } from '#platform/table/reads.ts';
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
  const days = attentionDays(now, attentionLimits.days);
  // One more than is counted: a query that ends at its limit does not say whether there are more.
  const { Items = [] } = await readEntries(slug, kind, days, { Limit: attentionLimits.counted + 1 });
  return counted(Items, false);
}

/**
 * An entry says when its parcel moved last, and not its lane. Where that decides, the parcel is read. Of a lane that is often
 * silent for long, many are of no silent parcel. So it reads on, with a bound, and what it has not read may have more.
 */
async function silentEntries(slug: string, rule: SilenceRule, now: Date): Promise<Entries> {
  const days = attentionDays(now, attentionLimits.days, rule);
  const silent: Item[] = [];
  let start: Item | undefined;
  for (let reads = 0; reads < attentionLimits.reads; reads++) {
    const page = { Limit: attentionLimits.counted + 1, ExclusiveStartKey: start };
    const read = await readEntries(slug, 'no_movement', days, page);
    silent.push(...(await silentOf(read.Items ?? [], rule, now)));
    start = read.LastEvaluatedKey;
    if (!start || silent.length > attentionLimits.counted) break;
  }
  return counted(silent, start !== undefined);
}

type Item = Record<string, unknown>;

async function silentOf(entries: readonly Item[], rule: SilenceRule, now: Date): Promise<Item[]> {
  const silence = entries.map(({ attention_sk }) => isSilentSince(timeIn(String(attention_sk)), rule, now));
  const undecided = entries.filter((_, i) => silence[i] === undefined).map(keyIn);
  const items = await batchGet(undecided, { ConsistentRead: false });
  const silent = new Set(
    (items as unknown as (StoredItem | undefined)[])
      .filter((item) => item !== undefined && isSilent(toShipment(item), rule, now))
      .map((item) => keyText(item!)),
  );
  return entries.filter((entry, i) => silence[i] ?? silent.has(keyText(keyIn(entry))));
}

const keyIn = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

const counted = (items: readonly Item[], areOthersUnread: boolean): Entries => ({
  count: Math.min(items.length, attentionLimits.counted),
  has_more: areOthersUnread || items.length > attentionLimits.counted,
  shown: items.slice(0, attentionLimits.shown).map(keyIn),
});

function readEntries(
  slug: string,
  kind: AttentionKind,
  { from, to }: { from: string; to: string },
  page: { Limit: number; ExclusiveStartKey?: Item | undefined },
): Promise<QueryCommandOutput> {
  return table.send(
    new QueryCommand({
      TableName: tableName(),
      // `~` sorts after every uuid of the last day.
      ...itemsIn(partitionOf.attention(slug, attentionReasons[kind]), { index: 'attention', from, to: `${to}~` }),
      ScanIndexForward: oldestFirst.has(kind),
      ...page,
    }),
  );
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
