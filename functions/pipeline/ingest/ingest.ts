import type { ShopIdentity } from '#domain/orders/model.ts';
import { byId, record } from '#domain/orders/record-event.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { type Caused, withCauseOf } from '#platform/correlation.ts';
import { ServiceError } from '#platform/errors.ts';
import { reservedMs } from '#platform/failed-messages.ts';
import { keyOf, partitionOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import { clockSince } from '#platform/time.ts';
import { inTime, isOutage, NotYet, RecordFault } from '#platform/verdicts.ts';
import {
  byOrder,
  type Group,
  groupByParcel,
  type Message,
  mayFindOrder,
  type Parcel,
  type Parcels,
  parse,
  type Update,
} from './carrier-updates.ts';

export interface IngestResult {
  /** Events that were new to their shipments. */
  recorded: number;
  /** Events for shops that have switched carrier updates off. */
  passedOver: number;
  /** Updates of parcels that were deleted, and are in no order since. */
  gone: number;
  /** Why a message is not done, by its id. */
  errors: Map<string, unknown>;
  /** The messages of which all was recorded for at least one parcel. */
  written: Set<string>;
}

/** The time now, or how long the function still has. */
type Clock<T = number> = () => T;

/** A parcel that many orders share must not open a connection for each of them at once. */
const maxConcurrentOrders = 25;

/** Each may cause an outgoing event, and a transaction has at most 100 actions. */
const maxReportsOfWrite = 90;

/**
 * Records what the messages report. Neither the order of the messages nor a repeated message makes a difference: an
 * event's position is its time, and an event that its shipment already has is skipped.
 */
export async function ingest(messages: readonly Message[], now: Date, leftMs: Clock): Promise<IngestResult> {
  const clock = clockSince(now);
  try {
    return await ingestTogether(messages, now, leftMs);
  } catch (error) {
    // One that cannot even be looked up must not make the others fail.
    if (messages.length > 1 && !isOutage(error)) return ingestSeparately(messages, clock, leftMs);
    return { ...nothing(), errors: new Map(messages.map(({ messageId }) => [messageId, error])) };
  }
}

async function ingestSeparately(messages: readonly Message[], clock: () => Date, leftMs: Clock): Promise<IngestResult> {
  const results = await mapConcurrently(messages, (message) => ingest([message], clock(), leftMs), maxConcurrentOrders);
  return results.reduce((sum, one) => ({
    recorded: sum.recorded + one.recorded,
    passedOver: sum.passedOver + one.passedOver,
    gone: sum.gone + one.gone,
    errors: new Map([...sum.errors, ...one.errors]),
    written: new Set([...sum.written, ...one.written]),
  }));
}

const nothing = (): IngestResult => ({ recorded: 0, passedOver: 0, gone: 0, errors: new Map(), written: new Set() });

async function ingestTogether(messages: readonly Message[], now: Date, leftMs: Clock): Promise<IngestResult> {
  const result = nothing();
  const clock = clockSince(now);
  const updates = messages.flatMap(
    (message) => parse(message) ?? fail(result, message.messageId, new RecordFault('malformed')),
  );
  const groups = await groupsOf(updates, now, result);
  const enabledShops = await shopsTakingUpdates(groups.map(({ parcel }) => parcel.slug));
  const accepted = groups.filter(({ parcel }) => enabledShops.has(parcel.slug));
  result.passedOver = countOf(groups) - countOf(accepted);
  const shopIds = await readShopIds(enabledShops);
  const recordInTurn = async (groups: readonly Group[]): Promise<void> => {
    for (const group of groups)
      await recordGroup(group, shopIds.get(group.parcel.slug), { now, clock, leftMs }, result);
  };
  await mapConcurrently(byOrder(accepted), recordInTurn, maxConcurrentOrders);
  return result;
}

async function groupsOf(updates: readonly Update[], now: Date, result: IngestResult): Promise<Group[]> {
  const parcels = await findParcels(updates.map(({ trackingNumber }) => trackingNumber));
  for (const update of updates) {
    const found = parcels.get(update.trackingNumber);
    if (!found) fail(result, update.messageId, unknownNumber(update, now));
    else if (found.length === 0) passOver(update, now, result);
  }
  return groupByParcel(updates, parcels);
}

/** A carrier may scan a parcel before its shop reports the number. */
const unknownNumber = (update: Update, now: Date) =>
  mayFindOrder(update, now) ? new NotYet('unknown_number') : new RecordFault('unknown_number');

/** The merchant deleted the parcel, perhaps to add it to another order. The carrier does not know that. */
function passOver(update: Update, now: Date, result: IngestResult): void {
  if (mayFindOrder(update, now)) fail(result, update.messageId, new NotYet('gone'));
  else result.gone++;
}

interface Times {
  now: Date;
  clock: Clock<Date>;
  leftMs: Clock;
}

async function recordGroup(group: Group, uuid: string | undefined, times: Times, result: IngestResult): Promise<void> {
  const { parcel, updates } = group;
  try {
    if (uuid === undefined) throw new ServiceError('shop_not_found');
    const shop = { slug: parcel.slug, uuid };
    const work = () => withCauseOf(latestCauseOf(updates), () => recordReports(shop, group, times.clock, result));
    await inTime(work, times.leftMs() - reservedMs);
    for (const { messageId } of updates) result.written.add(messageId);
  } catch (error) {
    // The parcel was deleted after it was found.
    if (keyIn(error) === 'shipment_not_found') {
      for (const update of updates) passOver(update, times.now, result);
      return;
    }
    if (keyIn(error) !== 'payload_too_large' || updates.length === 1) {
      for (const { messageId } of updates) fail(result, messageId, faultOf(error));
      return;
    }
    // One update that no longer fits into its shipment must not make the others fail.
    for (const update of updates) await recordGroup({ parcel, updates: [update] }, uuid, times, result);
  }
}

async function recordReports(
  shop: ShopIdentity,
  { parcel, updates }: Group,
  clock: Clock<Date>,
  result: IngestResult,
): Promise<void> {
  const reports = updates.flatMap((update) => update.reports);
  for (const part of chunks(reports, maxReportsOfWrite)) {
    const options = { notify: true, completes: true, now: clock() };
    const { fresh } = await record(shop, parcel.order_id, byId(parcel.shipment_id), part, options);
    result.recorded += fresh.length;
  }
}

/** One write records all updates of a parcel, so its events can name only one of the requests. The log names all. */
const latestCauseOf = (updates: readonly Update[]): Caused =>
  updates.findLast(({ cause }) => cause !== undefined) ?? {};

function fail(result: IngestResult, messageId: string, error: unknown): [] {
  result.errors.set(messageId, error);
  return [];
}

const countOf = (groups: readonly Group[]) =>
  groups.reduce((sum, { updates }) => sum + updates.flatMap(({ reports }) => reports).length, 0);

const keyIn = (error: unknown) => (error instanceof ServiceError ? error.key : undefined);

/** What the order refuses, it will always refuse. */
const faultOf = (error: unknown) => (error instanceof ServiceError ? new RecordFault(error.key) : error);

/** Finds the parcels of tracking numbers in all shops. A number that no shop ever had is left out. */
async function findParcels(numbers: Iterable<string>): Promise<Parcels> {
  const distinct = [...new Set(numbers)];
  const keys = await Promise.all(distinct.map(referencesTo));
  const references = (await batchGet(keys.flat())) as (Partial<Parcel> | undefined)[];
  const next = references.values();
  return new Map(
    distinct.flatMap((number, i) => {
      const found = keys[i]!.map(() => next.next().value);
      return found.length > 0 ? [[number, found.filter(isParcel)] as const] : [];
    }),
  );
}

/** The index holds only keys. What they lead to may be deleted, or be the mark of a deleted parcel. */
const isParcel = (reference: Partial<Parcel> | undefined): reference is Parcel => reference?.order_id !== undefined;

async function readShopIds(slugs: Iterable<string>): Promise<Map<string, string>> {
  const distinct = [...new Set(slugs)];
  const shops = (await batchGet(distinct.map(keyOf.shop))) as ({ uuid: string } | undefined)[];
  return new Map(distinct.flatMap((slug, i) => (shops[i] ? [[slug, shops[i].uuid] as const] : [])));
}

async function referencesTo(number: string): Promise<Key[]> {
  const entries = await queryAll<Key>(itemsIn(partitionOf.trackingNumber(number), { index: 'names' }));
  return entries.map(({ pk, sk }) => ({ pk, sk }));
}
