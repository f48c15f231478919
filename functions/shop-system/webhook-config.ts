import type { shopSystem } from '#schemas/shop-system.ts';
import type { Implementation } from '#shared/request.ts';
import { webhookSecret } from './webhook-secret.ts';

export const getWebhookConfig: Implementation<typeof shopSystem.getWebhookConfig> = async ({ shop, now }) => ({
  webhook_secret: await webhookSecret(shop, now),
});
