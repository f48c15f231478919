import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { OrderIdType, OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { findOrderId } from './order-lookup.ts';

export interface References {
  /** The order that the id means. */
  orderId: string | undefined;
  numberOwner: string | undefined;
  externalOwner: string | undefined;
  trackings: Set<string>;
}

/** Who has the ids of an upsert, and which of its tracking numbers the shop knows: in one read. */
export async function readReferences(
  slug: string,
  { id, id_type }: { id: string; id_type: OrderIdType },
  order: OrderInput | undefined,
  trackings: readonly TrackingInput[],
): Promise<References> {
  const number = id_type === 'order_number' ? id : order?.order_number;
  const external =
    id_type === 'external_id' ? id : order && (order.external_id ?? (number === undefined ? undefined : number));
  const keys = [
    ...(number === undefined ? [] : [keyOf.orderNumber(slug, number)]),
    ...(external === undefined ? [] : [keyOf.externalOrderId(slug, external)]),
    ...trackings.map(({ tracking_number }) => keyOf.tracking(slug, tracking_number)),
  ];
  const found = keys.length > 0 ? await batchGet(keys) : [];
  const owner = (position: number) => (found[position] as { order_id: string } | undefined)?.order_id;
  const numberOwner = number === undefined ? undefined : owner(0);
  const externalAt = number === undefined ? 0 : 1;
  const externalOwner = external === undefined ? undefined : owner(externalAt);
  const firstTracking = keys.length - trackings.length;
  const known = trackings.filter((_, i) => found[firstTracking + i] !== undefined);
  return {
    orderId: await orderIdFor(slug, { id, id_type }, number, numberOwner, externalOwner),
    numberOwner,
    externalOwner,
    trackings: new Set(known.map(({ tracking_number }) => tracking_number)),
  };
}

/** A name need not be unique and its index may lag: where the number is given, the number decides. */
function orderIdFor(
  slug: string,
  { id, id_type: type }: { id: string; id_type: OrderIdType },
  number: string | undefined,
  byNumber: string | undefined,
  byExternal: string | undefined,
) {
  if (type === 'order_number' || (type === 'order_name' && number !== undefined)) return byNumber;
  return type === 'external_id' ? byExternal : findOrderId(slug, id, type);
}
