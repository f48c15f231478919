import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { enabledAutomations } from '#domain/automations/automation-store.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { type RunMessage, messageOf as runMessageOf } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import { enqueue, NotEnqueued } from '#domain/deliveries/delivery-store.ts';
import { withoutSnapshot } from '#domain/outbox/outbox.ts';
import type { OrderContext, StoredEvent } from '#domain/payload/event-payload.ts';
import { loadOnce, mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { streamBatchResponse } from '#platform/table/stream-answer.ts';
import { makeRuns } from './automation-matching.ts';
import {
  loadAudience,
  type Made,
  makeDeliveries,
  type ReadOrderContext,
  type ShopAudience,
} from './event-deliveries.ts';
import { type OutboxItem, orderContextThen, toStreamItem, type WakeItem } from './stream-records.ts';
import { isPlannedBy, type Plan, startPlanning } from './trigger-planning.ts';

export interface FanOutResult {
  /** Records by which internal triggers were planned; the others are events. */
  planned: number;
  created: number;
  /** Made by an earlier run. */
  repeated: number;
  /** Why a record is to come again, by its sequence number. */
  failures: Map<string, string>;
}

/** Each record holds an order in memory. */
const maxConcurrentRecords = 10;

/**
 * Makes the deliveries of each event, then puts all of them on their queue, also those that an earlier run made: it may
 * have ended before it could. So a replay makes nothing twice and loses nothing. Runs of automations are recorded with
 * their event and queued when the stream shows them. Other changes only plan what is due.
 */
export async function fanOut(records: readonly DynamoDBRecord[], now: Date): Promise<FanOutResult> {
  const failures: FanOutResult['failures'] = new Map();
  const readers = {
    audienceOf: loadOnce(loadAudience),
    automationsOf: loadOnce(enabledAutomations),
    plan: startPlanning(now),
  };
  const results = await mapConcurrently(records, (record) => resultOf(record, readers, now), maxConcurrentRecords);
  for (const { place, failure } of results) if (failure) failures.set(place, failure);
  const complete = beforeFirstFailure(results);
  await enqueueAll(complete, failures, ({ made }) => made.map(({ message }) => message), enqueue);
  await enqueueAll(complete, failures, ({ runs }) => runs, enqueueRuns);
  const made = results.flatMap((result) => result.made);
  const created = made.filter(({ isNew }) => isNew).length;
  const planned = records.filter(isPlannedBy).length;
  return { planned, created, repeated: made.length - created, failures };
}

interface Result {
  /** The record's sequence number. */
  place: string;
  made: Made[];
  /** Of automations, to be queued. */
  runs: readonly RunMessage[];
  failure?: string;
}

/** What remembers, for one batch, what it read of a shop. */
interface Readers {
  audienceOf: (slug: string) => Promise<ShopAudience | undefined>;
  automationsOf: (slug: string) => Promise<AutomationRecord[]>;
  plan: Plan;
}

async function resultOf(record: DynamoDBRecord, readers: Readers, now: Date): Promise<Result> {
  const place = record.dynamodb!.SequenceNumber!;
  try {
    return { place, ...nothing, ...(await workOf(record, readers, now)) };
  } catch (error) {
    // The name, never the message: that may quote what was to be written.
    return { place, ...nothing, failure: (error as Error).name };
  }
}

const nothing = { made: [], runs: [] };

async function workOf(
  record: DynamoDBRecord,
  { audienceOf, automationsOf, plan }: Readers,
  now: Date,
): Promise<Partial<Result>> {
  if (isPlannedBy(record)) {
    await plan(record);
    return {};
  }
  const item = toStreamItem(record);
  if (item.kind === 'wake') return { made: [woken(item)] };
  if (item.kind === 'run') return { runs: [runMessageOf(item)] };
  const event = withoutSnapshot<StoredEvent>(item);
  const [audience, automations] = await Promise.all([audienceOf(event.shop_slug), automationsOf(event.shop_slug)]);
  if (!audience) return {};
  const read = readerOf(item);
  const made = await makeDeliveries(event, audience, read, now);
  await makeRuns(event, automations, audience.viewer, read);
  return { made };
}

/** Reads the order of an event when somebody asks for it, and once for all of them. */
function readerOf(item: OutboxItem): ReadOrderContext {
  let reading: Promise<OrderContext> | undefined;
  return () => {
    reading ??= orderContextThen(item).then((found) => {
      if (!found) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
      return found;
    });
    return reading;
  };
}

const woken = ({ shop_slug, target, delivery_id, probe }: WakeItem): Made => ({
  message: { shop_slug, target, delivery_id, ...(probe && { probe }) },
  isNew: false,
});

/** From the first failure on the stream hands over everything again: sent now, it would be on the queue twice. */
function beforeFirstFailure(results: readonly Result[]): readonly Result[] {
  const first = results.findIndex(({ failure }) => failure !== undefined);
  return first === -1 ? results : results.slice(0, first);
}

/** A record of which a message did not reach its queue comes again. */
async function enqueueAll<Message extends object>(
  results: readonly Result[],
  failures: FanOutResult['failures'],
  messagesOf: (result: Result) => readonly Message[],
  send: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  try {
    await send(results.flatMap(messagesOf));
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = new Set<object>(error.messages);
    for (const result of results) {
      if (messagesOf(result).some((message) => refused.has(message))) failures.set(result.place, error.name);
    }
  }
}

/**
 * Outgoing events, from the table's stream to one message for each endpoint or integration that wants them; and changes
 * of shipments, by which internal triggers are planned. No batch processor: from the first failure on nothing is queued.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { planned, created, repeated, failures } = await fanOut(Records, new Date());
  const counts = { events: Records.length - planned, planned, created, repeated, failed: failures.size };
  if (failures.size === 0) logger.info('events', counts);
  else logger.warn('events', { ...counts, failures: Object.fromEntries(failures) });
  return streamBatchResponse(Records, [...failures.keys()]);
}
