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
import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import { isStillWanted } from '#domain/deliveries/simulated.ts';
import type { Told } from '#domain/orders/enclosed-events.ts';
import {
  requestFor,
  type ShipmentOutboxEvent,
  type StoredEvent,
  submittedBy,
  withoutSnapshot,
} from '#domain/orders/outbox.ts';
import { enqueueSegmentRequests, type SegmentRequest } from '#domain/segments/segment-request.ts';
import { hasCustomer } from '#domain/segments/segment-rules.ts';
import { enqueueRegistrations, enqueueTrackingRequests } from '#domain/tracking-providers/registration-queue.ts';
import { loadOnce, mapConcurrently } from '#platform/batches.ts';
import { type Caused, causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { type Handled, logBatch, outlast } from '#platform/message-batch.ts';
import { failuresOf, judge, recordIn, requireNone } from '#platform/put-aside.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { isHeartbeat } from '#platform/table/heartbeat.ts';
import { type RecordOutcome, streamBatchResponse } from '#platform/table/stream-verdicts.ts';
import { inTime } from '#platform/verdicts.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import { loadAudience, type ShopAudience } from './audience.ts';
import { payloadsOf, perform, type SubjectWork, storePayloads, unitsOf, workOf } from './event-work.ts';
import { enqueueParts, handlePart, kindOfPart, type PartMessage, partOf } from './parts.ts';
import {
  aboutOf,
  changeOf,
  contextAtEvent,
  createdOrderOf,
  isNewOrder,
  type OutboxItem,
  type ReadOrder,
  requireOrderContext,
  startReadingOrders,
  toldOf,
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
  const queue = isReplayed(event) ? replays : parts;
  const settled = await outlast(event, (one) => handleMessage(one, leftMs), queue, leftMs());
  logBatch('parts of events', { parts: event.Records.length }, settled);
  return settled.response;
}

const parts = { variable: 'PARTS_QUEUE_URL', failures: 'DEAD_PARTS_QUEUE_URL', kindOf: kindOfPart };
const replays = { variable: 'STREAM_REPLAYS_QUEUE_URL', failures: 'STREAM_FAILURES_QUEUE_URL' };

/** A batch comes from one queue. */
const isReplayed = ({ Records }: SQSEvent) => Records[0]?.eventSourceARN === process.env.STREAM_REPLAYS_ARN;

/** A part of an event, or a record of the stream that an operator sends again. */
async function handleMessage(message: SQSRecord, leftMs: () => number): Promise<Handled> {
  const now = new Date();
  const record = await recordIn(message.body);
  if (!record) return handlePart(message, now);
  const { failures } = await fanOut([sentNow(record, message)], now, leftMs);
  requireNone(failures);
  return undefined;
}

/** For a record that an operator sends again, the stream's time is over. The time of its message counts. */
const sentNow = (record: DynamoDBRecord, { attributes }: SQSRecord): DynamoDBRecord => ({
  ...record,
  dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: Number(attributes.SentTimestamp) / 1000 },
});

/** It uses no batch processor, because nothing may be queued from the first failure on. */
async function handleStream({ Records }: DynamoDBStreamEvent, leftMs: () => number): Promise<DynamoDBBatchResponse> {
  if (Records.every(isHeartbeat)) return streamBatchResponse([]);
  const { correlations, failedCorrelations, failures, ...done } = await fanOut(Records, new Date(), leftMs);
  const counts = { ...done, failed: failures.size, correlation_ids: correlations };
  if (failures.size === 0) logger.info('events', counts);
  else
    logger.warn('events', {
      ...counts,
      failures: Object.fromEntries(failures),
      failed_correlation_ids: failedCorrelations,
    });
  return streamBatchResponse([...failures.keys()]);
}

interface FanOutResult {
  /** The records of events, and of other things that were written for fan-out. */
  events: number;
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
  /** The requests that caused the events, also those that failed. */
  correlations: string[];
  failedCorrelations: string[];
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
    readOrder: startReadingOrders(),
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
  const events = results.filter(({ record, kind }) => kind === 'event' || changeOf(record) === undefined).length;
  const planned = records.filter(leadsToPlanning).length;
  const split = results.reduce((sum, { parts }) => sum + parts.length, 0);
  const orders = records.filter(isNewOrder).length;
  const submitted = results.reduce((sum, one) => sum + one.registrations.length + one.trackingRequests.length, 0);
  const correlations = correlationIds(results);
  const failedCorrelations = correlationIds(results.filter(({ sequenceNumber }) => failures.has(sequenceNumber)));
  const counts = { events, planned, orders, submitted, deliveries: deliveries.length, split };
  return { ...counts, correlations, failedCorrelations, failures };
}

interface Result extends Submission, Caused {
  record: DynamoDBRecord;
  kind: string;
  sequenceNumber: string;
  deliveries: readonly QueuedDelivery[];
  /** The automation runs to queue. */
  runs: readonly RunMessage[];
  parts: readonly PartMessage[];
  segmentRequests: readonly SegmentRequest[];
  error?: unknown;
}

const outcomeOf = (result: Result): RecordOutcome => {
  const { record, kind, error, deliveries, runs, parts, segmentRequests, registrations, trackingRequests } = result;
  const work = [deliveries, runs, parts, segmentRequests, registrations, trackingRequests];
  const hasWork = work.some((messages) => messages.length > 0);
  const isProof = error === undefined && (hasWork || (leadsToPlanning(record) && kind !== 'event'));
  return { record, kind, error, isProof, ...causeOf(result) };
};

/** Each of these reads the data of a shop only once for a batch. */
interface Readers {
  audienceOf: (slug: string) => Promise<ShopAudience | undefined>;
  automationsOf: (slug: string) => Promise<AutomationRecord[]>;
  plan: Plan;
  submit: ReturnType<typeof startSubmitting>;
  readOrder: ReadOrder;
}

async function handleRecord(
  record: DynamoDBRecord,
  process: () => Promise<Partial<Result>>,
  leftMs: () => number,
): Promise<Result> {
  const sequenceNumber = record.dynamodb!.SequenceNumber!;
  const result = { record, sequenceNumber, ...aboutOf(record), ...emptyResult };
  try {
    return { ...result, ...(await inTime(process, leftMs() - reservedMs)) };
  } catch (error) {
    return { ...result, error };
  }
}

/** For all that follows when the records are handled: their messages are queued, and what failed is put aside. */
const reservedMs = 15_000;

const emptyResult = {
  deliveries: [],
  runs: [],
  parts: [],
  segmentRequests: [],
  registrations: [],
  trackingRequests: [],
};

async function processRecord(record: DynamoDBRecord, readers: Readers, now: Date): Promise<Partial<Result>> {
  const { submit } = readers;
  if (changeOf(record) !== undefined) return processChange(record, readers, now);
  const item = toStreamItem(record);
  if (item.kind === 'wake') return { deliveries: [queuedAgain(item)] };
  if (item.kind === 'run') return { runs: [runMessageOf(item)] };
  if (item.kind === 'tracking_request' || item.kind === 'tracking_backlog') return submit(item);
  const submission = isSubmission(item) ? await submit({ ...submittedBy(item), ...causeOf(item) }) : {};
  return { ...submission, ...(await processEvent(item, readers, now)) };
}

/**
 * The change of an order, of a shipment or of triggers. Its events come first, and what fails of the rest does not hold
 * them back.
 */
async function processChange(record: DynamoDBRecord, readers: Readers, now: Date): Promise<Partial<Result>> {
  const { audienceOf, plan } = readers;
  const told = toldOf(record);
  const { parts = [], ...result } = told ? await processTold(told, readers, now) : {};
  const segmentRequests = isNewOrder(record) ? await segmentRequestsFor(record, told, audienceOf) : [];
  const planned = leadsToPlanning(record) ? await planOrPutOff(record, plan, told) : [];
  return { ...result, segmentRequests, parts: [...planned, ...parts] };
}

/** Planning that fails beside events is done again as a part, from the state that the order then has. */
async function planOrPutOff(record: DynamoDBRecord, plan: Plan, told: Told | undefined): Promise<PartMessage[]> {
  try {
    return await plan(record);
  } catch (error) {
    if (!told) throw error;
    const { shop_slug, order_id } = told.events[0]!;
    logger.warn('planning put off', { shop_slug, order_id, reason: (error as Error).name });
    const plans = told.events.flatMap((event) => subjectsOf(event).map(({ id }) => id));
    return [{ shop_slug, order_id, plans: [...new Set(plans)] }];
  }
}

/** Events that are enclosed in the item of their order or shipment. */
async function processTold(
  { events, fullOrder, submitted }: Told,
  { audienceOf, automationsOf, submit, readOrder }: Readers,
  now: Date,
): Promise<Partial<Result>> {
  const [first] = events as [StoredEvent];
  const { shop_slug } = first;
  const submission = submitted ? await submit({ ...requestFor(shop_slug, [submitted]), ...causeOf(first) }) : {};
  const [audience, automations] = await Promise.all([audienceOf(shop_slug), automationsOf(shop_slug)]);
  if (!audience) return submission;
  const caused = events
    .map((event) => ({ event, work: workOf(event, audience, automations) }))
    .filter(({ work }) => unitsOf(work) > 0);
  const isMuch = unitsOf(caused.flatMap(({ work }) => work)) > fanOutLimits.unitsAtOnce;
  const deliveries: QueuedDelivery[] = [];
  for (const { event, work } of caused) {
    const payloads = payloadsOf(event, await contextAtEvent(event, fullOrder, readOrder), audience.viewer);
    if (isMuch || hasDeliveries(work)) await storePayloads(event, payloads, now);
    if (!isMuch) deliveries.push(...(await perform(event, work, async () => payloads, now)));
  }
  // The next change of the item overwrites its events, so a part takes its event with it.
  const parts = isMuch ? caused.map(({ event }) => ({ ...partOf(event), event })) : [];
  return { ...submission, deliveries, parts };
}

const hasDeliveries = (work: readonly SubjectWork[]) => work.some(({ deliveries }) => deliveries.length > 0);

type Submitting = OutboxItem & ShipmentOutboxEvent & { snapshot: Uint8Array };

const isSubmission = (item: OutboxItem): item is Submitting =>
  item.source === 'shipments' && item.submits === true && item.snapshot !== undefined;

async function processEvent(
  item: OutboxItem,
  { audienceOf, automationsOf, readOrder }: Readers,
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
  const payloads = payloadsOf(event, await requireOrderContext(item, readOrder), audience.viewer);
  if (hasDeliveries(work)) await storePayloads(event, payloads, now);
  return { deliveries: await perform(event, work, async () => payloads, now) };
}

async function segmentRequestsFor(record: DynamoDBRecord, told: Told | undefined, audienceOf: Readers['audienceOf']) {
  const { slug, order } = createdOrderOf(record);
  const isAsked = hasCustomer(order) && (order.simulation_id === undefined || order.simulation_integrations === true);
  const audience = isAsked ? await audienceOf(slug) : undefined;
  const { uuid: order_id, created_at: since } = order;
  const request = { shop_slug: slug, order_id, since, ...(told && causeOf(told.events[0]!)) };
  return (audience?.segmentSources ?? []).map((integration) => ({ ...request, integration }));
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
