import { chunks } from '#platform/batches.ts';
import { invalid, ServiceError } from '#platform/errors.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import { clockSince, utc } from '#platform/time.ts';
import { comparableTrackingNumber, isSameTrackingNumber } from '#platform/tracking-number.ts';
import type { OrderUpsert } from '#schemas/families/orders.ts';
import type { OrderIdType, OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { refusePersonal, withoutPersonal } from './erased-order.ts';
import { newOrderId, type Order, type Shipment, type ShopIdentity } from './model.ts';
import { pack } from './order-items.ts';
import { changedOrder, fulfil, type NewTracking, newOrder, reopenedDrafts, timeOfChange } from './order-rules.ts';
import { type Loaded, loadOrder, type References, readReferences, saveOrder } from './order-store.ts';
import { outboxEvents } from './outbox.ts';
import { orderInputData } from './personal-data.ts';
import { draftShipment, isDraft } from './shipment-rules.ts';
import { cancelledAfter, expectedByMerchant, hasLastingId, newerFields, saidOrder, told } from './told.ts';
import { withPage } from './tracking-page.ts';
import { findFreePlaces, findLostReferences, type NumberedShipment, referenceNumbers } from './tracking-references.ts';
import {
  carrierOf,
  checkCarrierReferences,
  checkSameNumber,
  fromSource,
  fullParcel,
  identified,
  isRemoved,
  isSameOrder,
  numbered,
  type Told,
  unreadFields,
} from './upsert-rules.ts';

/** Two actions for each tracking, or three if it has two references, and at most eight others: a transaction may have 100. */
const trackingsPerWrite = { withOneReference: 46, withTwo: 30 };

export interface Upserted {
  orderId: string;
  /** When the shop's own system cancelled the order, if something was written that has to be cancelled too. */
  cancelledAt?: string | undefined;
}

interface UpsertOptions {
  /** Set if the shop's own system sent it, and not the merchant. */
  told?: Told;
  /** Set if nobody is there to correct the request: a parcel that has no room for another order is left out. */
  leavesOutFullParcels?: boolean;
}

/**
 * Creates, updates and fulfils an order. If a request stops halfway, sending it again completes it. What the shop's own
 * system told may be late: then it changes no field that somebody gave later.
 */
export async function upsert(
  shop: ShopIdentity,
  item: OrderUpsert,
  now: Date,
  { told, leavesOutFullParcels = false }: UpsertOptions = {},
): Promise<Upserted> {
  const order = identified(item);
  checkCarrierReferences(
    item.trackings.map(({ carrier_reference }) => carrier_reference),
    (i) => ['body', 'trackings', i, 'carrier_reference'],
  );
  const trackings = withoutRepeats(item.trackings);
  for (const { products } of trackings) pack(products ?? []); // if one is too large, the whole request is refused
  const haveOne = trackings.every(({ tracking_number }) => referenceNumbers(tracking_number).length === 1);
  const atOnce = haveOne ? trackingsPerWrite.withOneReference : trackingsPerWrite.withTwo;
  const [first = [], ...rest] = chunks(trackings, atOnce);
  const toFollow = rest.flat();
  const onFull = leavesOutFullParcels ? () => {} : refuseFull(item.trackings);
  const clock = clockSince(now);
  const upserted = await retryOnConflict(() => upsertOnce(shop, item, order, first, clock, { told, toFollow, onFull }));
  const same = { id: upserted.orderId, id_type: 'uuid' as const };
  let { cancelledAt } = upserted;
  for (const part of rest) {
    const added = await retryOnConflict(() => upsertOnce(shop, same, undefined, part, clock, { told, onFull }));
    cancelledAt ??= added.cancelledAt;
  }
  return { ...upserted, cancelledAt };
}

/** Creates an order. Does nothing if its number exists. */
export async function place(
  shop: ShopIdentity,
  order: OrderInput & { order_number: string },
  now: Date,
): Promise<void> {
  const id = { id: order.order_number, id_type: 'order_number' as const };
  const clock = clockSince(now);
  await retryOnConflict(async () => {
    const known = await readReferences(shop.slug, id, order, []);
    if (known.orderId === undefined) await create(shop, order, { known, trackings: noTrackings }, clock());
  });
}

type OnFull = (numbers: readonly string[]) => void;

const refuseFull =
  (trackings: readonly TrackingInput[]): OnFull =>
  (numbers) => {
    const indexOf = (number: string) =>
      trackings.findIndex(({ tracking_number }) => isSameTrackingNumber(tracking_number, number));
    throw invalid(...numbers.map((number) => fullParcel(['body', 'trackings', indexOf(number), 'tracking_number'])));
  };

interface Part {
  told?: Told | undefined;
  /** Trackings of the same request that are written later. */
  toFollow?: readonly TrackingInput[];
  onFull: OnFull;
}

async function upsertOnce(
  shop: ShopIdentity,
  id: { id: string; id_type: OrderIdType },
  order: OrderInput | undefined,
  trackings: readonly TrackingInput[],
  clock: () => Date,
  { told, toFollow = [], onFull }: Part,
): Promise<Upserted> {
  // Those that follow are looked at too, so that a full parcel refuses the request before anything is written.
  const known = await readReferences(shop.slug, id, order, [...trackings, ...toFollow]);
  const before = known.orderId === undefined ? undefined : await loadOrder(shop.slug, known.orderId);
  const isMissing = !before && known.externalOwner === undefined && told?.onlyIfKnown;
  if (isMissing || (!before && (!order || id.id_type === 'uuid'))) throw new ServiceError('order_not_found');
  const isWanted = (tracking: TrackingInput) => !before || !told || !isRemoved(before.order, told, tracking);
  const added = await newTrackings(shop.slug, before, known, trackings.filter(isWanted), toFollow.filter(isWanted));
  if (added.full.length > 0) onFull(added.full);
  const given = { known, trackings: added, told };
  if (!before) return create(shop, numbered(order!), given, clock());
  // Nobody is there to correct what the shop's system sent.
  const accepted = order && told ? withoutPersonal(before.order, orderInputData, order) : order;
  if (accepted) refusePersonal(before.order, orderInputData, accepted);
  return update(shop, before, accepted, given, timeOfChange(before, clock()));
}

interface NewTrackings {
  fresh: readonly TrackingInput[];
  /** Those of the same request that are written later. */
  toFollow: readonly TrackingInput[];
  /** References to trackings that the order has, which were lost. */
  repaired: readonly NumberedShipment[];
  /** The places of the order under the numbers that it shares with others. */
  places: ReadonlyMap<string, number>;
  /** The numbers of parcels that have no room for another order. */
  full: readonly string[];
}

const noTrackings: NewTrackings = { fresh: [], toFollow: [], repaired: [], places: new Map(), full: [] };

/** Leaves out the trackings that the order has, and those that it cannot have. */
async function newTrackings(
  slug: string,
  before: Loaded | undefined,
  { firstOwners }: References,
  trackings: readonly TrackingInput[],
  toFollow: readonly TrackingInput[],
): Promise<NewTrackings> {
  const own = Map.groupBy(before?.shipments.filter(hasNumber) ?? [], comparable);
  const isFresh = (tracking: TrackingInput) => !own.has(comparable(tracking));
  const shared = [...firstOwners.keys()].filter((number) => !own.has(comparableTrackingNumber(number)));
  const known = trackings.flatMap((tracking) => own.get(comparable(tracking)) ?? []);
  const lost = await findLostReferences(slug, known, firstOwners);
  const wanted = [...shared, ...lost.map(({ number }) => number)];
  const places = await findFreePlaces(slug, wanted);
  const full = shared.filter((number) => !places.has(number));
  const hasRoom = ({ tracking_number }: TrackingInput) =>
    !full.some((number) => isSameTrackingNumber(number, tracking_number));
  return {
    fresh: trackings.filter(isFresh).filter(hasRoom),
    toFollow: toFollow.filter(isFresh).filter(hasRoom),
    repaired: lost.filter(({ number }) => places.has(number)),
    places,
    full,
  };
}

const hasNumber = (shipment: Shipment): shipment is Shipment & { tracking_number: string } => !isDraft(shipment);

/** What is known about the order of a request, beside its own fields. */
interface Given {
  known: References;
  trackings: NewTrackings;
  told?: Told | undefined;
}

async function create(
  shop: ShopIdentity,
  input: OrderInput & { order_number: string },
  given: Given,
  now: Date,
): Promise<Upserted> {
  await refuseTaken(shop.slug, input, given.known);
  const order = placedBy(input, given, now);
  await fulfilAndSave(shop, undefined, order, given.trackings, now);
  return { orderId: order.uuid, cancelledAt: order.cancelled_at };
}

function placedBy(input: OrderInput & { order_number: string }, { told: news }: Given, now: Date): Order {
  if (!news) return newOrder(newOrderId(now), input, now);
  const fields = fromSource(input, news.source);
  const order = newOrder(newOrderId(now), fields, now);
  return {
    ...order,
    ...told(undefined, order, { asOf: news.source.asOf, input: fields }),
    cancelled_at: cancelledAfter(undefined, news),
    ...unreadFields({}, news, now.toISOString()),
  };
}

/**
 * The ids of a new order must not belong to another order. A read during the creation of an order may see only one of
 * its two references. The owner then has both ids, so it is this same order, and the retry finds it.
 */
async function refuseTaken(
  slug: string,
  { order_number, external_id = order_number }: OrderInput & { order_number: string },
  { externalOwner, numberOwner }: References,
): Promise<void> {
  const owner = externalOwner ?? numberOwner;
  if (owner === undefined) return;
  const taken = await loadOrder(slug, owner);
  const isThisOne = taken?.order.order_number === order_number && taken.order.external_id === external_id;
  throw !taken || isThisOne ? new WriteConflict([]) : new ServiceError('order_exists');
}

async function update(
  shop: ShopIdentity,
  before: Loaded,
  input: OrderInput | undefined,
  given: Given,
  now: Date,
): Promise<Upserted> {
  const { known, trackings, told: news } = given;
  const { uuid: orderId } = before.order;
  if (input) checkSameNumber(before.order, input);
  // Two orders of the system with one number are not one order.
  const isAnother = input?.external_id !== undefined && input.external_id !== before.order.external_id;
  if (isAnother && news?.hasLastingIds && hasLastingId(before)) throw new ServiceError('order_exists');
  const changed = input ? changedBy(shop, before, input, given, now) : before.order;
  const taken = known.externalOwner !== undefined && known.externalOwner !== orderId;
  if (input?.external_id !== undefined && changed.external_id === input.external_id && taken) {
    throw new ServiceError('order_exists');
  }
  // An update by the merchant is saved even if it changes nothing.
  const isUnchanged = !input || (news && isSameOrder(before.order, changed));
  if (isUnchanged && trackings.fresh.length === 0 && trackings.repaired.length === 0) {
    return { orderId, cancelledAt: news?.cancelledAt && changed.cancelled_at };
  }
  await fulfilAndSave(shop, before, changed, trackings, now);
  return { orderId, cancelledAt: changed.cancelled_at };
}

function changedBy(shop: ShopIdentity, before: Loaded, input: OrderInput, { told: news }: Given, now: Date): Order {
  if (!news) return saidOrder(shop, before, input, now);
  const { asOf } = news.source;
  const all = fromSource(input, news.source, expectedByMerchant(before));
  const fields = newerFields(before, all, asOf);
  const order = changedOrder(before, fields, now, true);
  return {
    ...order,
    ...told(before, order, { asOf, input: fields }),
    cancelled_at: cancelledAfter(before, news),
    ...unreadFields(order, news, now.toISOString()),
  };
}

async function fulfilAndSave(
  shop: ShopIdentity,
  before: Loaded | undefined,
  order: Order,
  { fresh, toFollow, repaired, places }: NewTrackings,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const reopened = before ? reopenedDrafts(before, order, at) : [];
  const changed = new Map(reopened.map((draft) => [draft.uuid, draft]));
  const fullOrder = { order, shipments: before?.shipments.map((one) => changed.get(one.uuid) ?? one) ?? [] };
  const placements = fresh.map((tracking) => newTracking(tracking, order, at));
  const fulfilment = placements.length > 0 ? fulfil(fullOrder, before?.order, placements, at) : undefined;
  const after = withPage(fulfilment?.order ?? order);
  const fulfilled = fulfilment?.shipments ?? [];
  const events = [
    ...outboxEvents('ORDER_CREATED', newDrafts(before?.order, after), at),
    ...outboxEvents('ORDER_PROCESSED', fulfilled, at),
  ];
  const shipments = [...new Map([...reopened, ...fulfilled].map((one) => [one.uuid, one])).values()];
  const parcels = { shipments, fulfilled, toFollow, repaired, places };
  await saveOrder({ shop, before, order: after, ...parcels, events, now: at });
}

/** The drafts that the change added. */
export function newDrafts(before: Order | undefined, after: Order) {
  const old = new Set(before?.drafts.map(({ slot }) => slot));
  return after.drafts.filter(({ slot }) => !old.has(slot)).map((draft) => draftShipment(after, draft));
}

function newTracking(input: TrackingInput, { address }: Order, now: string): NewTracking {
  const { tracking_number, tracking_company, tracking_placed_at, products } = input;
  const carrier = carrierOf(tracking_number, input.carrier_reference, tracking_company, address?.country_code);
  return { tracking_number, ...carrier, placed_at: tracking_placed_at ? utc(tracking_placed_at) : now, products };
}

/** Keeps the first of several trackings with the same number. */
const withoutRepeats = (trackings: readonly TrackingInput[]): TrackingInput[] =>
  [...Map.groupBy(trackings, comparable).values()].map(([first]) => first!);

const comparable = ({ tracking_number }: { tracking_number: string }) => comparableTrackingNumber(tracking_number);
