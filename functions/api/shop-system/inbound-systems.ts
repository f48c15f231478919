import type { MappingRule } from '#domain/shop-systems/mapping-rules.ts';
import type { Settled } from '#domain/shop-systems/reading.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { fieldsOf, textOf } from '#platform/foreign-json.ts';

/** How the systems that send their own payloads are read. Their code is loaded only when a webhook of theirs comes. */

interface Delivery {
  shop: ShopItem;
  payload: unknown;
  topic: string | undefined;
  rules: readonly MappingRule[];
  now: Date;
}

interface InboundSystem {
  topicIn: (headers: Record<string, string | undefined>, payload: unknown) => string | undefined;
  readingsOf: (delivery: Delivery) => Promise<Settled[]>;
}

export const inboundSystems: Record<'shop_system_2' | 'shop_system_3', InboundSystem> = {
  shop_system_2: {
    topicIn: (_headers, payload) => textOf(fieldsOf(fieldsOf(payload).data).event),
    readingsOf: async (delivery) => (await import('./inbound-shopware.ts')).readingsOf(delivery),
  },
  shop_system_3: {
    topicIn: (headers) => headers['x-wc-webhook-topic'] || undefined,
    readingsOf: async ({ payload, topic, rules, now }) => {
      const { readWooCommerce } = await import('#domain/shop-systems/woocommerce/order.ts');
      return [readWooCommerce(payload, topic, rules, now)];
    },
  },
};
