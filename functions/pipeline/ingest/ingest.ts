import { byId, record } from '#domain/orders/record-event.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { type Caused, withCauseOf } from '#platform/correlation.ts';
import { ApiError } from '#platform/http/errors.ts';
import {
  byOrder,
  type Group,
  groupByParcel,
  isOfGoneParcel,
  isUnknown,
  type Message,
  parse,
  type Update,
} from './carrier-updates.ts';
import { findParcels, readShopIds } from './parcel-store.ts';

export interface IngestResult {
  /** Events that were new to their shipments. */
  recorded: number;
  /** Events for shops that have switched carrier updates off. */
  passedOver: number;
  /** Updates of parcels that were deleted. */
  gone: number;
  /** The reason why a message must come again, by its id. */
  failures: Map<string, string>;
}

/** A parcel that many orders share must not open a connection for each of them at once. */
const maxConcurrentOrders = 25;

/** Each may cause an outgoing event, and a transaction has at most 100 actions. */
const maxReportsOfWrite = 90;

/**
 * Records what the messages report. Neither the order of the messages nor a repeated message makes a difference: an
 * event's position is its time, and an event that its shipment already has is skipped.
 */
export async function ingest(messages: readonly Message[], now: Date): Promise<IngestResult> {
  const result: IngestResult = { recorded: 0, passedOver: 0, gone: 0, failures: new Map() };
  const updates = messages.flatMap((message) => parse(message) ?? fail(result, message.messageId, 'malformed'));
  const groups = await groupsOf(updates, result);
  const enabledShops = await shopsTakingUpdates(groups.map(({ parcel }) => parcel.slug));
  const accepted = groups.filter(({ parcel }) => enabledShops.has(parcel.slug));
  result.passedOver = countOf(groups) - countOf(accepted);
  const shopIds = await readShopIds(enabledShops);
  const recordInTurn = async (groups: readonly Group[]): Promise<void> => {
    for (const group of groups) await recordGroup(group, shopIds.get(group.parcel.slug), now, result);
  };
  await mapConcurrently(byOrder(accepted), recordInTurn, maxConcurrentOrders);
  return result;
}

async function groupsOf(updates: readonly Update[], result: IngestResult): Promise<Group[]> {
  const parcels = await findParcels(updates.map(({ trackingNumber }) => trackingNumber));
  for (const update of updates) if (isUnknown(update, parcels)) fail(result, update.messageId, 'unknown_number');
  result.gone = updates.filter((update) => isOfGoneParcel(update, parcels)).length;
  return groupByParcel(updates, parcels);
}

async function recordGroup(group: Group, shopId: string | undefined, now: Date, result: IngestResult): Promise<void> {
  const { parcel, updates } = group;
  try {
    if (shopId === undefined) throw new ApiError('shop_not_found');
    const shop = { slug: parcel.slug, uuid: shopId };
    const reports = updates.flatMap((update) => update.reports);
    for (const part of chunks(reports, maxReportsOfWrite)) {
      const options = { notify: true, completes: true, now };
      const write = () => record(shop, parcel.order_id, byId(parcel.shipment_id), part, options);
      const { fresh } = await withCauseOf(latestCauseOf(updates), write);
      result.recorded += fresh.length;
    }
  } catch (error) {
    if (isGone(error)) {
      result.gone += updates.length;
      return;
    }
    if (isTooLarge(error) && updates.length > 1) return recordSeparately(group, shopId, now, result);
    for (const { messageId } of updates) fail(result, messageId, reasonOf(error));
  }
}

/** One write records all updates of a parcel, so its events can name only one of the requests. The log names all. */
const latestCauseOf = (updates: readonly Update[]): Caused =>
  updates.findLast(({ cause }) => cause !== undefined) ?? {};

/** One update that no longer fits into its shipment must not make the others fail. */
async function recordSeparately(
  { parcel, updates }: Group,
  shopId: string | undefined,
  now: Date,
  result: IngestResult,
) {
  for (const update of updates) await recordGroup({ parcel, updates: [update] }, shopId, now, result);
}

function fail(result: IngestResult, messageId: string, reason: string): [] {
  result.failures.set(messageId, reason);
  return [];
}

const countOf = (groups: readonly Group[]) =>
  groups.reduce((sum, { updates }) => sum + updates.flatMap(({ reports }) => reports).length, 0);

/** The parcel was deleted after it was found. */
const isGone = (error: unknown) => error instanceof ApiError && error.key === 'shipment_not_found';

const isTooLarge = (error: unknown) => error instanceof ApiError && error.key === 'payload_too_large';

/** The log gets only the name of the error, because its message may quote the data that was to be written. */
const reasonOf = (error: unknown) => (error instanceof ApiError ? error.key : (error as Error).name);
