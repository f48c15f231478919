import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { analyticsScenarios } from './analytics-scenarios.ts';
import { automationScenarios } from './automations-scenarios.ts';
import { claimScenarios } from './claims-scenarios.ts';
import { emailScenarios } from './emails-scenarios.ts';
import { feedScenarios } from './feed-scenarios.ts';
import { imagesScenarios } from './images-scenarios.ts';
import { longListScenarios } from './long-lists-scenarios.ts';
import type { MeasuredShop } from './measured-shop.ts';
import { operationsScenarios } from './operations-scenarios.ts';
import { pagesScenarios } from './pages-scenarios.ts';
import { privacyScenarios } from './privacy-scenarios.ts';
import { promotionScenarios } from './promotion-scenarios.ts';
import { recordScenarios } from './records-scenarios.ts';
import { sessionScenarios } from './sessions-scenarios.ts';
import { settingsScenarios } from './settings-scenarios.ts';
import { shopSystemScenarios } from './shop-system-scenarios.ts';
import { simulationScenarios } from './simulations-scenarios.ts';
import { statisticsScenarios } from './statistics-scenarios.ts';
import { trackingProviderScenarios } from './tracking-providers-scenarios.ts';
import { withdrawalScenarios } from './withdrawals-scenarios.ts';

/** A request whose cost is part of the contract. `access` says in words what `code` does to the table. */
export interface Scenario {
  operation: string;
  case?: string;
  access: string;
  code: string;
  /** What the operation must not exceed, whatever the table says. */
  maxReadUnits?: number;
  /** What is read depends on the time of day: the table has the maximum. */
  varies?: boolean;
  /** Not counted; `run` gets its result. */
  prepare?: (shop: MeasuredShop) => Promise<string>;
  run: (shop: MeasuredShop, prepared: string) => Promise<{ status: number }>;
}

const shops = 'functions/api/shops/shop-store.ts';
const apiKeys = 'functions/api/shops/api-keys.ts';
const integrationKeys = 'functions/api/shops/integration-keys.ts';
const access = 'functions/platform/access/caller.ts';

const key = '`KEYS#username` / token id';
const shop = '`SHOP#slug` / `SHOP`';

const orders = 'functions/domain/orders/order-store.ts';
const references = 'functions/domain/orders/upsert.ts';
const orderIndex = 'functions/api/orders/order-index.ts';
const shipmentIndex = 'functions/api/shipments/shipment-index.ts';
const endpoints = 'functions/domain/endpoints/endpoint-store.ts';
const endpointWrites = 'functions/api/webhooks/endpoint-writes.ts';
const deliveries = 'functions/domain/deliveries/delivery-store.ts';
const authenticated = `${key}; ${shop}`;
const endpoint = '`SHOP#slug` / `WEBHOOK#uuid`';
const delivery = '`DELIVERIES#slug#uuid#shard` / `DELIVERY#id`';
const integrationDelivery = '`DELIVERIES#slug#integration#shard` / `DELIVERY#id`';
const reachable = '`SHOP#slug` / `SETTINGS`, `INTEGRATION#id`';
const wholeOrder = 'all of `ORDER#slug#uuid`';

/** A search of orders by one filter: its index, then the orders and their shipments by their keys. */
const orderSearch = (filter: string, query: (shop: MeasuredShop) => string, index: string): Scenario => ({
  operation: 'searchOrders',
  case: filter,
  access: `${authenticated}; ${index}; orders and shipments`,
  code: orderIndex,
  run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/orders?${query(shop)}`),
});

const quickSearch = (what: string, text: (shop: MeasuredShop) => string, access: string): Scenario => ({
  operation: 'search',
  case: what,
  access: `${authenticated}; ${access}; orders and shipments`,
  code: 'functions/api/orders/quick-search.ts',
  run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/search?q=${encodeURIComponent(text(shop))}`),
});

/** Makes new orders in one parcel, and gives its tracking number. */
const sharedParcel =
  (orders: number) =>
  async ({ call, slug, fresh }: MeasuredShop): Promise<string> => {
    const tracking_number = fresh();
    for (let i = 0; i < orders; i++) {
      await call('PUT', `/v1/shops/${slug}/orders`, { id: fresh(), order: {}, trackings: [{ tracking_number }] });
    }
    return tracking_number;
  };

export const scenarios: Scenario[] = [
  {
    operation: 'getHealth',
    access: 'nothing',
    code: 'functions/api/meta/handler.ts',
    run: ({ call }) => call('GET', '/health'),
  },
  {
    operation: 'getDescription',
    access: 'nothing',
    code: 'functions/api/meta/documents.ts',
    run: ({ call }) => call('GET', '/v1/openapi.json'),
  },
  {
    operation: 'getDocs',
    access: 'nothing',
    code: 'functions/api/meta/documents.ts',
    run: ({ call }) => call('GET', '/docs'),
  },
  {
    operation: 'getDocsPage',
    access: 'nothing',
    code: 'functions/api/meta/documents.ts',
    run: ({ call }) => call('GET', '/docs/orders'),
  },
  {
    operation: 'createShop',
    access: `${key}; then ${shop} and \`SHOP#slug\` / \`SETTINGS\` in one transaction, if there is no \`PRIVACY#slug\` / \`REMOVAL\``,
    code: shops,
    run: ({ call, fresh }) => call('POST', '/v1/shops', { name: 'A shop of costs', slug: fresh() }),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, first page of 30',
    access: `${key}; index \`lists\`: \`SHOPS\`, newest first; start of the next page kept`,
    code: shops,
    run: ({ call }) => call('GET', '/v1/shops'),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, by uuid',
    access: `${key}; index \`lists\`: \`SHOPS\` / uuid`,
    code: shops,
    run: ({ call, uuid }) => call('GET', `/v1/shops?uuid=${uuid}`),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, by slug',
    access: `${key}; ${shop}`,
    code: shops,
    run: ({ call, slug }) => call('GET', `/v1/shops?slug=${slug}`),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, another filter, over 40 shops',
    access: `${key}; index \`lists\`: \`SHOPS\`, until the page is full`,
    code: shops,
    run: ({ call }) => call('GET', '/v1/shops?language=fi'),
  },
  {
    operation: 'searchShops',
    case: "a shop's key",
    access: `${key}; ${shop} of the key's shops; \`KEYUSES#slug\` / token id, once a day in each environment`,
    code: shops,
    run: ({ callAsShop }) => callAsShop('GET', '/v1/shops'),
  },
  {
    operation: 'getShop',
    access: `${key}; ${shop}`,
    code: access,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}`),
  },
  {
    operation: 'getShopAddresses',
    access: `${key}; ${shop}`,
    code: access,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/addresses`),
  },
  {
    operation: 'updateShop',
    access: `${key}; ${shop}, read, then updated with \`STOREFRONT#slug\` / \`VERSION\` in one transaction`,
    code: shops,
    run: ({ call, slug }) => call('PATCH', `/v1/shops/${slug}`, { description: 'An updated shop' }),
  },
  {
    operation: 'deleteShop',
    case: 'without API keys, and without the work that follows',
    access: `${key}; ${shop}; delete \`SHOP#slug\` / \`SHOP\`, put \`PRIVACY#slug\` / \`REMOVAL\`, count up \`STOREFRONT#slug\` / \`VERSION\` in one transaction; all of \`KEYS#slug\``,
    code: shops,
    run: ({ call }) => call('DELETE', '/v1/shops/cost-shop-040?confirm=cost-shop-040'),
  },
  {
    operation: 'listApiKeys',
    access: `${key}; ${shop}; all of \`KEYS#slug\` and \`KEYUSES#slug\``,
    code: apiKeys,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/api-keys`),
  },
  {
    operation: 'createApiKey',
    access: `${key}; ${shop}; put \`KEYS#slug\` / token id`,
    code: apiKeys,
    run: ({ call, slug }) => call('POST', `/v1/shops/${slug}/api-keys`),
  },
  {
    operation: 'deleteApiKey',
    access: `${key}; ${shop}; delete token id of \`KEYS#slug\` and \`KEYUSES#slug\``,
    code: apiKeys,
    run: ({ call, slug, tokenId }) => call('DELETE', `/v1/shops/${slug}/api-keys/${tokenId}`),
  },
  {
    operation: 'setIntegrationKey',
    access: `${key}; ${shop}; put \`SHOP#slug\` / \`INTEGRATION#id\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('PUT', `/v1/shops/${slug}/keys/integration_1`, { api_key: '0123456789abcdef' }),
  },
  {
    operation: 'setIntegrationKey',
    case: 'with an address in the settings',
    access: `${key}; ${shop}; \`SHOP#slug\` / \`SETTINGS\`; put \`SHOP#slug\` / \`INTEGRATION#id\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('PUT', `/v1/shops/${slug}/keys/integration_3`, { api_key: '0123456789abcdef' }),
  },
  {
    operation: 'listIntegrationKeys',
    access: `${key}; ${shop}; \`SHOP#slug\` / \`INTEGRATION#…\`, \`SETTINGS\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/keys`),
  },
  {
    operation: 'deleteIntegrationKey',
    access: `${key}; ${shop}; delete \`SHOP#slug\` / \`INTEGRATION#id\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('DELETE', `/v1/shops/${slug}/keys/integration_1`),
  },
  ...settingsScenarios,
  ...imagesScenarios,
  {
    operation: 'upsertOrder',
    case: 'new, one draft',
    access: `${authenticated}; number and external id; order with its event, both references and \`PAGE#token\` / \`REF\` in one transaction`,
    code: references,
    run: ({ call, slug, fresh }) => call('PUT', `/v1/shops/${slug}/orders`, { id: fresh(), order: {}, trackings: [] }),
  },
  {
    operation: 'upsertOrder',
    case: 'fulfilment with one tracking',
    access: `${authenticated}; references; ${wholeOrder}; order, shipment with its event, tracking`,
    code: orders,
    run: ({ call, slug, draftOrder, fresh }) =>
      call('PUT', `/v1/shops/${slug}/orders`, {
        id: draftOrder,
        trackings: [{ tracking_number: comparableTrackingNumber(fresh()) }],
      }),
  },
  {
    operation: 'placeOrder',
    access: `${authenticated}; number and external id; the same transaction as a new upsert`,
    code: references,
    run: ({ call, slug, fresh }) => {
      const order_number = fresh();
      return call('POST', `/v1/shops/${slug}/orders`, { order_number, external_id: `x-${order_number}`, address: {} });
    },
  },
  {
    operation: 'fulfilOrders',
    case: 'two orders, one tracking each',
    access: `${authenticated}; twice what \`upsertOrder\` does`,
    code: orders,
    run: ({ call, slug, bulkOrders: [a, b], fresh }) =>
      call('PUT', `/v1/shops/${slug}/orders/bulk`, [
        { id: a, trackings: [{ tracking_number: comparableTrackingNumber(fresh()) }] },
        { id: b, trackings: [{ tracking_number: comparableTrackingNumber(fresh()) }] },
      ]),
  },
  {
    operation: 'upsertAttribution',
    access: `${authenticated}; number; ${wholeOrder}; order`,
    code: orders,
    run: ({ call, slug, order }) => call('PUT', `/v1/shops/${slug}/orders/analytics`, { id: order.order_number }),
  },
  orderSearch('30 newest', () => '', 'index `timeline`: `ORDERS#slug`, newest first; start of the next page kept'),
  orderSearch(
    'second page of 10, after the first',
    () => 'per_page=10&page=2',
    'start of the page; index `timeline` from there',
  ),
  orderSearch('by uuid', ({ order }) => `uuid=${order.uuid}`, 'no index'),
  orderSearch('by order number', ({ order }) => `order_number=${order.order_number}`, '`ORDERREF#slug#NUMBER#…`'),
  orderSearch('by external id', ({ order }) => `external_id=${order.external_id}`, '`ORDERREF#slug#EXTERNAL#…`'),
  orderSearch('by e-mail', () => 'email_id=cost@example.com', 'index `order_emails`: `ORDERS#slug#email`'),
  orderSearch('by order name', () => 'order_name=named', 'index `names`: `ORDERNAME#slug#name`'),
  orderSearch(
    'by order name and zip code',
    () => 'order_name=named&zip_code=10115',
    'index `names`: `ORDERNAME#slug#name`, filtered by `zip_pk`',
  ),
  orderSearch('by zip code', () => 'zip_code=10115', 'index `order_zip_codes`: `ORDERS#slug#zip`'),
  orderSearch('by time', ({ order }) => `order_placed_to=${order.order_placed_at}`, 'index `timeline`, the range only'),
  orderSearch(
    'by shipment update',
    () => 'shipment_updated_since=2026-01-01T00:00:00Z&email_id=cost@example.com',
    'index of the other filter',
  ),
  orderSearch(
    'by shipment update alone, 5 a page',
    () => 'shipment_updated_since=2026-01-01T00:00:00Z&per_page=5',
    'index `activity`: `SHIPMENTS#slug` and `DRAFTS#slug`, earliest first',
  ),
  orderSearch('by carrier, 5 a page', () => 'carrier_reference=dhl&per_page=5', 'index `timeline`, of 90 days'),
  orderSearch('by what is wrong', () => 'attention=lost', 'index `attention`: `ATTENTION#slug#reason`, of 90 days'),
  quickSearch(
    'a number',
    ({ order }) => order.order_number,
    'three of `ORDERREF#slug#NUMBER#…` and one of `…#EXTERNAL#…`; index `names`, twice',
  ),
  quickSearch(
    'a tracking number',
    ({ order }) => order.tracking,
    'the same; index `names`: `TRACKING#number`; `TRACKINGREF#slug#number`',
  ),
  quickSearch('an e-mail address', () => 'cost@example.com', 'index `order_emails`: `ORDERS#slug#email`'),
  quickSearch(
    'a name',
    () => 'Anna Cost',
    'as a number; index `names`: `CUSTOMER#slug#word` and, for whole words and beginnings, `CUSTOMERWORD#slug#letters`, of the first and the last word',
  ),
  {
    operation: 'getOrderTimeline',
    case: 'as admin, one parcel, one claim, one endpoint',
    access: `${authenticated}; ${wholeOrder}; \`OUTBOX#slug#order\` / \`EVENT#…\`; \`CLAIMS#slug#order\`; \`PAGE#token\`; automations, endpoints and integrations of the shop; one key of \`DELIVERIES#…\` for each event and receiver`,
    code: 'functions/api/orders/timeline.ts',
    run: ({ call, slug, order }) => call('GET', `/v1/shops/${slug}/orders/${order.uuid}/timeline`),
  },
  {
    operation: 'upsertOrder',
    case: 'new, one draft, with the name of its customer',
    access: `${authenticated}; as without a name, and three entries of the index \`names\``,
    code: references,
    run: ({ call, slug, fresh }) =>
      call('PUT', `/v1/shops/${slug}/orders`, {
        id: fresh(),
        order: { address: { name: 'Anna Cost' } },
        trackings: [],
      }),
  },
  {
    operation: 'updateOrder',
    access: `${authenticated}; ${wholeOrder}; order`,
    code: orders,
    run: ({ call, slug, order }) =>
      call('PATCH', `/v1/shops/${slug}/orders/${order.uuid}`, { address: { zip_code: '10115' } }),
  },
  {
    operation: 'updateOrderShipment',
    access: `${authenticated}; ${wholeOrder}; shipment`,
    code: orders,
    run: ({ call, slug, order }) =>
      call('PATCH', `/v1/shops/${slug}/orders/${order.uuid}/shipments/${order.shipment}`, { products: [] }),
  },
  {
    operation: 'searchShipments',
    case: 'of the last 30 days, 30 a page',
    access: `${authenticated}; index \`activity\`: \`SHIPMENTS#slug\` and \`DRAFTS#slug\`, the range to its end for the total; orders and shipments`,
    code: shipmentIndex,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/shipments`),
  },
  {
    operation: 'searchShipments',
    case: 'by tracking number',
    access: `${authenticated}; all of \`TRACKINGREF#slug#number\`; order and shipments`,
    code: shipmentIndex,
    run: ({ call, slug, order }) => call('GET', `/v1/shops/${slug}/shipments?tracking_number=${order.tracking}`),
  },
  {
    operation: 'searchShipments',
    case: 'by time of creation',
    access: `${authenticated}; index \`activity\`: \`SHIPMENTS#slug\` and \`DRAFTS#slug\`, what changed in the last 30 days`,
    code: shipmentIndex,
    run: ({ call, slug }) =>
      call('GET', `/v1/shops/${slug}/shipments?sort=created_at&created_from=2026-01-01T00:00:00Z&per_page=5`),
  },
  {
    operation: 'createShipment',
    access: `${authenticated}; number; ${wholeOrder}; all of \`TRACKINGREF#slug#number\`; order, shipment with its event, tracking`,
    code: orders,
    run: ({ call, slug, order, fresh }) =>
      call('POST', `/v1/shops/${slug}/shipments`, {
        order_id: order.order_number,
        order_id_type: 'order_number',
        tracking_number: comparableTrackingNumber(fresh()),
      }),
  },
  {
    operation: 'deleteShipment',
    access: `${authenticated}; number or external id; ${wholeOrder}; all of \`TRACKINGREF#slug#number\`; order, shipment, tracking, mark of the deleted parcel`,
    code: orders,
    run: ({ call, slug, order, spare }) =>
      call('DELETE', `/v1/shops/${slug}/orders/${order.order_number}/shipments/${spare}`),
  },
  {
    operation: 'detectCarrier',
    access: authenticated,
    code: 'functions/domain/carriers/detect.ts',
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/carrier-detection?tracking_number=1Z999AA10123456784`),
  },
  {
    operation: 'createShipmentEvent',
    case: 'by tracking number, with notification',
    access: `${authenticated}; all of \`TRACKINGREF#slug#number\`; ${wholeOrder}; shipment with its event`,
    code: orders,
    run: ({ call, slug, order }) =>
      call('POST', `/v1/shops/${slug}/shipment-events?notify=true`, { id: order.tracking, event_name: 'IN_DELIVERY' }),
  },
  {
    operation: 'createShipmentEvent',
    case: 'by external shipment id',
    access: `${authenticated}; index \`names\`: \`SHIPMENTID#slug#id\`; ${wholeOrder}; shipment`,
    code: orders,
    run: ({ call, slug }) =>
      call('POST', `/v1/shops/${slug}/shipment-events`, {
        id: 'external',
        id_type: 'external_shipment_id',
        event_name: 'ORDER_IN_PROCESSING',
      }),
  },
  {
    operation: 'createEventOfShipment',
    access: `${authenticated}; ${wholeOrder}; shipment`,
    code: orders,
    run: ({ call, slug, order }) =>
      call('POST', `/v1/shops/${slug}/shipments/${order.shipment}/events`, { event_name: 'SHIPMENT_EN_ROUTE' }),
  },
  ...claimScenarios,
  {
    operation: 'createWebhook',
    access: `${authenticated}; \`COUNT#WEBHOOKS\`; ${endpoint}, \`SHOP#slug\` / \`URLREF#hash\` and the count in one transaction`,
    code: endpointWrites,
    run: ({ call, slug, fresh }) =>
      call('POST', `/v1/shops/${slug}/webhooks`, { url: `http://127.0.0.1/${fresh()}`, enabled_events: [] }),
  },
  {
    operation: 'createWebhook',
    case: 'the first of a shop',
    access: `${authenticated}; \`DATAKEYS#slug\` / \`webhook\`, read and written; \`COUNT#WEBHOOKS\`; ${endpoint}, \`SHOP#slug\` / \`URLREF#hash\` and the count in one transaction`,
    code: 'functions/platform/secrets/data-key.ts',
    prepare: async ({ call, fresh }) => {
      const slug = fresh();
      await call('POST', '/v1/shops', { name: 'A shop of costs', slug });
      return slug;
    },
    run: ({ call }, slug) =>
      call('POST', `/v1/shops/${slug}/webhooks`, { url: 'http://127.0.0.1/first', enabled_events: [] }),
  },
  {
    operation: 'searchWebhooks',
    access: `${authenticated}; \`SHOP#slug\` / \`WEBHOOK#…\``,
    code: endpoints,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/webhooks`),
  },
  {
    operation: 'searchWebhooks',
    case: 'by uuid',
    access: `${authenticated}; ${endpoint}`,
    code: endpoints,
    run: ({ call, slug, webhook }) => call('GET', `/v1/shops/${slug}/webhooks?uuid=${webhook.uuid}`),
  },
  {
    operation: 'updateWebhook',
    access: `${authenticated}; ${endpoint}, read and updated`,
    code: endpointWrites,
    run: ({ call, slug, webhook }) => call('PATCH', `/v1/shops/${slug}/webhooks/${webhook.uuid}`, { description: 'x' }),
  },
  {
    operation: 'updateWebhook',
    case: 'another url',
    access: `${authenticated}; ${endpoint}; endpoint, old and new \`URLREF#hash\` in one transaction; \`DELIVERIES#slug#uuid\` / \`CIRCUIT\``,
    code: endpointWrites,
    run: ({ call, slug, webhook, fresh }) =>
      call('PATCH', `/v1/shops/${slug}/webhooks/${webhook.uuid}`, { url: `http://127.0.0.1/${fresh()}` }),
  },
  {
    operation: 'rotateWebhookSecret',
    access: `${authenticated}; ${endpoint}, read and updated`,
    code: endpointWrites,
    run: ({ call, slug, webhook }) => call('POST', `/v1/shops/${slug}/webhooks/${webhook.uuid}/rotate-secret`, {}),
  },
  {
    operation: 'testWebhook',
    access: `${authenticated}; ${endpoint}; ${delivery} and \`PAYLOAD#id\` in one transaction`,
    code: deliveries,
    run: ({ call, slug, webhook }) => call('POST', `/v1/shops/${slug}/webhooks/${webhook.uuid}/test`),
  },
  {
    operation: 'getWebhookHealth',
    case: 'of 20',
    access: `${authenticated}; ${endpoint}; \`DELIVERIES#slug#uuid\` / \`CIRCUIT\`; all shards of \`DELIVERIES#slug#uuid#shard\`, the newest 200`,
    code: deliveries,
    run: ({ call, slug, webhook }) => call('GET', `/v1/shops/${slug}/webhooks/${webhook.uuid}/health`),
  },
  {
    operation: 'listWebhookDeliveries',
    case: 'first 10 of 20',
    access: `${authenticated}; ${endpoint}; all shards of \`DELIVERIES#slug#uuid#shard\`, newest first; start of the next page kept`,
    code: deliveries,
    run: ({ call, slug, webhook }) =>
      call('GET', `/v1/shops/${slug}/webhooks/${webhook.uuid}/deliveries?until=${webhook.until}&per_page=10`),
  },
  {
    operation: 'listWebhookDeliveries',
    case: 'by status, over 20',
    access: `${authenticated}; ${endpoint}; all shards of \`DELIVERIES#slug#uuid#shard\`, until the page is full`,
    code: deliveries,
    run: ({ call, slug, webhook }) =>
      call('GET', `/v1/shops/${slug}/webhooks/${webhook.uuid}/deliveries?until=${webhook.until}&status=failed`),
  },
  {
    operation: 'getWebhookDelivery',
    access: `${authenticated}; ${endpoint}; ${delivery}; \`PAYLOAD#id\``,
    code: deliveries,
    run: ({ call, slug, webhook }) =>
      call('GET', `/v1/shops/${slug}/webhooks/${webhook.uuid}/deliveries/${webhook.delivery}`),
  },
  {
    operation: 'recoverWebhook',
    case: 'nothing failed, over 20',
    access: `${authenticated}; ${endpoint}; all shards of \`DELIVERIES#slug#uuid#shard\`, the range; each failed delivery updated`,
    code: deliveries,
    run: ({ call, slug, webhook }) =>
      call('POST', `/v1/shops/${slug}/webhooks/${webhook.uuid}/recover`, {
        since: '2026-01-01T00:00:00Z',
        until: webhook.until,
      }),
  },
  {
    operation: 'redeliverWebhook',
    access: `${authenticated}; ${endpoint}; ${delivery}, read and updated`,
    code: deliveries,
    run: ({ call, slug, webhook }) =>
      call('POST', `/v1/shops/${slug}/webhooks/${webhook.uuid}/deliveries/${webhook.delivery}/redeliver`),
  },
  {
    operation: 'getIntegrationHealth',
    case: 'of 20',
    access: `${authenticated}; \`DELIVERIES#slug#integration\` / \`CIRCUIT\`; all shards of \`DELIVERIES#slug#integration#shard\`, the newest 200`,
    code: deliveries,
    run: ({ call, integration }) => call('GET', `${integration.path}/health`),
  },
  {
    operation: 'listIntegrationDeliveries',
    case: 'first 10 of 20',
    access: `${authenticated}; all shards of \`DELIVERIES#slug#integration#shard\`, newest first; start of the next page kept`,
    code: deliveries,
    run: ({ call, integration: { path, until } }) => call('GET', `${path}/deliveries?until=${until}&per_page=10`),
  },
  {
    operation: 'getIntegrationDelivery',
    access: `${authenticated}; ${integrationDelivery}; \`PAYLOAD#id\``,
    code: deliveries,
    run: ({ call, integration }) => call('GET', `${integration.path}/deliveries/${integration.delivery}`),
  },
  {
    operation: 'recoverIntegration',
    case: 'nothing failed, over 20',
    access: `${authenticated}; ${reachable}; all shards of \`DELIVERIES#slug#integration#shard\`, the range; each failed delivery updated`,
    code: deliveries,
    run: ({ call, integration: { path, until } }) =>
      call('POST', `${path}/recover`, { since: '2026-01-01T00:00:00Z', until }),
  },
  {
    operation: 'redeliverToIntegration',
    access: `${authenticated}; ${reachable}; ${integrationDelivery}, read and updated`,
    code: deliveries,
    run: ({ call, integration }) => call('POST', `${integration.path}/deliveries/${integration.delivery}/redeliver`),
  },
  {
    operation: 'deleteWebhook',
    access: `${authenticated}; ${endpoint}, \`COUNT#WEBHOOKS\`; endpoint, \`URLREF#hash\`, the count and \`GONEWEBHOOK#uuid\` in one transaction`,
    code: endpointWrites,
    run: ({ call, slug, webhook }) => call('DELETE', `/v1/shops/${slug}/webhooks/${webhook.uuid}`),
  },
  {
    operation: 'upsertOrder',
    case: 'new, with 50 trackings',
    access: `${authenticated}; references; two transactions of at most 100 actions`,
    code: orders,
    run: ({ call, slug, fresh }) => {
      const trackings = Array.from({ length: 50 }, () => ({ tracking_number: comparableTrackingNumber(fresh()) }));
      return call('PUT', `/v1/shops/${slug}/orders`, { id: fresh(), order: {}, trackings });
    },
  },
  {
    operation: 'upsertOrder',
    case: 'new, third order in a parcel',
    access: `${authenticated}; references; all of \`TRACKINGREF#slug#number\`; order, references, shipment with its event, tracking`,
    code: 'functions/domain/orders/tracking-references.ts',
    prepare: sharedParcel(2),
    run: ({ call, slug, fresh }, tracking_number) =>
      call('PUT', `/v1/shops/${slug}/orders`, { id: fresh(), order: {}, trackings: [{ tracking_number }] }),
  },
  {
    operation: 'createShipmentEvent',
    case: 'by a tracking number that three orders share, with notification',
    access: `${authenticated}; all of \`TRACKINGREF#slug#number\`; for each order ${wholeOrder}; shipment with its event`,
    code: 'functions/api/events/create-event.ts',
    prepare: sharedParcel(3),
    run: ({ call, slug }, id) =>
      call('POST', `/v1/shops/${slug}/shipment-events?notify=true`, { id, event_name: 'IN_DELIVERY' }),
  },
  ...recordScenarios,
  ...pagesScenarios,
  ...promotionScenarios,
  ...shopSystemScenarios,
  ...privacyScenarios,
  ...emailScenarios,
  ...withdrawalScenarios,
  ...automationScenarios,
  ...statisticsScenarios,
  ...feedScenarios,
  ...analyticsScenarios,
  ...simulationScenarios,
  ...trackingProviderScenarios,
  ...operationsScenarios,
  ...sessionScenarios,
  ...longListScenarios,
];
