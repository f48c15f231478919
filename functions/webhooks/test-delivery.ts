import type { webhooks } from '#schemas/webhooks.ts';
import { newDelivery } from '#shared/deliveries/delivery-items.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import { viewerOf } from '#shared/orders/presentation.ts';
import { testEvent } from '#shared/payload/test-event.ts';
import type { Implementation } from '#shared/request.ts';
import { requireActiveEndpoint } from './endpoint-lookup.ts';

export const testWebhook: Implementation<typeof webhooks.testWebhook> = async ({ shop, params, now }) => {
  const { uuid } = await requireActiveEndpoint(shop.slug, params.uuid);
  const { occasion, body } = testEvent(await viewerOf({ shop, language: shop.language ?? 'en' }), now);
  const delivery = newDelivery(occasion, { id: uuid, kind: 'webhook' }, now);
  await createDelivery(delivery, body, { wake: { probe: true } });
  return { delivery_id: delivery.id };
};
