import { enqueueRuns } from '#domain/automations/run-store.ts';
import { enqueue } from '#domain/deliveries/delivery-store.ts';
import { enqueueSegmentRequests } from '#domain/segments/segment-request.ts';
import {
  enqueueRegistrations,
  enqueueTrackingRequests,
  type RegistrationMessage,
} from '#domain/tracking-providers/registration-queue.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { enqueueParts } from './parts.ts';

/** Where the messages of fan-out go, in the order in which they are sent: events first. */
const senders = {
  deliveries: enqueue,
  runs: enqueueRuns,
  event_parts: enqueueParts,
  registrations: (messages: readonly RegistrationMessage[]) => enqueueRegistrations(messages, new Date()),
  tracking_requests: enqueueTrackingRequests,
  planning_parts: enqueueParts,
  segment_requests: enqueueSegmentRequests,
};

/** What must not hold events back: if its queue refuses it, its record is put aside, and the stream goes on. */
const canBePutAside: ReadonlySet<Destination> = new Set(['planning_parts', 'segment_requests']);

type Destination = keyof typeof senders;
type MessageTo<D extends Destination> = Parameters<(typeof senders)[D]>[0][number];

/** A message, and where it goes. */
export type Outgoing = { [D in Destination]: { to: D; message: MessageTo<D> } }[Destination];

export const outgoing = <D extends Destination>(to: D, messages: readonly MessageTo<D>[]): Outgoing[] =>
  messages.map((message) => ({ to, message }) as Outgoing);

/** What a record leads to. */
export interface Sending {
  outgoing: readonly Outgoing[];
  error?: unknown;
}

/** A record of which a message does not reach its queue has failed. */
export async function send(records: readonly Sending[]): Promise<void> {
  for (const [to, sender] of Object.entries(senders) as [Destination, (messages: object[]) => Promise<void>][]) {
    const messages = records.flatMap((record) => record.outgoing.filter((one) => one.to === to));
    try {
      await sender(messages.map(({ message }) => message));
    } catch (error) {
      if (!(error instanceof NotEnqueued)) throw error;
      const refused = new Set<object>(error.messages);
      for (const record of records) {
        if (!record.outgoing.some(({ message }) => refused.has(message))) continue;
        record.error ??= canBePutAside.has(to) ? new RecordFault(error.name) : error;
      }
    }
  }
}
