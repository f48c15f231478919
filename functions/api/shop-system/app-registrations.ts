import { v7 as uuidv7 } from 'uuid';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, put } from '#platform/table/writes.ts';
import { type ShopWebhookType, shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { Registration } from '#schemas/families/shop-system.ts';
import { hookUrl } from './hook-url.ts';
import { registrationsOf, removalOf } from './registration-store.ts';
import { systemOfRegistration } from './registration-system.ts';

/** The webhooks of the manifest. They replace registrations of a system that the shop had before. */
export async function putAppRegistrations({ slug }: ShopItem, serviceUrl: string, now: Date): Promise<Action[]> {
  const known = (await registrationsOf(slug)).filter(isOfApp);
  return Object.entries(shopTopics.shop_system_2).map(([type, topic]) => {
    const at = now.toISOString();
    const registration: Registration = {
      uuid: uuidv7({ msecs: now.getTime() }),
      created_at: at,
      ...known.find(({ webhook_type }) => webhook_type === type),
      shop_slug: slug,
      webhook_type: type as ShopWebhookType,
      name: type,
      // The shop tells no id. The name is unique in the app.
      external_id: type,
      shopify_id: null,
      topic,
      hook_url: hookUrl(serviceUrl, slug, type),
      fields: [],
      updated_at: at,
    };
    return put({ ...keyOf.registration(slug, type), ...registration });
  });
}

export const removeAppRegistrations = async ({ slug }: ShopItem): Promise<Action[]> =>
  (await registrationsOf(slug)).filter(isOfApp).map(removalOf);

const isOfApp = (registration: Registration): boolean => systemOfRegistration(registration) === 'shop_system_2';
