import { createHash } from 'node:crypto';
import { cause } from '#platform/correlation.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { streamMark } from '#platform/table/stream-mark.ts';
import { setAttributes } from '#platform/table/writes.ts';
import { madeBy, messageOf, withoutAttempts } from './delivery-messages.ts';
import {
  type Delivery,
  type MailSource,
  maxAttempts,
  newestAttempts,
  runSeconds,
  type TargetKind,
  ttlSeconds,
} from './delivery-rules.ts';

/**
 * How deliveries look in the table. These functions build items, and delivery-store.ts writes them.
 */

export interface Target {
  /** uuid of a webhook endpoint, the id of an integration, or `email`. */
  id: string;
  kind: TargetKind;
}

/** The part of an event that one delivery sends. */
export interface DeliverySource {
  event_id: string;
  /** The id of the shipment or of the claim. */
  subject_id: string;
  ref: string;
  event_group: string | null;
  /** The second group of an event that fires two groups. It makes a separate delivery. */
  extra_group?: string;
  /** `logTimeOf` the event. */
  triggered_at: string;
  shop_slug: string;
  simulation_id?: string;
  feed?: NonNullable<Delivery['feed']>;
  subject_version?: number | undefined;
  /** For an e-mail. */
  mail?: MailSource;
}

/** @param payload_part which part of its event's payload item it sends; without it the delivery has an item of its own */
export function newDelivery(source: DeliverySource, target: Target, now: Date, payload_part?: number): Delivery {
  const { subject_id, triggered_at, extra_group, subject_version, ...event } = source;
  const { event_id } = event;
  const id = deliveryId({ event_id, triggered_at, target: target.id, subject_id, ...(extra_group && { extra_group }) });
  return withoutAttempts({
    id,
    ...(payload_part === undefined ? { payload_id: id } : { payload_id: event_id, payload_part }),
    target: target.id,
    kind: target.kind,
    ...event,
    ...(subject_version !== undefined && { subject_version }),
    created_at: now.toISOString(),
  });
}

export type DeliveryItem = Delivery & { pk: string; sk: string } & Partial<
    Record<'list_pk' | 'list_sk' | 'timeline_pk' | 'timeline_sk', string>
  >;

/** A parked delivery has index keys too, so it is in the list of deliveries that wait for their target. */
export function deliveryItem(delivery: Delivery): DeliveryItem {
  const { shop_slug, target, id } = delivery;
  return {
    ...keyOf.delivery(shop_slug, target, id),
    ...madeBy(delivery, id),
    ...(delivery.status === 'parked' && indexKeyOf.parkedDeliveries(shop_slug, target, id)),
    ...delivery,
  };
}

export function toDelivery(item: Record<string, unknown>): Delivery {
  const {
    pk: _pk,
    sk: _sk,
    list_pk: _listPk,
    list_sk: _listSk,
    timeline_pk: _timelinePk,
    timeline_sk: _timelineSk,
    ...delivery
  } = item as unknown as DeliveryItem;
  return delivery;
}

type Run = Required<
  Pick<Delivery, 'status' | 'attempt_count' | 'run_since' | 'attempts' | 'updated_at' | 'expires_at'>
> &
  Pick<Delivery, 'dropped_attempts'>;

/** The first state of a new run. The log keeps one earlier run, so sending again and again does not fill it. */
export function newRun(
  delivery: Pick<Delivery, 'attempts' | 'dropped_attempts' | 'created_at' | 'expires_at'>,
  now: Date,
): Run {
  const { created_at, expires_at } = delivery;
  return {
    status: 'pending',
    attempt_count: 0,
    run_since: now.toISOString(),
    ...newestAttempts(delivery, maxAttempts),
    updated_at: now.toISOString(),
    expires_at: Math.max(expires_at, expiryOfRun(created_at, now)),
  };
}

/**
 * The part of an update that sets and removes attributes of a delivery, unless it has changed since it was read. One that
 * was sent again may have the same status and count. Then only its log is longer.
 */
export function changedIf(before: Delivery, set: Record<string, unknown>, removed: readonly string[]) {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setAttributes(set);
  return {
    UpdateExpression: UpdateExpression + (removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''),
    ConditionExpression: '#status = :statusBefore AND attempt_count = :countBefore AND size(attempts) = :loggedBefore',
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#status': 'status' },
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ':statusBefore': before.status,
      ':countBefore': before.attempt_count,
      ':loggedBefore': before.attempts.length,
    },
  };
}

/** A run that begins late must not lose its delivery before it ends. */
function expiryOfRun(created_at: string, now: Date): number {
  const secondsAt = (time: number) => Math.floor(time / 1000);
  return runSeconds + Math.min(secondsAt(now.getTime()), secondsAt(Date.parse(created_at)) + ttlSeconds);
}

/**
 * Tells fan-out through the stream to queue a delivery. `probe`: its target is tried even if its circuit is open. The
 * stream keeps records for a day, so the table need not keep the item longer.
 */
export function wakeItem(delivery: Delivery, now: Date, probe: boolean) {
  return {
    ...keyOf.wake(delivery.shop_slug, delivery.target, delivery.id, now.toISOString()),
    ...streamMark('wake'),
    ...messageOf(delivery),
    // Who sends it again causes what follows.
    ...cause(),
    probe,
    expires_at: Math.floor(now.getTime() / 1000) + 24 * 3600,
  };
}

export interface DeliveryOrigin
  extends Pick<DeliverySource, 'event_id' | 'triggered_at' | 'subject_id' | 'extra_group'> {
  target: string;
}

/**
 * The id is made from what is sent and where, so a replayed stream record finds the delivery that exists. It is a UUID
 * version 8 that begins with the time of the event, as version 7 does, so ids sort by time.
 */
export function deliveryId({ event_id, triggered_at, target, subject_id, extra_group }: DeliveryOrigin): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([event_id, subject_id, target, ...(extra_group === undefined ? [] : [extra_group])]))
    .digest('hex');
  return uuid8(Date.parse(triggered_at), digest);
}

/** No delivery at this time or later has a smaller id. */
export const firstIdAt = (time: Date): string => uuid8(time.getTime(), '0'.repeat(19));

/** No delivery at this time or earlier has a greater id. */
export const lastIdAt = (time: Date): string => uuid8(time.getTime(), 'f'.repeat(19));

const maxUuidTime = 2 ** 48 - 1;

function uuid8(milliseconds: number, hex: string): string {
  const clamped = Math.min(Math.max(milliseconds, 0), maxUuidTime);
  const time = clamped.toString(16).padStart(12, '0');
  const variant = (8 | (Number.parseInt(hex.charAt(3), 16) & 3)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${hex.slice(0, 3)}`,
    `${variant}${hex.slice(4, 7)}`,
    hex.slice(7, 19),
  ].join('-');
}
