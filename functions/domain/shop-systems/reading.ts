import type { Source } from '#domain/orders/upsert-rules.ts';
import type { UnreadableReason } from '#schemas/catalogues/shop-webhooks.ts';
import type { OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';

/** An order of a shop's own system, converted to our own fields. */
export interface ConvertedOrder {
  order: OrderInput & { order_number: string; external_id: string };
  trackings: TrackingInput[];
  cancelledAt: string | undefined;
  source: Source;
  /** Set if nobody has ordered yet: it changes an order that is known, and makes none. */
  onlyIfKnown?: true;
  /** What of it could not be read and is left out, in the words of the system. */
  unread: readonly { field: string }[];
}

/** Of shop_system_2 and shop_system_3: what a webhook says. */
export type Reading =
  | { kind: 'order'; converted: ConvertedOrder }
  /**
   * It tells that orders changed, and not how they are now. `order` is what it told of the only one, if that is enough
   * for an order.
   */
  | { kind: 'named'; orderIds: string[]; order?: ConvertedOrder | undefined }
  /** A topic of which nothing comes, or that an order is not placed yet. */
  | { kind: 'nothing' }
  | { kind: 'unknown_topic' }
  | Unreadable;

/** The same after orders that were only named have been read from the shop's API. */
export type Settled = Exclude<Reading, { kind: 'named' }>;

export interface Unreadable {
  kind: 'unreadable';
  reason: UnreadableReason;
  /** In the words of the system, such as `line_items.0.price`. */
  field?: string | undefined;
  /** The id or number of the order in the shop's system. */
  order?: string | undefined;
}

export const unreadable = (reason: UnreadableReason, rest: Omit<Unreadable, 'kind' | 'reason'> = {}): Unreadable => ({
  kind: 'unreadable',
  reason,
  ...rest,
});
