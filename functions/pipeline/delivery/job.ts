import type { SQSRecord } from 'aws-lambda';
import { type DeliveryMessage, parseMessage, type QueuedDelivery } from '#domain/deliveries/delivery-messages.ts';
import type { EndedAttempt, NewDelivery, Retry, Wait } from '#domain/deliveries/delivery-rules.ts';
import type { Pace, Turn } from '#domain/deliveries/pace-store.ts';
import { causeOf } from '#platform/correlation.ts';
import type { MailResult, OutgoingMail } from '#platform/lazy/ses.ts';
import type { DestinationOf, Post, SendToVendor } from './post.ts';
import type { CircuitPort } from './target-circuit.ts';

/** A parsed message of the queue. */
export interface Job extends DeliveryMessage {
  messageId: string;
  receiptHandle: string;
  /** How often the queue has handed the message out, this time included. */
  receives: number;
  /** The delivery, if it was not written when the message was sent. */
  first?: NewDelivery | undefined;
  /**
   * Whether to try the delivery although its target is down: to see whether the target is back, or because the merchant
   * asked for it. If the attempt has ended, whether it was a probe.
   */
  probe: boolean;
  /** The attempt, if it has ended and is only to be recorded. */
  ended?: EndedAttempt | undefined;
  /** Whether the delivery has waited for its turn at its target. */
  hasTurn: boolean;
  /** The wait for a turn that a message before this one began. */
  wait?: Wait | undefined;
  /** The retry that the message was sent for. */
  retry?: Retry | undefined;
  /** How many messages before this one ended in a fault of ours. */
  faults: number;
}

export function toJob({ messageId, receiptHandle, body, attributes }: SQSRecord): Job | undefined {
  const message = parseMessage(body);
  if (!message) return undefined;
  const { first, probe, ended, hasTurn, wait, retry, faults = 0 } = message;
  const receives = Number(attributes.ApproximateReceiveCount);
  const flags = { probe: probe === true, hasTurn: hasTurn === true };
  return { messageId, receiptHandle, receives, ...referenceOf(message), ...flags, first, ended, wait, retry, faults };
}

export const referenceOf = (message: DeliveryMessage): DeliveryMessage => {
  const { shop_slug, target, delivery_id, payload_id } = message;
  return { shop_slug, target, delivery_id, payload_id, ...causeOf(message) };
};

/** A message that takes the place of the job's, for the same attempt. */
export const sameAgain = (job: Job, more: Partial<QueuedDelivery>): QueuedDelivery => ({
  ...referenceOf(job),
  ...(job.first && { first: job.first }),
  ...(job.probe && { probe: true }),
  ...(job.retry && { retry: job.retry }),
  ...more,
});

/**
 * Removes repeated jobs of the same attempt. It keeps the job that the queue has handed out least often: the queue
 * could give up another one first. An attempt that has ended is like no other, and may be one of an earlier run.
 */
export function distinct(jobs: readonly Job[]): Job[] {
  const byAttempt = Map.groupBy(jobs, ({ shop_slug, target, delivery_id, retry, ended, messageId }) =>
    [shop_slug, target, delivery_id, ended ? messageId : retry?.id].join('#'),
  );
  return [...byAttempt.values()].map((same) => ({
    ...same.toSorted((a, b) => a.receives - b.receives)[0]!,
    probe: same.some(({ probe }) => probe),
  }));
}

export function byTarget(jobs: readonly Job[]): Job[][] {
  return [...Map.groupBy(jobs, ({ shop_slug, target }) => `${shop_slug}#${target}`).values()];
}

/** A turn to wait for. */
export interface LaterTurn extends Turn {
  wait: Wait;
}

/** Knows when the next request to a target may be sent. Never throws. */
interface PacePort {
  takeTurns(slug: string, target: string, count: number, pace: Pace, now: Date): Promise<Turn>;
  postpone(slug: string, target: string, seconds: number, pace: Pace, now: Date): Promise<void>;
}

/** The outside world of a delivery, which tests replace. */
export interface Ports {
  post: Post;
  sendToVendor: SendToVendor;
  /** Never throws. */
  sendMail(mail: OutgoingMail, options: { deadlineMs: number }): Promise<MailResult>;
  pace: PacePort;
  destinationOf: DestinationOf;
  circuit: CircuitPort;
  /** Hides a message for that many seconds before the queue hands it out again. Never throws. */
  hide(job: Job, seconds: number): Promise<void>;
  /** Sends a new message for a delivery, which is handed out after that many seconds. */
  sendLater(message: QueuedDelivery, seconds: number): Promise<void>;
  now(): Date;
  /** From 0 to 1. */
  random(): number;
}
