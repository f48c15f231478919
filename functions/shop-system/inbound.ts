import type { ShopFulfilment, ShopOrder } from '#schemas/shop-payloads.ts';
import type { shopSystem } from '#schemas/shop-system.ts';
import type { ShopWebhookType } from '#schemas/shop-webhooks.ts';
import { ApiError } from '#shared/api-error.ts';
import { cancelOrder } from '#shared/orders/cancellation.ts';
import { utc } from '#shared/orders/model.ts';
import { upsert } from '#shared/orders/upsert.ts';
import type { Implementation, Request } from '#shared/request.ts';
import { mappingRulesOf } from './mapping-rules.ts';
import { toldOrder, trackingsOf } from './shop-order.ts';

type Delivery = Request<typeof shopSystem.receiveShopWebhook>;

/**
 * Every payload of an order tells the whole of it, whatever has happened to it, so all of them are taken alike: a
 * webhook that never came is made up for by the next one.
 */
export const receiveShopWebhook: Implementation<typeof shopSystem.receiveShopWebhook> = async (delivery) => {
  await receivers[delivery.params.webhook_type]?.(delivery);
  return null;
};

async function receiveOrder({ shop, body, signed, now }: Delivery): Promise<void> {
  const rules = mappingRulesOf(signed.settings);
  const { order, trackings, cancelledAt, source } = toldOrder(
    body as ShopOrder,
    rules,
    signed.headers['x-shopify-triggered-at'],
  );
  const item = { id: order.order_number, id_type: 'order_number' as const, order, trackings };
  const { orderId } = await upsert(shop, item, now, source);
  // Whoever cancelled an order did so for good: this holds also where the rest of the payload is outdated.
  if (cancelledAt !== undefined) await cancelOrder(shop, orderId, utc(cancelledAt), now);
}

async function receiveFulfilment({ shop, body, now }: Delivery): Promise<void> {
  const fulfilment = body as ShopFulfilment;
  const trackings = trackingsOf(fulfilment);
  if (trackings.length === 0) return;
  const item = { id: String(fulfilment.order_id), id_type: 'external_id' as const, trackings };
  await upsert(shop, item, now).catch((error) => {
    if (!isUnknownOrder(error) || isFresh(fulfilment, now)) throw error;
  });
}

const isUnknownOrder = (error: unknown) => error instanceof ApiError && error.key === 'order_not_found';

const waitsForItsOrderMs = 3_600_000;

/**
 * The order of a fresh parcel may still be on its way, and the shop's system tries again for hours. One of an order from
 * before the registration would never find it, and too many failures make the shop's system drop the hook.
 */
const isFresh = ({ created_at }: ShopFulfilment, now: Date): boolean =>
  !!created_at && now.getTime() - Date.parse(utc(created_at)) < waitsForItsOrderMs;

/** What is not here is acknowledged, and nothing more. */
const receivers: Partial<Record<ShopWebhookType, (delivery: Delivery) => Promise<void>>> = {
  'order-creation': receiveOrder,
  'order-update': receiveOrder,
  'order-fulfillment': receiveOrder,
  'order-partial-fulfillment': receiveOrder,
  'order-cancelled': receiveOrder,
  'order-fulfillment-update': receiveFulfilment,
};
