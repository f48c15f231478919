import type { SQSRecord } from 'aws-lambda';
import type { DeliveryMessage } from '#domain/deliveries/delivery-rules.ts';
import { parseMessage } from '#domain/deliveries/delivery-store.ts';
import type { DestinationOf, Post } from './post.ts';

/** A message of the queue, read. */
export interface Job extends DeliveryMessage {
  messageId: string;
  receiptHandle: string;
  /** How often the queue has handed the message out, this time included. */
  receives: number;
  /** To be tried even while its target is held to be down: to see whether it is back, or because its merchant asked. */
  probe: boolean;
}

export function toJob({ messageId, receiptHandle, body, attributes }: SQSRecord): Job | undefined {
  const message = parseMessage(body);
  if (!message) return undefined;
  const { shop_slug, target, delivery_id, probe } = message;
  const receives = Number(attributes.ApproximateReceiveCount);
  return { messageId, receiptHandle, receives, shop_slug, target, delivery_id, probe: probe === true };
}

/**
 * The jobs of a batch without the repeated ones. Of those that carry the same delivery the one stays that the queue has
 * handed out least often: with another, the queue could give it up before its attempts are spent.
 */
export function distinct(jobs: readonly Job[]): Job[] {
  const byDelivery = Map.groupBy(jobs, ({ shop_slug, target, delivery_id }) => `${shop_slug}#${target}#${delivery_id}`);
  return [...byDelivery.values()].map((same) => ({
    ...same.toSorted((a, b) => a.receives - b.receives)[0]!,
    probe: same.some(({ probe }) => probe),
  }));
}

/** Each target's jobs. */
export function byTarget(jobs: readonly Job[]): Job[][] {
  return [...Map.groupBy(jobs, ({ shop_slug, target }) => `${shop_slug}#${target}`).values()];
}

/** Knows which targets are down. */
export interface Circuit {
  isOpen(slug: string, target: string): Promise<boolean>;
  recordAbandoned(slug: string, target: string, now: Date): Promise<unknown>;
  recordSuccess(slug: string, target: string, now: Date): Promise<unknown>;
  recordFailure(slug: string, target: string, deliveryId: string, now: Date): Promise<unknown>;
}

/** What delivering needs of the world. */
export interface Ports {
  post: Post;
  destinationOf: DestinationOf;
  circuit: Circuit;
  /** Hides a message that goes back to the queue for so many seconds. Never throws. */
  hide(job: Job, seconds: number): Promise<void>;
  now(): Date;
  /** From 0 to 1. */
  random(): number;
}
