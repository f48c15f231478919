import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import { detectCarriers, trackingUrl } from '#domain/carriers/detect.ts';
import { cut } from '#platform/cut.ts';
import { invalid, invalidValue, ServiceError, valueError } from '#platform/errors.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { orderLimits, shipmentLimits, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import type { OrderUpsert } from '#schemas/families/orders.ts';
import type { OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
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

/** What else the shop's own system says, beside the fields of the order. */
export interface Told {
  source: Source;
  /** When it cancelled the order. Undefined if the order is not cancelled. */
  cancelledAt?: string | undefined;
  /** What could not be read of what it sent. */
  unread?: readonly { field: string }[];
  /** Set if an order never gets another id in the system. */
  hasLastingIds?: boolean;
}

/** Whether the parcel was deleted after this state of the order. Later ones may bring it back. */
export const isRemoved = ({ removed }: Order, { source }: Told, { tracking_number }: TrackingInput): boolean => {
  const at = removed?.[comparableTrackingNumber(tracking_number)];
  return at !== undefined && source.asOf < at;
};

const unreadCharacters = 100;

/** Each field is noted once, when it first came. */
export function unreadFields(
  { unread: known = [] }: Partial<Order>,
  { unread = [] }: Told,
  at: string,
): Pick<Order, 'unread'> {
  const names = new Set(unread.map(({ field }) => cut(field, unreadCharacters)));
  for (const { field } of known) names.delete(field);
  const notes = [...known, ...[...names].map((field) => ({ at, field }))].slice(0, shopWebhookLimits.unreadFields);
  return notes.length === 0 ? {} : { unread: notes };
}

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
