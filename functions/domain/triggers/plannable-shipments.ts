import type { Draft } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { orderIdIn } from '#platform/table/keys.ts';
import type { PlannableShipment } from './plan.ts';

/** An item of a shipment, or the one that stands for the drafts of an order. */
export type PlannableItem = StoredItem & { drafts?: Draft[] };

export function plannableShipments(item: PlannableItem): PlannableShipment[] {
  if (!item.drafts) return [toShipment(item)];
  // The number plays no part in a plan.
  const order = { uuid: orderIdIn(item.pk), order_number: '' };
  return item.drafts.map((draft) => draftShipment(order, draft));
}

/** Draft lines have no version of their own: nothing of them changes until they become shipments. */
export const versionOf = ({ drafts, version }: PlannableItem) => (drafts ? 0 : version);
