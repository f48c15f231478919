import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { enabledAutomations } from '#domain/automations/automation-store.ts';
import { enqueue, payloadsIn } from '#domain/deliveries/delivery-messages.ts';
import { isErasedPayload, withPayload } from '#domain/deliveries/erased-payload.ts';
import { markIn } from '#domain/feed/mark.ts';
import { type StoredEvent, withoutSnapshot } from '#domain/orders/outbox.ts';
import { loadTriggers } from '#domain/triggers/plan-store.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { type Handled, parsed, requireTexts } from '#platform/message-batch.ts';
import type { RecordMessage } from '#platform/put-aside.ts';
import { sendAll } from '#platform/queue.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, getItem } from '#platform/table/reads.ts';
import type { StoredBody } from '#platform/table/stored-body.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import {
  loadAudience,
  type OutboxItem,
  payloadsOf,
  perform,
  requireOrderContext,
  type SubjectWork,
  storePayloads,
  unitsOf,
  workOf,
} from './event-work.ts';
import { isChange, readRecord } from './stream-records.ts';
import { type DraftsPart, planDrafts, startPlanning } from './trigger-planning.ts';

/**
 * Work that would hold up the stream, which all shops share: an event with many parcels and receivers, an order with many
 * drafts to plan triggers for, or planning that failed. It is queued in parts, each of which makes a limited number of
 * things. The queue is fair between shops.
 */
export type PartMessage = EventPart | DraftsPart | PlanningPart;

/** The record of a change after which planning failed. Only its planning is done again. */
export interface PlanningPart extends RecordMessage {
  shop_slug: string;
  plans: true;
}

/** An event is queued as one message, which is then split. */
export interface EventPart extends Caused {
  shop_slug: string;
  order_id: string;
  event_id: string;
  /** Set if the event has no item of its own. Its payloads are stored. */
  event?: StoredEvent;
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
export async function handlePart({ body }: SQSRecord, now: Date): Promise<Handled> {
  const message = parsed<EventPart | DraftsPart>(body);
  if (!('drafts' in message)) return handleEventPart(requireTexts(message, 'shop_slug', 'order_id', 'event_id'), now);
  await planDrafts(message, now);
  return undefined;
}

export const isPlanningPart = ({ body }: SQSRecord): boolean => 'plans' in parsed<PartMessage>(body);

export async function planRecord(record: DynamoDBRecord, now: Date): Promise<undefined> {
  const read = readRecord(record);
  if (isChange(read)) await enqueueParts(await startPlanning(now, loadTriggers)(read));
}

/** Splits an event, or does a part of its work. */
async function handleEventPart(message: EventPart, now: Date): Promise<Handled> {
  const { shop_slug, from, to } = message;
  const [item, audience, automations] = await Promise.all([
    message.event ? undefined : outboxItemOf(message),
    loadAudience(shop_slug, now),
    enabledAutomations(shop_slug),
  ]);
  if (!audience) return 'nothing_to_do'; // the shop is deleted
  const event = message.event ?? withoutSnapshot<StoredEvent>(required(item));
  const work = workOf(event, audience, automations);
  if (from !== undefined) {
    const item = await storedPayloadItem(event);
    if (isErasedPayload(item)) return 'nothing_to_do';
    const payloads = () => payloadsIn(item as unknown as StoredBody);
    await enqueue(await perform(event, work.slice(from, to), payloads, markIn(item), now));
    return undefined;
  }
  if (item) {
    const payloads = payloadsOf(event, await requireOrderContext(item), audience.viewer);
    const mark = await storePayloads(event, payloads, work, audience.takePlace, now);
    if (mark === 'erased') return 'nothing_to_do';
  }
  await enqueueParts(rangesOf(work).map((range) => ({ ...message, ...range })));
  return undefined;
}

async function outboxItemOf({ shop_slug, order_id, event_id }: EventPart): Promise<OutboxItem | undefined> {
  const [item] = await batchGet([keyOf.outbox(shop_slug, order_id, event_id)]);
  return item as OutboxItem | undefined;
}

function required(item: OutboxItem | undefined): OutboxItem {
  if (!item) throw new RecordFault('EventGone', 'The event of a part is gone.');
  return item;
}

async function storedPayloadItem({ shop_slug, id }: StoredEvent) {
  const found = withPayload(await getItem(keyOf.payload(shop_slug, id)));
  if (!found) throw new RecordFault('PayloadsGone', 'The payloads of an event are gone.');
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
