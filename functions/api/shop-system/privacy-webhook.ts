import type { Person } from '#domain/privacy/request.ts';
import { type Asked, startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { clip } from '#domain/shop-systems/fields.ts';
import { invalidValue } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { normalizeEmail } from '#platform/table/keys.ts';
import { orderTexts } from '#schemas/catalogues/limits.ts';
import { type ShopPrivacyTopic, shopPrivacyTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import type { ShopPrivacyRequest } from '#schemas/shapes/shop-payloads.ts';

/** Only starts the work: the shop's system waits five seconds for an answer, and thirty days for the deed. */
export const receiveShopPrivacyWebhook: Implementation<typeof shopSystem.receiveShopPrivacyWebhook> = async (
  delivery,
) => {
  const { shop, body, signed, now } = delivery;
  const asked = askedBy(topicOf(signed.headers['x-shopify-topic'], body), body);
  if (asked) await startPrivacyRequest(shop, asked, now);
  return null;
};

/**
 * What the request is. Its payload tells it too, if the header is missing; but only the header can say that all customers
 * of the shop are meant.
 */
function topicOf(header: string | undefined, payload: ShopPrivacyRequest): ShopPrivacyTopic {
  const named = shopPrivacyTopics.find((topic) => topic === header);
  if (named) return named;
  if (header === undefined && payload.orders_to_redact) return 'customers/redact';
  if (header === undefined && payload.customer) return 'customers/data_request';
  throw invalidValue(['header', 'X-Shopify-Topic'], `must be one of ${shopPrivacyTopics.join(', ')}`);
}

const requested_by = 'shop_system';

/** Undefined if it names nobody: there is nothing to do, and a refused request would come again and again. */
function askedBy(topic: ShopPrivacyTopic, payload: ShopPrivacyRequest): Asked | undefined {
  if (topic === 'shop/redact') return { kind: 'erasure', person: { all_orders: true }, requested_by };
  const isErasure = topic === 'customers/redact';
  const orders = isErasure ? payload.orders_to_redact : payload.orders_requested;
  const person = personOf(payload.customer, orders ?? []);
  if (Object.keys(person).length === 0) return undefined;
  const reference = payload.data_request?.id ? `data_request ${payload.data_request.id}` : null;
  return { kind: isErasure ? 'erasure' : 'disclosure', person, reference, requested_by };
}

function personOf(customer: ShopPrivacyRequest['customer'], orders: readonly number[]): Person {
  // As an order keeps it.
  const email = clip(customer?.email ?? '', orderTexts.email_id);
  return {
    ...(normalizeEmail(email) !== '' && { email_id: email }),
    ...(customer?.id && { external_customer_id: String(customer.id) }),
    ...(orders.length > 0 && { external_ids: [...new Set(orders)].map(String) }),
  };
}
