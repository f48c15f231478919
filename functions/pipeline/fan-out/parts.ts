import type { SQSRecord } from 'aws-lambda';
import { enabledAutomations } from '#domain/automations/automation-store.ts';
import { enqueue } from '#domain/deliveries/delivery-store.ts';
import { readEventPayloads } from '#domain/deliveries/payload-store.ts';
import { withoutSnapshot } from '#domain/outbox/outbox.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { sendAll } from '#platform/queue.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import { loadAudience } from './audience.ts';
import { payloadsOf, perform, type SubjectWork, storePayloads, unitsOf, workOf } from './event-work.ts';
import { type OutboxItem, requireOrderContext } from './stream-records.ts';
import { type DraftsPart, planDrafts } from './trigger-planning.ts';

/**
 * Work that would hold up the stream, which all shops share: an event with many parcels and receivers, or an order with
 * many drafts to plan triggers for. It is queued in parts, each of which makes a limited number of things. The queue is
 * fair between shops.
 */
export type PartMessage = EventPart | DraftsPart;

/** An event is queued as one message, which is then split. */
export interface EventPart extends Caused {
  shop_slug: string;
  order_id: string;
  event_id: string;
  /** The subjects of the part. Absent in the message that is yet to be split. */
  from?: number;
  to?: number;
  /** The second after the split in which the part is done. */
  second?: number;
}

export const partOf = (event: StoredEvent): EventPart => {
  const { shop_slug, order_id, id: event_id } = event;
  return { shop_slug, order_id, event_id, ...causeOf(event) };
};

/** Throws NotEnqueued with the messages that the queue did not accept. */
export const enqueueParts = (messages: readonly PartMessage[]): Promise<void> =>
  sendAll(messages, {
    variable: 'PARTS_QUEUE_URL',
    groupOf: ({ shop_slug }) => shop_slug,
    delayOf: (message) => ('second' in message ? message.second : undefined),
  });

/** All ids are derived, so a message that comes again does nothing twice. */
export function handlePart(record: SQSRecord, now: Date): Promise<void> {
  const message = JSON.parse(record.body) as PartMessage;
  return 'drafts' in message ? planDrafts(message, now) : handleEventPart(message, now);
}

/** Splits an event, or does a part of its work. */
async function handleEventPart(message: EventPart, now: Date): Promise<void> {
  const { shop_slug, order_id, event_id } = message;
  const [[item], audience, automations] = await Promise.all([
    batchGet([keyOf.outbox(shop_slug, order_id, event_id)]),
    loadAudience(shop_slug),
    enabledAutomations(shop_slug),
  ]);
  if (!audience) return; // the shop is deleted
  if (!item) throw Object.assign(new Error('The event of a part is gone.'), { name: 'EventGone' });
  const event = withoutSnapshot<StoredEvent>(item as unknown as OutboxItem);
  const work = workOf(event, audience, automations);
  const { from, to } = message;
  if (from !== undefined) {
    const part = work.slice(from, to);
    return enqueue(await perform(event, part, () => storedPayloads(event), now));
  }
  const context = await requireOrderContext(item as unknown as OutboxItem);
  await storePayloads(event, payloadsOf(event, context, audience.viewer), now);
  await enqueueParts(rangesOf(work).map((range) => ({ ...partOf(event), ...range })));
}

async function storedPayloads({ shop_slug, id }: StoredEvent) {
  const found = await readEventPayloads(shop_slug, id);
  if (!found) throw Object.assign(new Error('The payloads of an event are gone.'), { name: 'PayloadsGone' });
  return found;
}

type Range = Required<Pick<EventPart, 'from' | 'to' | 'second'>>;

/**
 * Neighbouring subjects that together cause no more than a part may, and when. A subject is never split.
 */
export function rangesOf(work: readonly SubjectWork[]): Range[] {
  const ranges: Range[] = [];
  let units = Number.POSITIVE_INFINITY;
  let unitsBefore = 0;
  for (const [position, subject] of work.entries()) {
    const more = unitsOf([subject]);
    if (units + more <= fanOutLimits.unitsOfPart) {
      ranges.at(-1)!.to = position + 1;
      units += more;
    } else {
      const second = Math.floor(unitsBefore / fanOutLimits.unitsPerSecond);
      ranges.push({ from: position, to: position + 1, second });
      units = more;
    }
    unitsBefore += more;
  }
  return ranges;
}
