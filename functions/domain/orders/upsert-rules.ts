import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import { detectCarriers, trackingUrl } from '#domain/carriers/detect.ts';
import { invalid, invalidValue, ServiceError, valueError } from '#platform/errors.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { orderLimits, shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { OrderUpsert } from '#schemas/families/orders.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Order } from './model.ts';

/** The order of an upsert with its id filled in: a type of id has the name of its field. Throws 422 if the two are different. */
export function identified({ id, id_type, order }: OrderUpsert): OrderInput | undefined {
  if (!order || id_type === 'uuid') return order;
  const value = order[id_type];
  if (value !== undefined && value !== id) throw disagreement(id_type);
  return { ...order, [id_type]: id };
}

/** The order number of an order never changes. */
export function checkSameNumber(stored: Order, input: OrderInput): void {
  if (input.order_number !== undefined && input.order_number !== stored.order_number)
    throw disagreement('order_number');
}

export function numbered(input: OrderInput): OrderInput & { order_number: string } {
  const { order_number } = input;
  if (order_number !== undefined) return { ...input, order_number };
  throw invalid({ loc: ['body', 'order', 'order_number'], msg: 'is required for a new order', type: 'missing' });
}

export function checkCarrierReferences(
  references: readonly (string | null | undefined)[],
  place: (i: number) => FieldError['loc'],
) {
  const errors = references.flatMap((reference, i): FieldError[] =>
    reference && !isCarrierReference(reference) ? [valueError(place(i), 'must be a known carrier reference')] : [],
  );
  if (errors.length > 0) throw new ServiceError('carrier_reference_invalid', { errors });
}

export const fullParcel = (loc: FieldError['loc']): FieldError =>
  valueError(loc, `must not be the tracking number of more than ${shipmentLimits.ordersInOneParcel} orders`);

const disagreement = (field: string) => invalidValue(['body', 'order', field], 'must be the same as the id');

/** Describes a message from the shop's own system. The same message may arrive twice, or late. */
export interface Source {
  /** Identifies this state of the order. Later states compare greater. */
  asOf: string;
  /** How many parcels the system knows, and whether these are all. */
  parcels?: { count: number; areAll: boolean } | undefined;
}

export const isOutdated = ({ told_at }: Order, { asOf }: Source): boolean => told_at !== undefined && asOf < told_at;

/**
 * The fields of an order with what the shop's system knows of its parcels. A partially fulfilled order expects at least one
 * more. @param expected so many parcels are expected by now
 */
export function fromSource<T extends OrderInput>(input: T, { parcels }: Source, expected = 0): T {
  if (!parcels) return input;
  const count = parcels.areAll ? parcels.count : Math.max(expected, parcels.count + 1);
  return { ...input, expected_number_of_shipments: Math.min(orderLimits.expectedShipments, count) };
}

/** Whether only `updated_at` differs. */
export function isSameOrder(before: Order, after: Order): boolean {
  return JSON.stringify({ ...after, updated_at: before.updated_at }) === JSON.stringify(before);
}

/** The caller's carrier, otherwise the detected one, with the URL of its tracking page. */
export function carrierOf(
  trackingNumber: string,
  chosen: string | null | undefined,
  company?: string | null,
  countryCode?: string,
) {
  const carrier_reference =
    chosen ??
    detectCarriers({ trackingNumber, trackingCompany: company ?? null, countryCode: countryCode ?? null })
      .carrier_reference;
  return { carrier_reference, tracking_url: trackingUrl(carrier_reference, trackingNumber) };
}
