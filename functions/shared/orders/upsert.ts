import type { OrderIdType, OrderInput, TrackingInput } from '#schemas/order-shapes.ts';
import type { OrderUpsert } from '#schemas/orders.ts';
import { ApiError } from '#shared/api-error.ts';
import { retryLostRaces } from '#shared/retrying.ts';
import { carrierOf } from './carrier-of.ts';
import { fulfil, type NewTracking } from './fulfilment-rules.ts';
import type { Order } from './model.ts';
import { utc } from './model.ts';
import type { Loaded } from './order-actions.ts';
import { newOrderId } from './order-ids.ts';
import { changedOrder, newOrder } from './order-rules.ts';
import { loadOrder, saveOrder } from './order-store.ts';
import { outboxEvents } from './outbox.ts';
import { pack } from './packing.ts';
import { type References, readReferences } from './references.ts';
import { draftShipment } from './shipment-rules.ts';
import { checkCarrierReferences, checkSameNumber, identified, numbered } from './upsert-rules.ts';

export interface ShopIdentity {
  slug: string;
  uuid: string;
}

/** Two actions for each tracking and at most eight for the rest stay within the 100 of a transaction. */
const trackingsAtOnce = 46;

/** Creates, updates and fulfils an order. Whatever dies in between, sending the same again completes it. */
export async function upsert(shop: ShopIdentity, item: OrderUpsert, now: Date): Promise<void> {
  const order = identified(item);
  checkCarrierReferences(
    item.trackings.map(({ carrier_reference }) => carrier_reference),
    (i) => ['body', 'trackings', i, 'carrier_reference'],
  );
  const trackings = withoutRepeats(item.trackings);
  for (const { products } of trackings) pack(products ?? []); // one that is too large refuses the whole request
  const part = trackings.slice(0, trackingsAtOnce);
  const orderId = await retryLostRaces(() => upsertOnce(shop, item, order, part, now));
  const rest = trackings.slice(trackingsAtOnce);
  if (rest.length === 0) return;
  const same = { id: orderId, id_type: 'uuid' as const };
  await retryLostRaces(() => upsertOnce(shop, same, undefined, rest, now));
}

/** Places an order, unless its number is taken: then nothing changes. */
export async function place(
  shop: ShopIdentity,
  order: OrderInput & { order_number: string },
  now: Date,
): Promise<void> {
  const id = { id: order.order_number, id_type: 'order_number' as const };
  await retryLostRaces(async () => {
    const known = await readReferences(shop.slug, id, order, []);
    if (known.orderId === undefined) await create(shop, order, known, [], now);
  });
}

async function upsertOnce(
  shop: ShopIdentity,
  id: { id: string; id_type: OrderIdType },
  order: OrderInput | undefined,
  trackings: readonly TrackingInput[],
  now: Date,
): Promise<string> {
  const known = await readReferences(shop.slug, id, order, trackings);
  const before = known.orderId === undefined ? undefined : await loadOrder(shop.slug, known.orderId);
  const fresh = trackings.filter(({ tracking_number }) => !known.trackings.has(tracking_number));
  if (before) return update(shop, before, order, known, fresh, now);
  if (!order || id.id_type === 'uuid') throw new ApiError('order_not_found');
  return create(shop, numbered(order), known, fresh, now);
}

async function create(
  shop: ShopIdentity,
  input: OrderInput & { order_number: string },
  known: References,
  trackings: readonly TrackingInput[],
  now: Date,
): Promise<string> {
  if (known.externalOwner !== undefined || known.numberOwner !== undefined) throw new ApiError('order_exists');
  const placed = newOrder(newOrderId(now), input, now);
  await save(shop, undefined, placed, trackings, now);
  return placed.uuid;
}

async function update(
  shop: ShopIdentity,
  before: Loaded,
  input: OrderInput | undefined,
  known: References,
  trackings: readonly TrackingInput[],
  now: Date,
): Promise<string> {
  const { uuid } = before.order;
  if (input) {
    checkSameNumber(before.order, input);
    const taken = known.externalOwner !== undefined && known.externalOwner !== uuid;
    if (input.external_id !== undefined && taken) throw new ApiError('order_exists');
  }
  if (!input && trackings.length === 0) return uuid;
  await save(shop, before, input ? changedOrder(before, input, now) : before.order, trackings, now);
  return uuid;
}

async function save(
  shop: ShopIdentity,
  before: Loaded | undefined,
  order: Order,
  trackings: readonly TrackingInput[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const book = { order, shipments: before?.shipments ?? [] };
  const placements = trackings.map((tracking) => newTracking(tracking, order, at));
  const fulfilment = placements.length > 0 ? fulfil(book, before?.order, placements, at) : undefined;
  const after = fulfilment?.order ?? order;
  const fulfilled = fulfilment?.shipments ?? [];
  const events = [
    ...outboxEvents('ORDER_CREATED', newDrafts(before?.order, after), at),
    ...outboxEvents('ORDER_PROCESSED', fulfilled, at),
  ];
  await saveOrder({ shop, before, order: after, shipments: fulfilled, fulfilled, events, now: at });
}

/** Drafts that the change made. */
export function newDrafts(before: Order | undefined, after: Order) {
  const old = new Set(before?.drafts.map(({ slot }) => slot));
  return after.drafts.filter(({ slot }) => !old.has(slot)).map((draft) => draftShipment(after, draft));
}

function newTracking(input: TrackingInput, { address }: Order, now: string): NewTracking {
  const { tracking_number, tracking_company, tracking_placed_at, products } = input;
  const carrier = carrierOf(tracking_number, input.carrier_reference, tracking_company, address?.country_code);
  return { tracking_number, ...carrier, placed_at: tracking_placed_at ? utc(tracking_placed_at) : now, products };
}

/** The first of several with one number. */
function withoutRepeats(trackings: readonly TrackingInput[]): TrackingInput[] {
  const seen = new Set<string>();
  return trackings.filter(({ tracking_number }) => !seen.has(tracking_number) && seen.add(tracking_number));
}
