import { detectCarriers } from '#domain/carriers/detect.ts';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { allShipments, nextSlot, timeOfChange, withoutShipment, withShipment } from '#domain/orders/order-rules.ts';
import { findOrderId, type Loaded, loadOrder, type OrderChange, saveOrder } from '#domain/orders/order-store.ts';
import { outboxEvents } from '#domain/orders/outbox.ts';
import { toShipmentRecord, viewerOf } from '#domain/orders/presentation.ts';
import { asDraft, fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { findFreePlaces, findOwnReferences, referenceNumbers } from '#domain/orders/tracking-references.ts';
import { carrierOf, checkCarrierReferences, fullParcel } from '#domain/orders/upsert-rules.ts';
import { invalid, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { clockSince, utc } from '#platform/time.ts';
import { isSameTrackingNumber } from '#platform/tracking-number.ts';
import type { ShipmentCreate, shipments } from '#schemas/families/shipments.ts';

export const createShipment: Implementation<typeof shipments.createShipment> = async (request) => {
  const { shop, body, now } = request;
  checkCarrierReferences([body.carrier_reference], () => ['body', 'carrier_reference']);
  const clock = clockSince(now);
  const { order, shipment } = await retryOnConflict(async () => {
    const orderId = await findOrderId(shop.slug, body.order_id, body.order_id_type);
    const before = orderId === undefined ? undefined : await loadOrder(shop.slug, orderId);
    if (!before) throw new ServiceError('order_not_found');
    const places = await placesFor(shop.slug, before, body.tracking_number);
    const at = timeOfChange(before, clock()).toISOString();
    const created = shipmentFrom(body, before.order, at);
    const order = { ...withShipment(before.order, created), updated_at: at };
    const isFulfilled = created.tracking_number !== null;
    const events = outboxEvents(isFulfilled ? 'ORDER_PROCESSED' : 'ORDER_CREATED', [created], at);
    await saveOrder({
      shop,
      before,
      order,
      shipments: [created],
      fulfilled: isFulfilled ? [created] : [],
      events,
      places,
      now: at,
    });
    return { order, shipment: created };
  });
  return toShipmentRecord(shipment, order, await viewerOf(request));
};

type Places = NonNullable<OrderChange['places']>;

async function placesFor(slug: string, { shipments }: Loaded, number: string | null | undefined): Promise<Places> {
  if (!number) return new Map();
  if (shipments.some((one) => isSameTrackingNumber(one.tracking_number, number)))
    throw new ServiceError('shipment_exists');
  const numbers = referenceNumbers(number);
  const places = await findFreePlaces(slug, numbers);
  if (places.size < numbers.length) throw invalid(fullParcel(['body', 'tracking_number']));
  return places;
}

function shipmentFrom(body: ShipmentCreate, order: Order, at: string): Shipment {
  const { tracking_number, external_shipment_id = null, products, direction } = body;
  const shipment: Shipment = {
    ...newShipment(order, nextSlot(order), direction, at),
    external_shipment_id,
    products: products?.map(withoutNulls) ?? null,
  };
  if (!tracking_number) return { ...asDraft(shipment), carrier_reference: body.carrier_reference ?? null };
  const carrier = carrierOf(tracking_number, body.carrier_reference, null, order.address?.country_code);
  return fulfilled(shipment, { tracking_number, ...carrier, placed_at: utc(body.tracking_placed_at ?? at) }, at);
}

const withoutNulls = (product: object) =>
  Object.fromEntries(Object.entries(product).filter(([, value]) => value !== null));

export const deleteShipment: Implementation<typeof shipments.deleteShipment> = async ({ shop, params, now }) => {
  const clock = clockSince(now);
  await retryOnConflict(async () => {
    const orderId = await findByAnyId(shop.slug, params.order_id);
    const before = orderId === undefined ? undefined : await loadOrder(shop.slug, orderId);
    if (!before) throw new ServiceError('order_not_found');
    const shipment = findShipment(before, params.shipment_id);
    if (!shipment) throw new ServiceError('shipment_not_found');
    const at = timeOfChange(before, clock()).toISOString();
    const { order, draft } = withoutShipment(before, shipment, at);
    await saveOrder({
      shop,
      before,
      order,
      shipments: draft ? [draft] : [],
      // A draft that is a line of the order has no item to remove.
      removed: before.versions.has(shipment.uuid) ? [shipment] : [],
      dropped: await findOwnReferences(shop.slug, shipment),
      now: at,
    });
  });
  return null;
};

/** By its tracking number or its uuid. */
function findShipment(loaded: Loaded, id: string): Shipment | undefined {
  const all = allShipments(loaded);
  return (
    all.find(({ tracking_number }) => tracking_number === id) ??
    all.find(({ tracking_number }) => isSameTrackingNumber(tracking_number, id)) ??
    all.find(({ uuid }) => uuid === id.toLowerCase())
  );
}

/**
 * The path does not say which kind of id it holds, so it is tried as a uuid, then as an order number, then as an
 * external id.
 */
async function findByAnyId(slug: string, id: string): Promise<string | undefined> {
  const uuid = await findOrderId(slug, id, 'uuid');
  if (uuid !== undefined && (await loadOrder(slug, uuid))) return uuid;
  return (await findOrderId(slug, id, 'order_number')) ?? (await findOrderId(slug, id, 'external_id'));
}

export const detectCarrier: Implementation<typeof shipments.detectCarrier> = ({ query }) => {
  const { carrier_reference, candidates } = detectCarriers({
    trackingNumber: query.tracking_number,
    trackingCompany: query.tracking_company ?? null,
    countryCode: query.country_code ?? null,
  });
  return {
    carrier_reference,
    candidates: candidates.map(({ carrier_reference: reference, name, checksum, reasons }) => ({
      carrier_reference: reference,
      name,
      checksum,
      reasons: [...reasons],
    })),
  };
};
