import { upsert } from '#domain/orders/upsert.ts';
import { mappingRulesOf } from '#domain/shop-systems/mapping-rules.ts';
import { convertOrder, trackingsOf } from '#domain/shop-systems/shopify/order.ts';
import type { Request } from '#platform/http/request.ts';
import { utc } from '#platform/time.ts';
import type { ShopWebhookType } from '#schemas/catalogues/shop-webhooks.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import type { ShopFulfilment, ShopOrder } from '#schemas/shapes/shop-payloads.ts';
import { isError, storeConverted } from './store-converted.ts';

type InboundRequest = Request<typeof shopSystem.receiveShopWebhook>;

/**
 * Every payload of an order holds the whole order, whatever has happened to it, so all of them are handled alike. The
 * next webhook makes up for one that never came.
 */
export async function receiveFromShopify(delivery: InboundRequest): Promise<void> {
  await receivers[delivery.params.webhook_type]?.(delivery);
}

async function receiveOrder({ shop, body, signed, now }: InboundRequest): Promise<void> {
  const { settings, headers } = signed;
  const rules = mappingRulesOf(settings, 'shop_system_1');
  await storeConverted(shop, convertOrder(body as ShopOrder, rules, headers['x-shopify-triggered-at']), now);
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
