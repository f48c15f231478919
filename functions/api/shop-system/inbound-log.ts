import { v7 as uuidv7 } from 'uuid';
import { type IntegrationKeyItem, isGivenFor } from '#domain/settings/integration-key.ts';
import type { Unreadable } from '#domain/shop-systems/reading.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { cut } from '#platform/cut.ts';
import type { Implementation } from '#platform/http/request.ts';
import { logger } from '#platform/logging.ts';
import { dueCount } from '#platform/once-a-minute.ts';
import { ignoredTopicPrefix, keyOf, shopWebhooksOf, unreadablePrefix } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type Action, commit, put, update } from '#platform/table/writes.ts';
import { secondsOfDays, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import type { Inbound, shopSystem } from '#schemas/families/shop-system.ts';
import { integrationOf, systemOfShop } from './registration-system.ts';

/** What came from the shop's own system, for the merchant. Nothing of a body is kept, and no value of a field. */

const { keptDays, topicCharacters, unreadableShown, ignoredTopicsShown } = shopWebhookLimits;

/** An execution environment writes it at most once a minute. */
export async function noteReceived(slug: string, topic: string | undefined, now: Date): Promise<void> {
  if (dueCount(`shop ${slug}`, now) === undefined) return;
  await quietly(
    slug,
    update(keyOf.lastShopWebhook(slug), {
      UpdateExpression: 'SET received_at = :at, topic = :topic',
      ExpressionAttributeValues: { ':at': now.toISOString(), ':topic': shown(topic) },
    }),
  );
}

export async function noteIgnored(slug: string, topic: string | undefined, now: Date): Promise<void> {
  const name = shown(topic) ?? '';
  await quietly(
    slug,
    update(keyOf.ignoredTopic(slug, name), {
      UpdateExpression: 'SET topic = :topic, received_at = :at, expires_at = :expires ADD received :one',
      ExpressionAttributeValues: { ':topic': name, ':at': now.toISOString(), ':expires': expiryOf(now), ':one': 1 },
    }),
  );
}

export async function noteUnreadable(
  slug: string,
  topic: string | undefined,
  { reason, field, order }: Unreadable,
  now: Date,
): Promise<void> {
  const item: UnreadableItem = {
    received_at: now.toISOString(),
    topic: shown(topic),
    reason,
    field: shown(field),
    order: shown(order),
    expires_at: expiryOf(now),
  };
  await quietly(slug, put({ ...keyOf.unreadableWebhook(slug, item.received_at, uuidv7()), ...item }));
}

type UnreadableItem = Inbound['unreadable'][number] & Expiring;

interface Expiring {
  expires_at: number;
}

interface Mark {
  received_at: string;
  topic: string | null;
}

interface IgnoredItem extends Expiring {
  topic: string;
  received: number;
  received_at: string;
}

const shown = (text: string | undefined): string | null => (text ? cut(text.toWellFormed(), topicCharacters) : null);

const secondsOf = (now: Date) => Math.floor(now.getTime() / 1000);
const expiryOf = (now: Date) => secondsOf(now) + secondsOfDays(keptDays);

/** The webhook itself must not fail because of this. */
async function quietly(shop: string, action: Action): Promise<void> {
  try {
    await commit([action]);
  } catch (error) {
    logger.warn('a webhook of the shop is not noted', { shop, reason: (error as Error).name });
  }
}

export const getShopInbound: Implementation<typeof shopSystem.getShopInbound> = async ({ shop, now }) => {
  const { slug, shop_provider } = shop;
  const keys = [keyOf.lastShopWebhook(slug), keyOf.integrationKey(slug, integrationOf[systemOfShop(shop)])];
  const [[last, key], ignored, unread] = await Promise.all([
    batchGet(keys) as Promise<[Mark?, IntegrationKeyItem?]>,
    listed<IgnoredItem>(slug, ignoredTopicPrefix, ignoredTopicsShown, now),
    listed<UnreadableItem>(slug, unreadablePrefix, unreadableShown, now),
  ]);
  return {
    shop_provider,
    is_connected: key !== undefined && isUsable(shop, key),
    last_received_at: last?.received_at ?? null,
    last_topic: last?.topic ?? null,
    ignored: ignored
      .map(({ topic, received, received_at }) => ({ topic, count: received, last_received_at: received_at }))
      .sort((a, b) => (a.last_received_at < b.last_received_at ? 1 : -1)),
    unreadable: unread.map(({ received_at, topic, reason, field, order }) => ({
      received_at,
      topic,
      reason,
      field,
      order,
    })),
  };
};

/** A key that the merchant sets is for the address of that moment, and the app has its own for its own. */
function isUsable(shop: ShopItem, key: IntegrationKeyItem): boolean {
  if (systemOfShop(shop) === 'shop_system_2') return key.app !== undefined;
  return !!shop.shop_admin_url && isGivenFor(key, shop.shop_admin_url);
}

/** The table removes what has expired within days. */
async function listed<T extends Expiring>(slug: string, prefix: string, limit: number, now: Date): Promise<T[]> {
  const isKept = (item: object): item is T => (item as Expiring).expires_at > secondsOf(now);
  const toEntry = (item: object) => (isKept(item) ? item : undefined);
  const { entries } = await newestIn<T>(shopWebhooksOf(slug), prefix, { toEntry })(limit, undefined);
  return entries;
}
