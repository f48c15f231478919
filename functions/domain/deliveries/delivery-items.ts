import { keyOf, placeIn } from '#platform/table/keys.ts';
import { deliveryId } from './delivery-id.ts';
import type { Attempt, Delivery, DeliveryMessage, TargetKind } from './model.ts';
import { keptFor, maxAttempts } from './model.ts';

/** How deliveries and their payloads look in the table. Building an item is pure; sending it is the store's. */

export interface Target {
  /** uuid of a webhook endpoint, or the id of an integration. */
  id: string;
  kind: TargetKind;
}

/** What of an event goes out. */
export interface Occasion {
  event_id: string;
  /** The id of the shipment or of the claim. */
  subject_id: string;
  ref: string;
  event_group: string | null;
  /** The group once more, where the event fires it beside its own: that is a delivery of its own. */
  beside?: string;
  triggered_at: string;
  shop_slug: string;
}

export function newDelivery(occasion: Occasion, target: Target, now: Date): Delivery {
  const { subject_id, triggered_at, beside, ...event } = occasion;
  const at = now.toISOString();
  return {
    id: deliveryId({
      event_id: event.event_id,
      triggered_at,
      target: target.id,
      subject_id,
      ...(beside && { beside }),
    }),
    target: target.id,
    kind: target.kind,
    ...event,
    status: 'pending',
    attempt_count: 0,
    attempts: [],
    created_at: at,
    updated_at: at,
    expires_at: Math.floor(now.getTime() / 1000) + keptFor,
  };
}

export type DeliveryItem = Delivery & { pk: string; sk: string; list_pk?: string; list_sk?: string };

/** A parked delivery also stands in the list of those that wait for their target. */
export function deliveryItem(delivery: Delivery): DeliveryItem {
  const { shop_slug, target, id } = delivery;
  return {
    ...keyOf.delivery(shop_slug, target, id),
    ...(delivery.status === 'parked' && placeIn.parkedDeliveries(shop_slug, target, id)),
    ...delivery,
  };
}

export function toDelivery(item: Record<string, unknown>): Delivery {
  const { pk: _pk, sk: _sk, list_pk: _listPk, list_sk: _listSk, ...delivery } = item as unknown as DeliveryItem;
  return delivery;
}

/** Where the exact text of a delivery's body lies, compressed: in its item, or in the bucket where it is too big. */
export type StoredPayload = { body: Uint8Array } | { s3_key: string };

export function payloadItem({ shop_slug, target, id, expires_at }: Delivery, payload: StoredPayload) {
  return { ...keyOf.payload(shop_slug, target, id), ...payload, expires_at };
}

export const messageOf = ({ shop_slug, target, id }: Delivery): DeliveryMessage => ({
  shop_slug,
  target,
  delivery_id: id,
});

export type Run = Required<Pick<Delivery, 'status' | 'attempt_count' | 'run_since' | 'attempts' | 'updated_at'>>;

/** What a new run begins with. One earlier run stays in the log, so that sending again and again does not fill it. */
export function newRun(attempts: readonly Attempt[], now: Date): Run {
  return {
    status: 'pending',
    attempt_count: 0,
    run_since: now.toISOString(),
    attempts: attempts.slice(-maxAttempts),
    updated_at: now.toISOString(),
  };
}

/**
 * Word to fan-out that a delivery is to be queued, and whether its target is to be tried even while it is held to be
 * down. The stream holds it for a day; the table need not.
 */
export function wakeItem(delivery: Delivery, now: Date, probe: boolean) {
  return {
    ...keyOf.wake(delivery.shop_slug, delivery.target, delivery.id, now.toISOString()),
    kind: 'wake',
    ...messageOf(delivery),
    probe,
    expires_at: Math.floor(now.getTime() / 1000) + 24 * 3600,
  };
}
