import { attributed } from '#domain/orders/analytics-rules.ts';
import { refusePersonal } from '#domain/orders/erased-order.ts';
import type { Order } from '#domain/orders/model.ts';
import { shipmentById, timeOfChange, withShipment } from '#domain/orders/order-rules.ts';
import { findOrderId, type Loaded, loadOrder, type OrderChange, saveOrder } from '#domain/orders/order-store.ts';
import { outboxEvents } from '#domain/orders/outbox.ts';
import { orderInputData, shipmentUpdateData } from '#domain/orders/personal-data.ts';
import { toOrderResponse, toTracking, viewerOf } from '#domain/orders/presentation.ts';
import { saidOrder } from '#domain/orders/told.ts';
import { withPage } from '#domain/orders/tracking-page.ts';
import { newDrafts } from '#domain/orders/upsert.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { clockSince } from '#platform/time.ts';
import type { Attribution, orders } from '#schemas/families/orders.ts';

export const updateOrder: Implementation<typeof orders.updateOrder> = async (request) => {
  const { shop, params, body, now } = request;
  const after = await change(shop, params.order_id.toLowerCase(), now, (before, at) => {
    refusePersonal(before.order, orderInputData, body);
    const order = withPage(saidOrder(shop, before, body, at));
    const events = outboxEvents('ORDER_CREATED', newDrafts(before.order, order), at.toISOString());
    return { order, events };
  });
  return toOrderResponse(after, await viewerOf(request));
};

export const updateOrderShipment: Implementation<typeof orders.updateOrderShipment> = async (request) => {
  const { shop, params, body, now } = request;
  const shipmentId = params.shipment_id.toLowerCase();
  const after = await change(shop, params.order_id.toLowerCase(), now, (before, at) => {
    const shipment = shipmentById(before, shipmentId);
    if (!shipment) throw new ServiceError('shipment_not_found');
    refusePersonal(before.order, shipmentUpdateData, body);
    const { tracking_url = shipment.tracking_url, products } = body;
    const changed = {
      ...shipment,
      tracking_url,
      products: products ?? shipment.products,
      updated_at: at.toISOString(),
    };
    const isDraftLine = before.order.drafts.length > 0 && !before.versions.has(shipmentId);
    return { shipments: [changed], ...(isDraftLine && { order: withShipment(before.order, shipment) }) };
  });
  const shipment = after.shipments.find(({ uuid }) => uuid === shipmentId)!;
  return toTracking(shipment, after.order, await viewerOf(request));
};

export const upsertAttribution: Implementation<typeof orders.upsertAttribution> = async ({ shop, body, now }) => {
  const orderId = await findOrderId(shop.slug, body.id, body.id_type);
  if (orderId === undefined) throw new ServiceError('order_not_found');
  await change(shop, orderId, now, ({ order }, at) => {
    const { id: _, id_type: __, ...order_analytics } = body;
    refusePersonal(order, orderInputData, { order_analytics });
    return { order: withAttribution(order, body, at) };
  });
  return null;
};

const withAttribution = (order: Order, attribution: Attribution, now: Date): Order => ({
  ...order,
  order_analytics: attributed(order.order_analytics, attribution),
  updated_at: now.toISOString(),
});

type Decision = Pick<OrderChange, 'order' | 'shipments' | 'events'>;

/** Reads an order, decides, and writes. Returns the order after the change. */
function change(
  shop: OrderChange['shop'],
  orderId: string,
  now: Date,
  decide: (before: Loaded, at: Date) => Decision,
): Promise<Loaded> {
  const clock = clockSince(now);
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, orderId);
    if (!before) throw new ServiceError('order_not_found');
    const at = timeOfChange(before, clock());
    const decision = decide(before, at);
    await saveOrder({ shop, before, now: at.toISOString(), ...decision });
    return { ...before, order: decision.order ?? before.order, shipments: merged(before, decision) };
  });
}

function merged({ shipments }: Loaded, { shipments: changed = [] }: Decision) {
  const ids = new Set(changed.map(({ uuid }) => uuid));
  return [...shipments.filter(({ uuid }) => !ids.has(uuid)), ...changed];
}
