/** What the webhooks of a shop's own system report. The contract names the types. */
export const shopWebhookTypes = [
  'order-creation',
  'order-fulfillment',
  'order-partial-fulfillment',
  'order-update',
  'order-cancelled',
  'order-deletion',
  'order-fulfillment-update',
  'product-creation',
  'product-update',
  'product-deletion',
] as const;

export type ShopWebhookType = (typeof shopWebhookTypes)[number];

/** Shopify, Shopware 6 and WooCommerce. */
export const shopSystems = ['shop_system_1', 'shop_system_2', 'shop_system_3'] as const;

export type ShopSystem = (typeof shopSystems)[number];

/**
 * The name that each system has for a type of webhook. A system has no name for what it reports as a change of the order.
 * Sources: https://shopify.dev/docs/api/webhooks, the reference of webhook events in shopware/docs, and
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
 */
export const shopTopics = {
  shop_system_1: {
    'order-creation': 'orders/create',
    'order-fulfillment': 'orders/fulfilled',
    'order-partial-fulfillment': 'orders/partially_fulfilled',
    'order-update': 'orders/updated',
    'order-cancelled': 'orders/cancelled',
    'order-deletion': 'orders/delete',
    'order-fulfillment-update': 'fulfillments/update',
    'product-creation': 'products/create',
    'product-update': 'products/update',
    'product-deletion': 'products/delete',
  },
  shop_system_2: {
    'order-creation': 'checkout.order.placed',
    'order-update': 'order.written',
    'order-cancelled': 'state_enter.order.state.cancelled',
    'order-fulfillment': 'state_enter.order_delivery.state.shipped',
    'order-partial-fulfillment': 'state_enter.order_delivery.state.shipped_partially',
    'order-deletion': 'order.deleted',
  },
  shop_system_3: {
    'order-creation': 'order.created',
    'order-update': 'order.updated',
    'order-deletion': 'order.deleted',
    'product-creation': 'product.created',
    'product-update': 'product.updated',
    'product-deletion': 'product.deleted',
  },
} as const satisfies Record<ShopSystem, Partial<Record<ShopWebhookType, string>>>;

export const topicOf = (system: ShopSystem, type: ShopWebhookType): string | undefined =>
  (shopTopics[system] as Partial<Record<ShopWebhookType, string>>)[type];

/** Why nothing became of a webhook of shop_system_2 or shop_system_3. */
export const unreadableReasons = [
  /** It was cut, or is no JSON at all. */
  'not_json',
  'too_large',
  /** Without `field` it is no order. */
  'field_missing',
  'field_invalid',
  /** The order was read, but it cannot be stored: `field` is the key of the error, such as `order_exists`. */
  'refused',
  /** The webhook only names the order, and the shop's API did not give it. */
  'credentials_missing',
  'credentials_refused',
  'order_not_found',
  'shop_unreachable',
] as const;

export type UnreadableReason = (typeof unreadableReasons)[number];

/** What the shop's system asks about personal data. It is no type of webhook that one registers. */
export const shopPrivacyTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;

export type ShopPrivacyTopic = (typeof shopPrivacyTopics)[number];
