/** The types of webhooks from the shop's system, each with the system's own name for it. */
export const shopTopics = {
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
} as const;

export type ShopWebhookType = keyof typeof shopTopics;

export const shopWebhookTypes = Object.keys(shopTopics) as [ShopWebhookType, ...ShopWebhookType[]];

/** What the shop's system asks about personal data. It is no type of webhook that one registers. */
export const shopPrivacyTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;

export type ShopPrivacyTopic = (typeof shopPrivacyTopics)[number];
