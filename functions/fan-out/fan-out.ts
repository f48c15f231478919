import type { DynamoDBRecord } from 'aws-lambda';
import { chunks } from '#shared/chunks.ts';
import { enqueue, NotEnqueued } from '#shared/deliveries/delivery-queue.ts';
import { remembered } from '#shared/remembered.ts';
import { loadAudience, type ShopAudience } from './audience-store.ts';
import { type Made, makeDeliveries } from './event-deliveries.ts';
import { isWake, toOutboxItem, type WakeItem } from './outbox-record.ts';
import { isPlannedBy, type Plan, startPlanning } from './trigger-planning.ts';

export interface Outcome {
  /** Records by which internal triggers were planned; the others are events. */
  planned: number;
  created: number;
  /** Made by an earlier run. */
  repeated: number;
  /** Why a record is to come again, by its sequence number. */
  failures: Map<string, string>;
}

/** Each record holds an order in memory. */
const recordsAtOnce = 10;

/**
 * Makes the deliveries of each event, then puts all of them on the queue, also those that an earlier run made: it may
 * have ended before it could. So a replay makes nothing twice and loses nothing. Other changes only plan what is due.
 */
export async function fanOut(records: readonly DynamoDBRecord[], now: Date): Promise<Outcome> {
  const failures: Outcome['failures'] = new Map();
  const readers = { audienceOf: remembered(loadAudience), plan: startPlanning(now) };
  const results: Result[] = [];
  for (const part of chunks(records, recordsAtOnce)) {
    results.push(...(await Promise.all(part.map((record) => resultOf(record, readers, now)))));
  }
  for (const { place, failure } of results) if (failure) failures.set(place, failure);
  await enqueueAll(beforeFirstFailure(results), failures);
  const made = results.flatMap((result) => result.made);
  const created = made.filter(({ isNew }) => isNew).length;
  const planned = records.filter(isPlannedBy).length;
  return { planned, created, repeated: made.length - created, failures };
}

interface Result {
  /** The record's sequence number. */
  place: string;
  made: Made[];
  failure?: string;
}

/** What remembers, for one batch, what it read of a shop. */
interface Readers {
  audienceOf: (slug: string) => Promise<ShopAudience | undefined>;
  plan: Plan;
}

async function resultOf(record: DynamoDBRecord, { audienceOf, plan }: Readers, now: Date): Promise<Result> {
  const place = record.dynamodb!.SequenceNumber!;
  try {
    if (isPlannedBy(record)) {
      await plan(record);
      return { place, made: [] };
    }
    const event = toOutboxItem(record);
    if (isWake(event)) return { place, made: [woken(event)] };
    const audience = await audienceOf(event.shop_slug);
    return { place, made: audience ? await makeDeliveries(event, audience, now) : [] };
  } catch (error) {
    // The name, never the message: that may quote what was to be written.
    return { place, made: [], failure: (error as Error).name };
  }
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

/** A record of which a message did not reach the queue comes again. */
async function enqueueAll(results: readonly Result[], failures: Outcome['failures']): Promise<void> {
  try {
    await enqueue(results.flatMap(({ made }) => made.map(({ message }) => message)));
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = new Set<object>(error.messages);
    for (const { place, made } of results) {
      if (made.some(({ message }) => refused.has(message))) failures.set(place, error.name);
    }
  }
}
