import { changedIf, toDelivery } from '#domain/deliveries/delivery-items.ts';
import { type DeliveryMessage, deliveryIn } from '#domain/deliveries/delivery-messages.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  maxAttempts,
  newestAttempts,
} from '#domain/deliveries/delivery-rules.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { isErasedPayload, withPayload } from '#domain/deliveries/erased-payload.ts';
import { withNewestRequests } from '#domain/deliveries/sent-request.ts';
import { causeOf } from '#platform/correlation.ts';
import { tableName } from '#platform/table/client.ts';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import type { StoredBody } from '#platform/table/stored-body.ts';
import { commit } from '#platform/table/writes.ts';
import type { SkipReason } from '#schemas/catalogues/emails.ts';
import type { Job } from './job.ts';

/** A delivery as a worker knows it. One that is not stored is known from its first message only. */
export interface KnownDelivery extends Delivery {
  isStored: boolean;
}

/** A part is undefined if it has expired or was deleted with its shop. */
export interface LoadedDelivery {
  delivery: KnownDelivery | undefined;
  payload: StoredBody | undefined;
  /** Whether the order that it tells of was erased. */
  isErased: boolean;
}

type Message = DeliveryMessage & Pick<Job, 'first'>;

/** Loads the deliveries of a batch with their payloads. */
export async function loadAll(messages: readonly Message[]): Promise<LoadedDelivery[]> {
  if (messages.length === 0) return [];
  const items = await gatheredGet(
    messages.flatMap(({ shop_slug, target, delivery_id, payload_id }) => [
      keyOf.delivery(shop_slug, target, delivery_id),
      keyOf.payload(shop_slug, payload_id),
    ]),
  );
  return messages.map((message, i) => {
    const [delivery, payload] = items.slice(2 * i);
    const isErased = isErasedPayload(payload);
    return { delivery: known(delivery, message), payload: withPayload(payload) as StoredBody | undefined, isErased };
  });
}

function known(item: Record<string, unknown> | undefined, message: Message): KnownDelivery | undefined {
  if (item) return { ...toDelivery(item), ...causeOf(message), isStored: true };
  return message.first && { ...deliveryIn(message, message.first), ...causeOf(message), isStored: false };
}

export interface Change {
  status: DeliveryStatus;
  /** Is added to the attempts that the delivery lists. */
  attempt?: Attempt;
  /** Whether the attempt counts towards the `maxAttempts` of the run. */
  counts?: boolean;
  /** The retry whose message makes the next attempt. */
  retryId?: string | undefined;
  /** When the next attempt is due. */
  nextAttemptAt?: string | undefined;
  /** Why an e-mail is skipped. */
  reason?: SkipReason;
}

/**
 * The list also holds the attempts of the previous run. If a target is down for weeks, there are even more probes than
 * this.
 */
const maxLoggedAttempts = 2 * maxAttempts;

/**
 * Throws WriteConflict if the delivery has changed since it was read, so that two workers do not count one attempt
 * twice. What the first message of a delivery leads to is the first that is written of it.
 */
export async function change(
  known: KnownDelivery,
  { status, attempt, counts = false, retryId, nextAttemptAt, reason }: Change,
  now: Date,
): Promise<void> {
  const { isStored, ...delivery } = known;
  const { retry_id: _, next_attempt_at: _due, cause: _cause, ...before } = delivery;
  const { attempts } = delivery;
  const logged = attempt
    ? newestAttempts({ ...delivery, attempts: [...attempts, attempt] }, maxLoggedAttempts)
    : { attempts };
  const next: Delivery = {
    ...before,
    status,
    attempt_count: delivery.attempt_count + (counts ? 1 : 0),
    ...logged,
    ...(attempt && { attempts: withNewestRequests(logged.attempts) }),
    updated_at: now.toISOString(),
    ...(retryId !== undefined && { retry_id: retryId }),
    ...(nextAttemptAt !== undefined && { next_attempt_at: nextAttemptAt }),
    ...(reason !== undefined && { reason }),
    ...(status === 'parked' && causeOf(delivery)),
  };
  if (isStored) await update(delivery, next);
  else await createDelivery(next);
}

function update(before: Delivery, after: Delivery): Promise<void> {
  const Key = keyOf.delivery(before.shop_slug, before.target, before.id);
  return commit([{ Update: { TableName: tableName(), Key, ...changeOf(before, after) } }]);
}

function changeOf(before: Delivery, after: Delivery) {
  const { status, attempt_count, attempts, dropped_attempts, updated_at, retry_id, next_attempt_at, reason, cause } =
    after;
  const isParked = status === 'parked';
  const parked = indexKeyOf.parkedDeliveries(after.shop_slug, after.target, after.id);
  const set = {
    ...{ status, attempt_count, attempts, dropped_attempts, updated_at, retry_id, next_attempt_at, reason },
    ...(isParked && { ...parked, cause }),
  };
  return changedIf(before, set, [
    ...(isParked ? [] : Object.keys(parked)),
    ...(retry_id ? [] : ['retry_id']),
    ...(next_attempt_at ? [] : ['next_attempt_at']),
  ]);
}
