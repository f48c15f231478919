import type { Implementation } from '#platform/http/request.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { webhookSecret } from './webhook-secret.ts';

export const getWebhookConfig: Implementation<typeof shopSystem.getWebhookConfig> = async ({ shop, now }) => ({
  webhook_secret: await webhookSecret(shop, now),
});
