import { packText, unpackText } from '#domain/documents/packed-text.ts';
import { ApiError } from '#platform/http/errors.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { orderLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { attentionKeys } from './attention.ts';
import type { Order, Shipment } from './model.ts';
import type { ReadBudget } from './read-budget.ts';

/** How orders and shipments look in the table. These functions build items, and order-store.ts writes them. */

export interface StoredItem {
  pk: string;
  sk: string;
  version: number;
  document: Uint8Array;
}

export function orderItem(slug: string, order: Order, version: number) {
  const { uuid, order_placed_at: placedAt, email_id, order_name, address } = order;
  return {
    ...keyOf.order(slug, uuid),
    ...indexKeyOf.orders(slug, placedAt, uuid),
    ...(email_id && indexKeyOf.ordersByEmail(slug, email_id, placedAt, uuid)),
    ...(address?.zip_code && indexKeyOf.ordersByZipCode(slug, address.zip_code, placedAt, uuid)),
    ...(order_name && indexKeyOf.ordersByName(slug, order_name, placedAt, uuid)),
    version,
    document: pack(order),
  };
}

/** The item that puts the drafts of an order into the lists of shipments, or undefined if it has none. */
export function draftsItem(slug: string, { uuid, drafts, simulation_id }: Order) {
  const newest = drafts.at(-1)?.created_at;
  if (newest === undefined) return undefined;
  return {
    ...keyOf.drafts(slug, uuid),
    ...indexKeyOf.shipments(slug, newest, newest, uuid),
    drafts,
    ...(simulation_id !== undefined && { simulation_id }),
  };
}

export function shipmentItem(slug: string, shipment: Shipment, version: number) {
  const { uuid, order_id, tracking_number, external_shipment_id, created_at, updated_at } = shipment;
  return {
    ...keyOf.shipment(slug, order_id, uuid),
    ...indexKeyOf.shipments(slug, created_at, updated_at, uuid),
    ...(external_shipment_id && indexKeyOf.shipmentsByExternalId(slug, external_shipment_id, uuid)),
    ...attentionKeys(slug, shipment),
    ...(tracking_number !== null && { tracking_number }),
    created_at,
    updated_at,
    version,
    document: pack(shipment),
  };
}

/** @param place of the order in the parcel */
export function trackingItem(slug: string, number: string, { order_id, uuid }: Shipment, place = 0) {
  return {
    ...keyOf.tracking(slug, number, place),
    ...indexKeyOf.trackingNumbers(number, slug),
    slug,
    order_id,
    shipment_id: uuid,
  };
}

/** Carriers go on to report a parcel for a while after it was deleted. */
const goneTtlSeconds = secondsOfDays(90);

export function goneTrackingItem(slug: string, number: string, now: string) {
  return {
    ...keyOf.goneTracking(slug, number),
    ...indexKeyOf.goneTrackingNumbers(number, slug),
    expires_at: Math.floor(Date.parse(now) / 1000) + goneTtlSeconds,
  };
}

export const toOrder = (item: StoredItem, budget?: ReadBudget) => unpack<Order>(item.document, budget);
export const toShipment = (item: StoredItem, budget?: ReadBudget) => unpack<Shipment>(item.document, budget);

/**
 * A document is stored compressed. So it can contain any JSON, costs less capacity, and has one limit that is checked
 * here, so an item never exceeds DynamoDB's 400 KB.
 */
export function pack(document: unknown): Buffer {
  const text = JSON.stringify(document);
  const packed = text.length > orderLimits.textBytes ? undefined : packText(text);
  if (!packed || packed.length > orderLimits.storedBytes) {
    throw new ApiError('payload_too_large', {
      message: 'The order or one of its shipments is too large to store. Send less data.',
    });
  }
  return packed;
}

export function unpack<T>(packed: Uint8Array, budget?: ReadBudget): T {
  const text = unpackText(packed);
  budget?.addText(text.length);
  return JSON.parse(text.toString('utf8'));
}
