import type { ShopIdentity } from '#domain/orders/model.ts';
import { cancelOrder } from '#domain/orders/record-event.ts';
import { type Upserted, upsert } from '#domain/orders/upsert.ts';
import { mappingRulesOf } from '#domain/shop-systems/mapping-rules.ts';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { convertOrder, trackingsOf } from '#domain/shop-systems/shopify/order.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import { utc } from '#platform/time.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import type { ShopWebhookType } from '#schemas/catalogues/shop-webhooks.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import type { ShopFulfilment, ShopOrder } from '#schemas/shapes/shop-payloads.ts';

type InboundRequest = Request<typeof shopSystem.receiveShopWebhook>;

/**
 * Every payload of an order holds the whole order, whatever has happened to it, so all of them are handled alike. The
 * next webhook makes up for one that never came.
 */
export const receiveShopWebhook: Implementation<typeof shopSystem.receiveShopWebhook> = async (delivery) => {
  await receivers[delivery.params.webhook_type]?.(delivery);
  return null;
};

async function receiveOrder({ shop, body, signed, now }: InboundRequest): Promise<void> {
  const { settings, headers } = signed;
  const converted = convertOrder(body as ShopOrder, mappingRulesOf(settings), headers['x-shopify-triggered-at']);
  const { orderId } = await upsertConverted(shop, converted, now);
  const { cancelledAt } = converted;
  // A cancellation is final, so it counts even if the rest of the payload is outdated.
  if (cancelledAt !== undefined) await cancelOrder(shop, orderId, utc(cancelledAt), now);
}

/**
 * Finds the order by its number. A merchant who also sends orders to us may number them in another way: then the id in
 * the shop's system decides, and the merchant's number stays.
 */
async function upsertConverted(
  shop: ShopIdentity,
  { order, trackings, source }: ConvertedOrder,
  now: Date,
): Promise<Upserted> {
  const { order_number, external_id } = order;
  const options = { source, leavesOutFullParcels: true };
  try {
    return await upsert(shop, { id: order_number, id_type: 'order_number', order, trackings }, now, options);
  } catch (error) {
    if (!isError(error, 'order_exists')) throw error;
    const { order_number: _theirs, ...unnumbered } = order;
    return upsert(shop, { id: external_id, id_type: 'external_id', order: unnumbered, trackings }, now, options);
  }
}

async function receiveFulfilment({ shop, body, now }: InboundRequest): Promise<void> {
  const fulfilment = body as ShopFulfilment;
  const trackings = trackingsOf(fulfilment);
  if (trackings.length === 0) return;
  const item = { id: String(fulfilment.order_id), id_type: 'external_id' as const, trackings };
  await upsert(shop, item, now, { leavesOutFullParcels: true }).catch((error) => {
    if (!isError(error, 'order_not_found') || isFresh(fulfilment, now)) throw error;
  });
}

const isError = (error: unknown, key: ErrorKey) => error instanceof ServiceError && error.key === key;

const maxWaitForOrderMs = 3_600_000;

/**
 * The order of a fresh parcel may still be on its way, and the shop's system tries again for hours. A parcel whose
 * order is older than the registration would never find it, and after too many failures the shop's system drops the
 * hook.
 */
const isFresh = ({ created_at }: ShopFulfilment, now: Date): boolean =>
  !!created_at && now.getTime() - Date.parse(utc(created_at)) < maxWaitForOrderMs;

/** The other types are acknowledged and ignored. */
const receivers: Partial<Record<ShopWebhookType, (delivery: InboundRequest) => Promise<void>>> = {
  'order-creation': receiveOrder,
  'order-update': receiveOrder,
  'order-fulfillment': receiveOrder,
  'order-partial-fulfillment': receiveOrder,
  'order-cancelled': receiveOrder,
  'order-fulfillment-update': receiveFulfilment,
};
