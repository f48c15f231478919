import { byId, record } from '#domain/orders/record-event.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ApiError } from '#platform/http/errors.ts';
import { byOrder, type Group, groupByParcel, isUnknown, type Message, parse, type Update } from './carrier-updates.ts';
import { findParcels, readShopIds } from './parcel-store.ts';

export interface IngestResult {
  /** Events that their shipments did not have yet. */
  recorded: number;
  /** Updates of parcels of shops that do not take them. */
  passedOver: number;
  /** Why a message is to come again, by its id. */
  failures: Map<string, string>;
}

/** A parcel of many shops must not open a connection for each of them at once. */
const maxConcurrentOrders = 25;

/**
 * Records what the messages report. The order of the messages and how often each comes make no difference: the place of
 * an event is its time, and one that its shipment has already is passed over.
 */
export async function ingest(messages: readonly Message[], now: Date): Promise<IngestResult> {
  const outcome: IngestResult = { recorded: 0, passedOver: 0, failures: new Map() };
  const updates = messages.flatMap((message) => parse(message) ?? fail(outcome, message.messageId, 'malformed'));
  const groups = await groupsOf(updates, outcome);
  const taking = await shopsTakingUpdates(groups.map(({ parcel }) => parcel.slug));
  const wanted = groups.filter(({ parcel }) => taking.has(parcel.slug));
  outcome.passedOver = countOf(groups) - countOf(wanted);
  const shopIds = await readShopIds(taking);
  const recordInTurn = async (groups: readonly Group[]): Promise<void> => {
    for (const group of groups) await recordGroup(group, shopIds.get(group.parcel.slug), now, outcome);
  };
  await mapConcurrently(byOrder(wanted), recordInTurn, maxConcurrentOrders);
  return outcome;
}

async function groupsOf(updates: readonly Update[], outcome: IngestResult): Promise<Group[]> {
  const parcels = await findParcels(updates.map(({ trackingNumber }) => trackingNumber));
  for (const update of updates) if (isUnknown(update, parcels)) fail(outcome, update.messageId, 'unknown_number');
  return groupByParcel(updates, parcels);
}

async function recordGroup(group: Group, shopId: string | undefined, now: Date, outcome: IngestResult): Promise<void> {
  const { parcel, updates } = group;
  try {
    if (shopId === undefined) throw new ApiError('shop_not_found');
    const shop = { slug: parcel.slug, uuid: shopId };
    const reports = updates.map(({ report }) => report);
    const { fresh } = await record(shop, parcel.order_id, byId(parcel.shipment_id), reports, { notify: true, now });
    outcome.recorded += fresh.length;
  } catch (error) {
    if (isTooLarge(error) && updates.length > 1) return recordApart(group, shopId, now, outcome);
    for (const { messageId } of updates) fail(outcome, messageId, reasonOf(error));
  }
}

/** One report that no longer fits its shipment must not take the others with it. */
async function recordApart({ parcel, updates }: Group, shopId: string | undefined, now: Date, outcome: IngestResult) {
  for (const update of updates) await recordGroup({ parcel, updates: [update] }, shopId, now, outcome);
}

function fail(outcome: IngestResult, messageId: string, reason: string): [] {
  outcome.failures.set(messageId, reason);
  return [];
}

const countOf = (groups: readonly Group[]) => groups.reduce((sum, { updates }) => sum + updates.length, 0);

const isTooLarge = (error: unknown) => error instanceof ApiError && error.key === 'payload_too_large';

/** The name, never the message: that may quote what was to be written. */
const reasonOf = (error: unknown) => (error instanceof ApiError ? error.key : (error as Error).name);
