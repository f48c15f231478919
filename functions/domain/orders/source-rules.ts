import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Order } from './model.ts';

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

/** The contract's bound. */
const mostExpected = 100;

/** Of an order that is fulfilled in part at least one more parcel is to come. */
function expectedParcels({ count, areAll }: NonNullable<Source['parcels']>, known: number): number {
  return Math.min(mostExpected, areAll ? count : Math.max(known, count + 1));
}

/** Nothing but the time of the change would change. */
export function isSameOrder(before: Order, after: Order): boolean {
  return JSON.stringify({ ...after, updated_at: before.updated_at }) === JSON.stringify(before);
}
