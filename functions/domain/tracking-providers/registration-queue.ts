import type { Caused } from '#platform/correlation.ts';
import { sendAll } from '#platform/queue.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** The queues of parcels that are to be watched: one for our own connectors, one for a connector of the operator. */

/** A parcel to register with a provider. Which one is decided when the message is handled. */
export interface ParcelMessage extends TrackingRequest, Caused {
  /** The message with which the attempts began. Absent in that message itself. */
  begun_by?: string;
  /** How often a provider was asked. */
  attempts?: number;
  /** When a provider was first asked. */
  first_at?: string;
  not_before?: string;
}

/** Parcels under way in a shop that has switched updates on, from one place of the list of its shipments on. */
export interface BacklogMessage extends Caused {
  shop_slug: string;
  backlog: Backlog;
  not_before?: string;
}

export interface Backlog {
  /** Which switch it was. A later one makes this one obsolete. */
  generation: number;
  /** Parcels that got their number earlier are left out. */
  since: string;
  /** The last entry of the page before. */
  after?: Record<string, unknown>;
}

export type RegistrationMessage = ParcelMessage | BacklogMessage;

/** The longest delay of SQS. */
const maxDelaySeconds = 900;

/** Throws NotEnqueued with the messages that the queue did not accept. */
export const enqueueRegistrations = (messages: readonly RegistrationMessage[], now: Date): Promise<void> =>
  sendAll(messages, {
    variable: 'REGISTRATION_QUEUE_URL',
    groupOf: ({ shop_slug }) => shop_slug,
    delayOf: ({ not_before }) => (not_before === undefined ? undefined : secondsUntil(not_before, now)),
  });

/** Writes parcels to the queue that a connector of the operator reads. The same parcel may come again. */
export const enqueueTrackingRequests = (requests: readonly TrackingRequest[]): Promise<void> =>
  sendAll(requests, { variable: 'TRACKING_REQUESTS_QUEUE_URL', groupOf: ({ shop_slug }) => shop_slug });

function secondsUntil(time: string, now: Date): number {
  const seconds = Math.ceil((Date.parse(time) - now.getTime()) / 1000);
  return Math.min(Math.max(seconds, 0), maxDelaySeconds);
}
