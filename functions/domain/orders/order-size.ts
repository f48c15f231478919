import { ServiceError } from '#platform/errors.ts';
import { payloadLimits, sizeText } from '#schemas/catalogues/limits.ts';
import type { Product } from '#schemas/shapes/order-shapes.ts';
import type { Order, OrderWithShipments } from './model.ts';
import { allShipments } from './order-rules.ts';

/**
 * How large an order is in the payloads of its events. Every event carries the whole order, so what one request stores
 * is sent again and again, and its size must have a limit when it is stored.
 */

/** The ids, names and texts that a payload adds to each parcel, and its newest event with texts. Both are generous. */
const parcelBytes = 1024;
const eventBytes = 1024;

/** A payload has each parcel in the order and beside it. */
const copies = 2;

/** The bytes of an order in a payload, without the older events of its parcels. `more`: parcels that will be added. */
export function payloadBytes(fullOrder: OrderWithShipments, more: readonly NewParcel[] = []): number {
  const { drafts: _drafts, shipments: _slots, ...order } = fullOrder.order;
  const ofOrder = jsonBytes(order.products);
  const ofParcel = ({ products, ...rest }: NewParcel) =>
    copies * (parcelBytes + eventBytes + jsonBytes(rest) + (products ? jsonBytes(products) : ofOrder));
  const parcels = allShipments(fullOrder).map(({ events: _events, ...shipment }) => ofParcel(shipment));
  return jsonBytes(order) + sum(parcels) + sum(more.map(ofParcel));
}

/** A parcel as far as its size matters. */
interface NewParcel {
  products?: readonly Product[] | null | undefined;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const jsonBytes = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));

/**
 * Refuses a change that makes an order too large for the payloads of its events. An order that reports of carriers made
 * too large can still become smaller.
 */
export function checkPayloadSize(
  before: OrderWithShipments | undefined,
  after: OrderWithShipments,
  more: readonly NewParcel[] = [],
): void {
  const bytes = payloadBytes(after, more);
  if (bytes <= payloadLimits.orderBytes || (before && bytes <= payloadBytes(before))) return;
  const parcels = allShipments(after).length + more.length;
  throw new ServiceError('payload_too_large', { message: tooLargeText(after.order, bytes, parcels) });
}

function tooLargeText({ products }: Order, bytes: number, parcels: number): string {
  return (
    `The order with its ${parcels} shipments would have about ${Math.ceil(bytes / 1024)} KB in the payload of each ` +
    `event, and up to ${sizeText(payloadLimits.orderBytes)} are allowed. The payload has each shipment twice, and a ` +
    `shipment without its own products has the ${products?.length ?? 0} products of the order. ` +
    'Send fewer shipments, fewer products or shorter texts.'
  );
}
