import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { loadClaims } from '#domain/claims/claim-store.ts';
import { type AttentionReason, waitingClaim } from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Implementation } from '#platform/http/request.ts';
import { table, tableName } from '#platform/table/client.ts';
import { claimPrefix, orderIdIn, partitionOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key } from '#platform/table/reads.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import type { AttentionResponse, statistics } from '#schemas/families/statistics.ts';

const dayMs = 24 * 3600 * 1000;

export const getAttention: Implementation<typeof statistics.getAttention> = async ({ shop: { slug }, query, now }) => {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
  const recent: Range = { from: daysAgo(attentionLimits.days), newestFirst: true };
  // The entry of a parcel has the day of its last event only.
  const idle: Range = { from: recent.from, to: daysAgo(query.idle_days), newestFirst: false };
  const [no_movement, failed_delivery, lost, damaged, exception, claims] = await Promise.all([
    parcels(slug, 'under_way', idle),
    parcels(slug, 'failed_delivery', recent),
    parcels(slug, 'lost', recent),
    parcels(slug, 'damaged', recent),
    parcels(slug, 'exception', recent),
    waitingClaims(slug, { ...recent, newestFirst: false }),
  ]);
  return { no_movement, failed_delivery, lost, damaged, exception, claims };
};

interface Range {
  /** The first day. */
  from: string;
  /** The day after the last one. */
  to?: string;
  newestFirst: boolean;
}

/** What needs somebody for this reason: how many, and the keys of those that are shown. */
async function entriesOf(slug: string, reason: string, { from, to = '~', newestFirst }: Range) {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      // `~` sorts after every day.
      ...itemsIn(partitionOf.attention(slug, reason), { index: 'attention', from, to }),
      ScanIndexForward: !newestFirst,
      // One more than is counted: a query that ends at its limit does not say whether there are more.
      Limit: attentionLimits.counted + 1,
    }),
  );
  const has_more = Items.length > attentionLimits.counted;
  const shown = Items.slice(0, attentionLimits.shown).map(({ pk, sk }): Key => ({ pk, sk }));
  return { count: has_more ? attentionLimits.counted : Items.length, has_more, shown };
}

type Parcels = AttentionResponse['lost'];

async function parcels(slug: string, reason: AttentionReason, range: Range): Promise<Parcels> {
  const { shown, ...counted } = await entriesOf(slug, reason, range);
  const items = (await batchGet(shown)) as unknown as (StoredItem | undefined)[];
  return { ...counted, parcels: items.flatMap((item) => (item ? [toParcel(toShipment(item))] : [])) };
}

function toParcel(shipment: Shipment): Parcels['parcels'][number] {
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

async function waitingClaims(slug: string, range: Range): Promise<AttentionResponse['claims']> {
  const { shown, ...counted } = await entriesOf(slug, waitingClaim, range);
  const places = shown.map(({ pk, sk }) => ({ order_id: orderIdIn(pk), uuid: sk.slice(claimPrefix.length) }));
  return {
    ...counted,
    claims: (await loadClaims(slug, places)).map(({ uuid, order_id, order_number, reason, status, created_at }) => ({
      uuid,
      order_id,
      order_number,
      reason,
      status,
      created_at,
    })),
  };
}
