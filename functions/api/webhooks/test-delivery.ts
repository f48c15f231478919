import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { testEvent } from '#domain/payload/test-event.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { webhooks } from '#schemas/families/webhooks.ts';
import { requireActiveEndpoint } from './endpoint-lookup.ts';

export const testWebhook: Implementation<typeof webhooks.testWebhook> = async ({ shop, params, now }) => {
  const { uuid } = await requireActiveEndpoint(shop.slug, params.uuid);
  const { occasion, body } = testEvent(await viewerOf({ shop, language: shop.language ?? 'en' }), now);
  const delivery = newDelivery(occasion, { id: uuid, kind: 'webhook' }, now);
  await createDelivery(delivery, body, { wake: { probe: true } });
  return { delivery_id: delivery.id };
};
