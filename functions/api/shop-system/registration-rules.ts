import { type ShopWebhookType, shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { Registration } from '#schemas/families/shop-system.ts';
import type { RemoteHook } from './admin-api.ts';

/** Where the shop's system is to send webhooks of a type. */
export const hookUrl = (serviceUrl: string, slug: string, type: ShopWebhookType): string =>
  `${serviceUrl}/v1/shops/${encodeURIComponent(slug)}/shop-system/inbound/${type}`;

export interface NewRegistration {
  uuid: string;
  slug: string;
  type: ShopWebhookType;
  hook: RemoteHook;
  now: Date;
}

export function newRegistration({ uuid, slug, type, hook, now }: NewRegistration): Registration {
  const created_at = now.toISOString();
  return {
    uuid,
    shop_slug: slug,
    webhook_type: type,
    name: type,
    shopify_id: hook.id,
    topic: shopTopics[type],
    hook_url: hook.address,
    fields: hook.fields,
    created_at,
    updated_at: created_at,
  };
}

export const newestFirst = (a: Registration, b: Registration) => (a.uuid < b.uuid ? 1 : -1);
