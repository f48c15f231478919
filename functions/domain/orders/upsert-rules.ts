import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import { detectCarriers, trackingUrl } from '#domain/carriers/detect.ts';
import { ApiError, invalid } from '#platform/http/errors.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import type { OrderUpsert } from '#schemas/families/orders.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Order } from './model.ts';

/** Which field of an order an id stands for. */
const fieldOf = { order_number: 'order_number', external_id: 'external_id', order_name: 'order_name' } as const;

/** The order of an upsert with the id filled in; 422 where the two disagree. */
export function identified({ id, id_type, order }: OrderUpsert): OrderInput | undefined {
  if (!order || id_type === 'uuid') return order;
  const field = fieldOf[id_type];
  const given = order[field];
  if (given !== undefined && given !== id) throw disagreement(field);
  return { ...order, [field]: id };
}

/** An order number names the order for good. */
export function checkSameNumber(stored: Order, input: OrderInput): void {
  if (input.order_number !== undefined && input.order_number !== stored.order_number)
    throw disagreement('order_number');
}

/** A new order needs a number. */
export function numbered(input: OrderInput): OrderInput & { order_number: string } {
  const { order_number } = input;
  if (order_number === undefined) throw invalid(at('order_number', 'is required for a new order', 'missing'));
  return { ...input, order_number };
}

export function checkCarrierReferences(
  references: readonly (string | null | undefined)[],
  place: (i: number) => FieldError['loc'],
) {
  const errors = references.flatMap((reference, i): FieldError[] =>
    reference && !isCarrierReference(reference)
      ? [{ loc: place(i), msg: 'must be a known carrier reference', type: 'value_error' }]
      : [],
  );
  if (errors.length > 0) throw new ApiError('carrier_reference_invalid', { errors });
}

const disagreement = (field: string) => invalid(at(field, 'must be the same as the id', 'value_error'));

const at = (field: string, msg: string, type: FieldError['type']): FieldError => ({
  loc: ['body', 'order', field],
  msg,
  type,
});

/** The shop's own system as the one who says how an order is: it may say it twice, or late. */
export interface Source {
  /** Which of its states of the order this is: later ones compare greater. */
  asOf: string;
  /** How many parcels it knows of, and whether those are all. */
  parcels?: { count: number; areAll: boolean } | undefined;
}

/** An older state than the one that is known. */
export const isOutdated = ({ told_at }: Order, { asOf }: Source): boolean => told_at !== undefined && asOf < told_at;

/** What the shop's system tells of an order that is known: the attribution is not its to take away. */
export function toldOf(order: Order, input: OrderInput, { parcels }: Source): OrderInput {
  return {
    ...input,
    ...(input.order_analytics && { order_analytics: { ...order.order_analytics, ...input.order_analytics } }),
    ...(parcels && { expected_number_of_shipments: expectedParcels(parcels, order.expected_number_of_shipments) }),
  };
}

/** What it tells of a new one. */
export const toldOfNew = <T extends OrderInput>(input: T, { parcels }: Source): T =>
  parcels ? { ...input, expected_number_of_shipments: expectedParcels(parcels, 0) } : input;

/** Of an order that is fulfilled in part at least one more parcel is to come. */
function expectedParcels({ count, areAll }: NonNullable<Source['parcels']>, known: number): number {
  return Math.min(orderLimits.expectedShipments, areAll ? count : Math.max(known, count + 1));
}

/** Nothing but the time of the change would change. */
export function isSameOrder(before: Order, after: Order): boolean {
  return JSON.stringify({ ...after, updated_at: before.updated_at }) === JSON.stringify(before);
}

/** The caller's carrier, else the one that the number speaks for, with the address of its tracking page. */
export function carrierOf(
  trackingNumber: string,
  given: string | null | undefined,
  company?: string | null,
  countryCode?: string,
) {
  const carrier_reference =
    given ??
    detectCarriers({ trackingNumber, trackingCompany: company ?? null, countryCode: countryCode ?? null })
      .carrier_reference;
  return { carrier_reference, tracking_url: trackingUrl(carrier_reference, trackingNumber) };
}
