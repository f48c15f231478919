import { shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { shopSystems, shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { shopDataRequest, shopFulfilment, shopOrder, shopRedactRequest } from '#test/kit/shop-payloads.ts';
import {
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareId,
  shopwareStages,
  shopwareWritten,
} from '#test/kit/shopware-payloads.ts';
import {
  officialTracking,
  wooCancelled,
  wooCompleted,
  wooMeta,
  wooOrder,
  wooProcessing,
  wooRefunded,
} from '#test/kit/woocommerce-payloads.ts';
import { appCredentials, shopAddresses } from './fake-shops.ts';
import type { Source } from './valid-values.ts';

type LikelyBody = (source: Source, params: Record<string, string>) => unknown;

const word = ({ random }: Source, name: string) => `${name}-${random.below(40)}`;
const idOf = ({ seen, random }: Source, name: string) => seen.pick(random, name) ?? random.uuid();

const automation: LikelyBody = (source) => {
  const { random, urls } = source;
  const claims = random.chance(0.5);
  return {
    name: word(source, 'automation'),
    trigger: { ref: claims ? 'claims' : random.pick(['*', 'shipments', 'shipments/delivered']) },
    conditions: random.pick([null, { all: [{ field: 'event_data.phase', operator: 'eq', value: 'delivered' }] }]),
    actions: [
      { type: 'webhook', params: { url: random.pick(urls) } },
      { type: 'add_segment', params: { segment: word(source, 'segment') } },
      ...(claims ? [{ type: 'update_claim', params: { status: 'accepted' } }] : []),
    ],
  };
};

const campaign: LikelyBody = (source) => ({
  name: word(source, 'campaign'),
  segment: word(source, 'segment'),
  promotion_type: 'basic',
  promotion_properties: { title: 'Sale' },
  enabled: source.random.chance(0.5),
  discount_id: source.random.chance(0.5) ? null : idOf(source, 'discounts'),
});

const orderWithParcel: LikelyBody = (source) => ({
  id: word(source, 'order'),
  order: { email_id: 'ada@example.com', order_name: word(source, 'name'), segments: [word(source, 'segment')] },
  trackings: [{ tracking_number: word(source, 'parcel') }],
});

/** The shop that installs the app of shop_system_2. */
export const installedShop = { shopId: 'sqX6cqHi6hbjQ7Ra', shopUrl: shopAddresses.shop_system_2 };

/** Which system the shop has is not known here, so one of all. */
const shopEvent: LikelyBody = (source, params) =>
  source.random.pick([shopifyEvent, shopwareEventOf, wooCommerceEvent])(source, params);

const shopifyEvent: LikelyBody = ({ random }, { webhook_type }) => {
  const order_number = random.between(1, 30);
  const fulfilment = shopFulfilment([`shop-${random.below(30)}`], { order_id: order_number });
  if (webhook_type === 'order-fulfillment-update') return fulfilment;
  return shopOrder({ id: order_number, order_number, fulfillments: random.chance(0.5) ? [fulfilment] : [] });
};

const shopwareEventOf: LikelyBody = ({ random }) => {
  const order = random.pick(shopwareOrders);
  return random.pick([
    () => shopwareEvent(random.pick(orderEvents), order),
    () => shopwareWritten(shopwareEntry({ primaryKey: order.id })),
    () => shopwareHook(random.pick(['order.deleted', 'product.written']), [shopwareEntry({ primaryKey: order.id })]),
  ])();
};

const orderEvents = Object.values(shopTopics.shop_system_2).filter((topic) => !topic.startsWith('order.'));

const shopwareOrders = Object.values(shopwareStages).flatMap((stage) =>
  [1, 2].map((n) => stage({ id: shopwareId(n), orderNumber: `1000${n}` })),
);

const wooCommerceEvent: LikelyBody = ({ random }) => {
  const id = random.between(1, 30);
  const items = [officialTracking(`shop-${random.below(30)}`)];
  const order = random.pick([wooOrder, wooProcessing, wooCompleted, wooCancelled, wooRefunded]);
  const meta = random.chance(0.5) ? { meta_data: wooMeta({ _wc_shipment_tracking_items: items }) } : {};
  return order({ id, number: String(id), ...meta });
};

const providerEvent: LikelyBody = ({ random }, { provider }) => {
  const fake = fakeProviders[trackingProviders.find((name) => name === provider) ?? 'ship24'];
  const { checkpoints } = random.pick(fake.histories);
  return fake.webhook(`shop-${random.below(30)}`, checkpoints.slice(0, random.between(1, checkpoints.length)));
};

/** Bodies that meet the rules which a schema does not express, so that requests reach what comes after the rules. */
export const likelyBodies: Record<string, LikelyBody> = {
  receiveProviderWebhook: providerEvent,
  setTrackingProvider: ({ random }) => ({
    api_key: 'a-key-of-the-operator',
    webhook_secret: 'a-secret-of-the-operator',
    carriers: random.chance(0.5) ? [] : ['dhl', 'ups'],
    priority: random.between(0, 200),
  }),
  createAutomation: automation,
  replaceAutomation: automation,
  createCampaign: campaign,
  createAbTest: (source) => ({
    name: word(source, 'test'),
    segment: word(source, 'segment'),
    campaign_type: 'basic',
    campaigns: [{ campaign_id: idOf(source, 'campaigns'), allocation: 100 }],
  }),
  upsertAttribution: (source) => ({ id: idOf(source, 'orders'), id_type: 'uuid' }),
  createInternalTrigger: (source) => ({
    name: word(source, 'trigger'),
    phase_in: ['in_transit'],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 72,
  }),
  createDiscount: (source) => ({ code: word(source, 'code'), type: 'order' }),
  createDeal: (source) => ({ discount_id: idOf(source, 'discounts') }),
  createClaim: (source) => ({ shipment_id: idOf(source, 'shipments'), reason: 'damage' }),
  createShipment: (source) => ({
    order_id: idOf(source, 'orders'),
    order_id_type: 'uuid',
    tracking_number: source.random.chance(0.5) ? null : word(source, 'parcel'),
    external_shipment_id: word(source, 'external'),
  }),
  createShipmentEvent: (source) => ({
    id: idOf(source, 'tracking_number'),
    event_name: source.random.pick(shipmentEventNames),
  }),
  upsertOrder: orderWithParcel,
  fulfilOrders: (source, params) => [orderWithParcel(source, params), orderWithParcel(source, params)],
  updateShop: ({ random }) => {
    const shop_provider = random.pick(shopSystems);
    return { shop_provider, shop_admin_url: shopAddresses[shop_provider] };
  },
  receiveShopWebhook: shopEvent,
  confirmApp: () => ({ ...appCredentials, ...installedShop }),
  receiveAppEvent: ({ random }) =>
    shopwareHook(random.pick(['app.activated', 'app.updated', 'app.deleted']), [], installedShop),
  receiveShopPrivacyWebhook: ({ random }) =>
    random.pick([shopDataRequest, shopRedactRequest])({ customer: { id: random.between(1, 30), email: null } }),
  createPrivacyRequest: (source) => ({
    kind: source.random.pick(['disclosure', 'erasure']),
    order_numbers: [word(source, 'order')],
    dry_run: source.random.chance(0.5),
  }),
  createWebhook: (source) => ({ url: `${source.urls[0]}${source.random.below(60)}` }),
};
