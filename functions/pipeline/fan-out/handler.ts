import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import { enabledAutomations } from '#domain/automations/automation-store.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { type RunMessage, messageOf as runMessageOf } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import { enqueue, type QueuedDelivery } from '#domain/deliveries/delivery-store.ts';
import { isStillWanted } from '#domain/deliveries/simulated.ts';
import { failuresOf, judge, recordIn, requireNone } from '#domain/failures/put-aside.ts';
import { type ShipmentOutboxEvent, submittedBy, withoutSnapshot } from '#domain/outbox/outbox.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { enqueueSegmentRequests, type SegmentRequest } from '#domain/segments/segment-request.ts';
import { hasCustomer } from '#domain/segments/segment-rules.ts';
import { enqueueRegistrations, enqueueTrackingRequests } from '#domain/tracking-providers/registration-queue.ts';
import { loadOnce, mapConcurrently, within } from '#platform/batches.ts';
import { causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { NotTried, type RecordOutcome, streamBatchResponse, TookTooLong } from '#platform/table/stream-verdicts.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import { loadAudience, type ShopAudience } from './audience.ts';
import { payloadsOf, perform, storePayloads, unitsOf, workOf } from './event-work.ts';
import { enqueueParts, handlePart, type PartMessage, partOf } from './parts.ts';
import {
  changeOf,
  createdOrderOf,
  isNewOrder,
  kindOf,
  type OutboxItem,
  requireOrderContext,
  toStreamItem,
  type WakeItem,
} from './stream-records.ts';
import { type Submission, startSubmitting } from './tracking-submission.ts';
import { leadsToPlanning, type Plan, startPlanning } from './trigger-planning.ts';

/**
 * Turns outgoing events from the table's stream into one message for each endpoint or integration that wants them, and
 * plans internal triggers after changes of shipments. It passes parcels on that are to be watched. What would take long
 * comes again as parts, from a queue.
 */
export function handler(event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse>;
export function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse>;
export function handler(
  event: DynamoDBStreamEvent | SQSEvent,
  context: Context,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> {
  const leftMs = () => context.getRemainingTimeInMillis();
  return isOfQueue(event) ? handleParts(event, leftMs) : handleStream(event, leftMs);
}

const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records[0]?.eventSource === 'aws:sqs';

async function handleParts(event: SQSEvent, leftMs: () => number): Promise<SQSBatchResponse> {
  const { response, failures } = await handleEach(event, (message) => handleMessage(message, leftMs));
  const counts = { parts: event.Records.length, again: failures.size };
  if (failures.size === 0) logger.info('parts of events', counts);
  else logger.warn('parts of events', { ...counts, reasons: [...failures.values()] });
  return response;
}

/** A part of an event, or a record of the stream that an operator sends again. */
async function handleMessage(message: SQSRecord, leftMs: () => number): Promise<void> {
  const now = new Date();
  const record = await recordIn(message.body);
  if (!record) return handlePart(message, now);
  const { failures } = await fanOut([record], now, leftMs);
  requireNone(failures);
}

/** It uses no batch processor, because nothing may be queued from the first failure on. */
async function handleStream({ Records }: DynamoDBStreamEvent, leftMs: () => number): Promise<DynamoDBBatchResponse> {
  const { planned, orders, submitted, deliveries, split, correlations, failures } = await fanOut(
    Records,
    new Date(),
    leftMs,
  );
  const counts = {
    events: Records.filter((record) => changeOf(record) === undefined).length,
    planned,
    orders,
    submitted,
    deliveries,
    split,
    failed: failures.size,
    correlation_ids: correlations,
  };
  if (failures.size === 0) logger.info('events', counts);
  else logger.warn('events', { ...counts, failures: Object.fromEntries(failures) });
  return streamBatchResponse([...failures.keys()]);
}

interface FanOutResult {
  /** The records after which internal triggers were planned. */
  planned: number;
  /** New orders. */
  orders: number;
  /** Messages about parcels that are to be watched. */
  submitted: number;
  /** Messages for deliveries, also those that an earlier try sent. */
  deliveries: number;
  /** Messages that are queued because their work would take long. */
  split: number;
  /** The requests that caused the events. */
  correlations: string[];
  /** The reason why a record must come again, by its sequence number. */
  failures: Map<string, string>;
}

/** Each record holds an order in memory. */
const maxConcurrentRecords = 10;

/**
 * Queues the deliveries of each event, also those that an earlier try queued: it may have ended before it could queue all
 * of them. Their ids are derived, so delivery does nothing twice, and a replay loses nothing. Automation runs are recorded
 * with their event and queued when the stream shows them. A new order may ask for the segments of its customer. Changes
 * of orders and shipments plan internal triggers.
 */
async function fanOut(records: readonly DynamoDBRecord[], now: Date, leftMs: () => number): Promise<FanOutResult> {
  const readers = {
    audienceOf: loadOnce(loadAudience),
    automationsOf: loadOnce(enabledAutomations),
    plan: startPlanning(now),
    submit: startSubmitting(),
  };
  const handle = (record: DynamoDBRecord) => handleRecord(record, () => processRecord(record, readers, now), leftMs);
  const results = await mapConcurrently(records, handle, maxConcurrentRecords);
  const complete = beforeFirstAgain(results, now);
  await enqueueAll(complete, ({ deliveries }) => deliveries, enqueue);
  await enqueueAll(complete, ({ runs }) => runs, enqueueRuns);
  await enqueueAll(complete, ({ parts }) => parts, enqueueParts);
  await enqueueAll(complete, ({ segmentRequests }) => segmentRequests, enqueueSegmentRequests);
  await enqueueAll(
    complete,
    ({ registrations }) => registrations,
    (all) => enqueueRegistrations(all, now),
  );
  await enqueueAll(complete, ({ trackingRequests }) => trackingRequests, enqueueTrackingRequests);
  const failures = await failuresOf(results.map(outcomeOf), now);
  const deliveries = results.flatMap((result) => result.deliveries);
  const planned = records.filter(leadsToPlanning).length;
  const split = results.reduce((sum, { parts }) => sum + parts.length, 0);
  const orders = records.filter(isNewOrder).length;
  const submitted = results.reduce((sum, one) => sum + one.registrations.length + one.trackingRequests.length, 0);
  const correlations = correlationIds(deliveries);
  return { planned, orders, submitted, deliveries: deliveries.length, split, correlations, failures };
}

interface Result extends Submission {
  record: DynamoDBRecord;
  sequenceNumber: string;
  deliveries: readonly QueuedDelivery[];
  /** The automation runs to queue. */
  runs: readonly RunMessage[];
  parts: readonly PartMessage[];
  segmentRequests: readonly SegmentRequest[];
  error?: unknown;
}

const outcomeOf = (result: Result): RecordOutcome => {
  const { record, error, deliveries, runs, parts, segmentRequests, registrations, trackingRequests } = result;
  const work = [deliveries, runs, parts, segmentRequests, registrations, trackingRequests];
  const hasWork = work.some((messages) => messages.length > 0);
  const isProof = error === undefined && (hasWork || leadsToPlanning(record));
  return { record, kind: kindOf(record), error, isProof };
};

/** Each of these reads the data of a shop only once for a batch. */
interface Readers {
  audienceOf: (slug: string) => Promise<ShopAudience | undefined>;
  automationsOf: (slug: string) => Promise<AutomationRecord[]>;
  plan: Plan;
  submit: ReturnType<typeof startSubmitting>;
}

async function handleRecord(
  record: DynamoDBRecord,
  process: () => Promise<Partial<Result>>,
  leftMs: () => number,
): Promise<Result> {
  const sequenceNumber = record.dynamodb!.SequenceNumber!;
  try {
    return { record, sequenceNumber, ...emptyResult, ...(await inTime(process, leftMs() - reservedMs)) };
  } catch (error) {
    return { record, sequenceNumber, ...emptyResult, error };
  }
}

/** For all that follows when the records are handled: their messages are queued, and what failed is put aside. */
const reservedMs = 15_000;

/** Without this, a record that hangs would end the function, and its batch would come again until the stream drops it. */
async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T> {
  if (ms <= 0) throw new NotTried();
  return within(ms, work(), () => new TookTooLong());
}

const emptyResult = {
  deliveries: [],
  runs: [],
  parts: [],
  segmentRequests: [],
  registrations: [],
  trackingRequests: [],
};

async function processRecord(record: DynamoDBRecord, readers: Readers, now: Date): Promise<Partial<Result>> {
  const { audienceOf, plan, submit } = readers;
  if (changeOf(record) !== undefined) {
    return {
      parts: leadsToPlanning(record) ? await plan(record) : [],
      segmentRequests: isNewOrder(record) ? await segmentRequestsFor(record, audienceOf) : [],
    };
  }
  const item = toStreamItem(record);
  if (item.kind === 'wake') return { deliveries: [queuedAgain(item)] };
  if (item.kind === 'run') return { runs: [runMessageOf(item)] };
  if (item.kind === 'tracking_request' || item.kind === 'tracking_backlog') return submit(item);
  const submission = isSubmission(item) ? await submit(submittedBy(item)) : {};
  return { ...submission, ...(await processEvent(item, readers, now)) };
}

type Submitting = OutboxItem & ShipmentOutboxEvent & { snapshot: Uint8Array };

const isSubmission = (item: OutboxItem): item is Submitting =>
  item.source === 'shipments' && item.submits === true && item.snapshot !== undefined;

async function processEvent(
  item: OutboxItem,
  { audienceOf, automationsOf }: Readers,
  now: Date,
): Promise<Partial<Result>> {
  const event = withoutSnapshot<StoredEvent>(item);
  const { shop_slug, simulation } = event;
  if (!(await isStillWanted({ shop_slug, simulation_id: simulation?.id }))) return {};
  const [audience, automations] = await Promise.all([audienceOf(shop_slug), automationsOf(shop_slug)]);
  if (!audience) return {};
  const work = workOf(event, audience, automations);
  const units = unitsOf(work);
  // If nobody is interested in the event, its order is not read.
  if (units === 0) return {};
  if (units > fanOutLimits.unitsAtOnce) return { parts: [partOf(event)] };
  const payloads = payloadsOf(event, await requireOrderContext(item), audience.viewer);
  if (work.some(({ deliveries }) => deliveries.length > 0)) await storePayloads(event, payloads, now);
  return { deliveries: await perform(event, work, async () => payloads, now) };
}

async function segmentRequestsFor(record: DynamoDBRecord, audienceOf: Readers['audienceOf']) {
  const { slug, order } = createdOrderOf(record);
  const isAsked = hasCustomer(order) && (order.simulation_id === undefined || order.simulation_integrations === true);
  const audience = isAsked ? await audienceOf(slug) : undefined;
  const { uuid: order_id, created_at: since } = order;
  return (audience?.segmentSources ?? []).map((integration) => ({ shop_slug: slug, order_id, integration, since }));
}

function queuedAgain(item: WakeItem): QueuedDelivery {
  const { shop_slug, target, delivery_id, payload_id, probe } = item;
  return { shop_slug, target, delivery_id, payload_id, ...causeOf(item), ...(probe && { probe }) };
}

/**
 * From the first record that is to come again on, the stream delivers every record again. If we queued those records
 * now, they would be on the queue twice.
 */
function beforeFirstAgain(results: readonly Result[], now: Date): readonly Result[] {
  const first = judge(results.map(outcomeOf), now).indexOf('again');
  return first === -1 ? results : results.slice(0, first);
}

/** A record of which a message does not reach its queue has failed. */
async function enqueueAll<Message extends object>(
  results: readonly Result[],
  messagesOf: (result: Result) => readonly Message[],
  send: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  try {
    await send(results.flatMap(messagesOf));
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = new Set<object>(error.messages);
    for (const result of results) {
      if (messagesOf(result).some((message) => refused.has(message))) result.error = error;
    }
  }
}
