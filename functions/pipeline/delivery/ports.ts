import type { DestinationOf } from './destination.ts';
import type { Job } from './job.ts';
import type { Post } from './post.ts';

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
