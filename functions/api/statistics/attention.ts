import { loadClaims } from '#domain/claims/claim-store.ts';
import { type AttentionReason, waitingClaim } from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Implementation } from '#platform/http/request.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import type { AttentionResponse, statistics } from '#schemas/families/statistics.ts';
import { attentionEntries, claimPlaceIn, type Entries, type Range } from './attention-index.ts';

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

type Parcels = AttentionResponse['lost'];

async function parcels(slug: string, reason: AttentionReason, range: Range): Promise<Parcels> {
  const entries = await attentionEntries(slug, reason, range);
  const shown = await read(entries.keys.slice(0, attentionLimits.shown));
  return { ...countOf(entries), parcels: shown.map(toParcel) };
}

const countOf = ({ keys, hasMore }: Entries) => ({ count: keys.length, has_more: hasMore });

async function read(keys: readonly Key[]): Promise<Shipment[]> {
  const items = (await batchGet(keys)) as unknown as (StoredItem | undefined)[];
  return items.flatMap((item) => (item ? [toShipment(item)] : []));
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
  const entries = await attentionEntries(slug, waitingClaim, range);
  const shown = await loadClaims(slug, entries.keys.slice(0, attentionLimits.shown).map(claimPlaceIn));
  return {
    ...countOf(entries),
    claims: shown.map(({ uuid, order_id, order_number, reason, status, created_at }) => ({
      uuid,
      order_id,
      order_number,
      reason,
      status,
      created_at,
    })),
  };
}
