import { automationTarget } from '#domain/automations/model.ts';
import { type AutomationRun, runItem } from '#domain/automations/run.ts';
import type { Message } from '#domain/claims/claim-rules.ts';
import { claimItem, claimReferenceItem, historyItem, pageClaimItem } from '#domain/claims/claim-store.ts';
import { messageItem } from '#domain/claims/message-store.ts';
import { deliveryItem, firstIdAt, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { goneTrackingItem, orderItem, shipmentItem, trackingItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { claimEvent, outboxItem } from '#domain/orders/outbox.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { pageReferenceItem } from '#domain/orders/tracking-page.ts';
import { periodOf, type Withdrawal } from '#domain/withdrawals/withdrawal-rules.ts';
import { withdrawalItem } from '#domain/withdrawals/withdrawal-store.ts';
import { shopKey } from '#platform/access/api-key.ts';
import { indexKeyOf, keyOf, listCountersOf } from '#platform/table/keys.ts';
import { packText } from '#platform/table/packed-text.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import type { PartitionName } from '#schemas/catalogues/table.ts';
import { claimOf } from './claims.ts';

/** Hashes name these, and they end by themselves; the others belong to no shop. */
type OfNoShop = 'wrongKeys' | 'lookups' | 'trackingProviders' | 'unmappedCodes' | 'countedRecords' | 'heartbeats';

export interface WholeShop {
  items: Record<Exclude<PartitionName, OfNoShop | 'privacy'>, object[]>;
  orderId: string;
  customerId: string;
  /** An object of the bucket of payloads. */
  payload: string;
  /** An object of the bucket of images, which a claim names. */
  image: string;
}

/**
 * Something under each key of a shop, as the service stores it, without the item of the shop itself. Where a new prefix of
 * the table is for shops, this asks for it, and the test of the removal shows whether its items go.
 * @param sentAt when deliveries were made
 */
export function wholeShopItems(slug: string, uuid: string, now: Date, sentAt = now): WholeShop {
  const at = now.toISOString();
  const id = (name: string) => `${slug}-${name}`;
  const shop = { slug, uuid };
  const customerId = id('customer');
  const fields = { order_number: id('number'), external_id: id('external'), external_customer_id: customerId };
  const order = {
    ...newOrder(newOrderId(now), fields, now),
    drafts: [],
    shipments: [1],
    next_slot: 3,
    page_token: id('page-token'),
  };
  const parcel = fulfilled(
    newShipment(order, 1, 'merchant_customer', at),
    { tracking_number: id('parcel'), carrier_reference: null, tracking_url: null, placed_at: at },
    at,
  );
  const image = `${imagePlaces.private}${uuid}/claim/${firstIdAt(now)}.png`;
  const claim = claimOf({
    ...{ uuid: id('claim'), order_id: order.uuid, shipment_id: parcel.uuid, created_at: at, updated_at: at },
    image_urls: [`https://images.example.com/${image}`],
  });
  const { deadline, basis } = periodOf({ order, shipments: [parcel] }, 14);
  const withdrawal: Withdrawal = {
    ...{ uuid: id('withdrawal'), order_id: order.uuid, order_number: order.order_number },
    ...{ items: [], declared_at: at, deadline, based_on: basis, status: 'declared', comment: null },
    ...{ name: 'Ada Lovelace', email_id: 'ada@example.com' },
    history: [{ at, status: 'declared', by: 'customer', by_name: null, comment: null }],
  };
  const message = {
    uuid: id('message'),
    at,
    from: 'customer',
    author: null,
    text: 'Broken',
    image_urls: [],
  } satisfies Message;
  const event = {
    ...claimEvent('created', { ...claim, updated_at: sentAt.toISOString() }, 1, 'somebody'),
    shop_slug: slug,
  };
  const source = {
    event_id: event.id,
    subject_id: claim.uuid,
    ref: event.ref,
    event_group: event.event_group,
    triggered_at: sentAt.toISOString(),
    shop_slug: slug,
  };
  const simulation_id = id('simulation');
  const ofRun = automationTarget(id('automation'), 'https://example.com/an-earlier-address');
  const deliveries = [
    newDelivery(source, { id: id('endpoint'), kind: 'webhook' }, sentAt, 0),
    newDelivery({ ...source, event_id: id('gone') }, { id: id('gone-endpoint'), kind: 'webhook' }, sentAt),
    newDelivery({ ...source, event_id: id('run') }, { id: ofRun, kind: 'webhook' }, sentAt),
    newDelivery({ ...source, event_id: id('counted') }, { id: id('forgotten'), kind: 'webhook' }, sentAt),
    newDelivery({ ...source, event_id: id('vendor') }, { id: 'integration_1', kind: 'integration' }, sentAt),
    newDelivery({ ...source, simulation_id }, { id: id('endpoint'), kind: 'webhook' }, sentAt),
  ];
  const run: AutomationRun = {
    id: id('a-run'),
    automation_id: id('automation'),
    shop_slug: slug,
    subject: { id: claim.uuid } as never,
    event,
    due_at: at,
    status: 'done',
    reason: null,
    conditions: [],
    actions: [],
    results: { webhook: { status: 'done', delivery: { target: ofRun, id: id('x') } } },
    finished_at: at,
    expires_at: 2_000_000_000,
  };
  const payload = `payloads/${slug}.json.gz`;
  const body = { body: packText('{}') };
  const { item: key } = shopKey(slug, { role: 'admin', expiration: 0 }, now, id('secret'));
  const automation = { trigger: { ref: '*' }, actions: [] };
  const counter = { n: 1 };
  const items: WholeShop['items'] = {
    shop: [
      { ...keyOf.internalTriggers(slug, 'webhook') },
      { ...keyOf.integrationKey(slug, 'integration_1') },
      { ...keyOf.webhook(slug, id('endpoint')), uuid: id('endpoint') },
      { pk: keyOf.shop(slug).pk, sk: `GONEWEBHOOK#${id('gone-endpoint')}` },
      { ...keyOf.webhookUrl(slug, 'hash') },
      { ...keyOf.webhookCount(slug), ...counter },
      { ...keyOf.registration(slug, 'order-update') },
      { ...keyOf.shopSystemSecret(slug) },
    ],
    dataKeys: [keyOf.dataKey(slug, 'webhook')],
    keys: [key],
    keyUses: [{ ...keyOf.keyUse(slug, key.token_id), used_on: '2026-11-14' }],
    keyRates: [keyOf.keyRate(`SHOP#${slug}`), keyOf.keyRate(uuid)],
    // Only their key says whose they are.
    sessions: [{ ...keyOf.session(key.token_id, 'hash'), of: slug }],
    pages: [{ ...keyOf.page(key.token_id, 'orders', 2), of: slug }],
    order: [orderItem(slug, order, 1), shipmentItem(slug, parcel, 1)],
    orderReference: [keyOf.orderNumber(slug, order.order_number), keyOf.externalOrderId(slug, order.external_id)].map(
      (reference) => ({ ...reference, order_id: order.uuid }),
    ),
    tracking: [trackingItem(slug, id('parcel'), parcel), goneTrackingItem(slug, id('deleted-parcel'), at)],
    claims: [
      claimItem(slug, claim, 1),
      historyItem(slug, claim, 1, { at, by: 'somebody', action: 'created', changes: [] }),
      messageItem(slug, { ...claim, message_count: 1 }, message),
      { ...keyOf.claimCount(slug, order.uuid), claims: 1 },
    ],
    claimReference: [claimReferenceItem(slug, claim)],
    withdrawals: [
      withdrawalItem(slug, withdrawal, 1),
      { ...keyOf.withdrawalOfOrder(slug, order.uuid), uuid: withdrawal.uuid },
    ],
    outbox: [
      outboxItem(shop, event),
      keyOf.trackingBacklog(slug, 1),
      keyOf.trackingRequest(slug, order.uuid, parcel.uuid),
      keyOf.wake(slug, id('endpoint'), deliveries[0]!.id, at),
    ],
    deliveries: [
      ...deliveries.map(deliveryItem),
      keyOf.circuit(slug, id('endpoint')),
      keyOf.pace(slug, 'integration_1'),
      keyOf.pace(slug, 'integration_2#segments'),
    ],
    retries: deliveries.map((delivery) => keyOf.retry(slug, delivery.id, at)),
    payloads: [...deliveries, { ...deliveries[0]!, payload_id: id('of-simulation'), simulation_id }].map((delivery) =>
      payloadItem(delivery, delivery.target === 'integration_1' ? { s3_key: payload } : body),
    ),
    automationRuns: [runItem(run)],
    parcelRegistrations: [keyOf.parcelRegistration(slug, `${parcel.uuid.slice(0, -3)}002`, 'ship24', 'deleted')],
    due: [
      keyOf.dueTriggers(slug, order.uuid, parcel.uuid),
      keyOf.dueRun(slug, id('automation'), run.id),
      keyOf.dueReplan(slug),
    ],
    trackingPages: [
      pageReferenceItem(order.page_token, slug, order),
      pageClaimItem(order.page_token, claim),
      keyOf.pageWithdrawal(order.page_token),
      { ...keyOf.pageRating(order.page_token, parcel.uuid), at, stars: 4, text: 'Good' },
      keyOf.pageShown(order.page_token, id('deleted-campaign')),
      { ...keyOf.pageVisits(order.page_token), slug },
      keyOf.pageForms(order.page_token),
      keyOf.pagePhotos(order.page_token, id('attempt')),
    ],
    mails: [{ ...keyOf.mailState(slug, order.uuid), version: 1, mails: [] }],
    suppressions: [keyOf.suppression(slug, 'hash'), keyOf.listedSuppression(slug, at, 'hash'), keyOf.testMails(slug)],
    shopWebhooks: [
      keyOf.lastShopWebhook(slug),
      keyOf.ignoredTopic(slug, 'coupon.created'),
      keyOf.unreadableWebhook(slug, at, id('webhook')),
    ],
    feed: [
      { ...keyOf.feedBlock(slug, 1, 1), since: 0, entries: [] },
      { ...keyOf.ledger(slug, 1, 'shop', '2026-11-18T01:00:00Z'), ...counter },
      keyOf.feedWaiting(slug, 0),
    ],
    storefronts: [{ ...keyOf.storefrontVersion(slug), version: 1 }, keyOf.storefrontView(slug)],
    promotionCounts: [id('campaign'), id('deleted-campaign')].map((campaign) => ({
      ...keyOf.promotionCount(slug, campaign, undefined, 0),
      ...counter,
    })),
    arrivals: [keyOf.sharedArrivals({ carrier: 'dhl', country: 'DE' }, slug)],
    statistics: [
      keyOf.countsNow(slug),
      keyOf.dayCounts(slug, '2026-11-14'),
      keyOf.cohortCounts(slug, { day: '2026-11-14', carrier: 'dhl', country: 'DE' }),
      keyOf.arrivalModel(slug, { carrier: 'dhl', country: 'DE' }),
      keyOf.testCounts(slug, id('test'), '2026-11-14'),
      keyOf.deliveryCounts(slug, '2026-11-14', id('forgotten')),
      keyOf.ratingCounts(slug, { day: '2026-11-14', carrier: 'dhl', country: 'DE' }),
    ].map((counters) => ({ ...counters, ...counter })),
    positions: [
      keyOf.countedLists(slug),
      keyOf.listCounters(listCountersOf(slug), 'day', '2026-11-14'),
      keyOf.listCounters(listCountersOf(slug, `deliveries#${id('endpoint')}`), 'hour', at),
      keyOf.listCounters(listCountersOf(slug, `runs#${id('automation')}`), 'hour', at),
      keyOf.listCounters(listCountersOf(slug, 'campaigns'), 'month', at),
      keyOf.listCounters(listCountersOf(slug, 'simulations'), 'month', at),
    ].map((counters) => ({ ...counters, ...counter })),
    simulations: [keyOf.simulation(slug, simulation_id), keyOf.simulationCount(slug)],
    discounts: [keyOf.record('discounts', slug, id('discount'))],
    deals: [
      { ...keyOf.record('deals', slug, id('deal')), ...indexKeyOf.deals(id('deal')) },
      keyOf.dealRanks(slug),
      keyOf.recordCount('deals', slug),
    ],
    announcements: [keyOf.record('announcements', slug, id('announcement'))],
    campaigns: [keyOf.record('campaigns', slug, id('campaign')), keyOf.calendar('campaigns', slug, 'hash')],
    abTests: [keyOf.record('abTests', slug, id('test')), keyOf.uniqueValue('abTests', slug, 'name', 'hash')],
    automations: [
      { ...keyOf.record('automations', slug, id('automation')), ...automation, uuid: id('automation') },
      {
        ...keyOf.deletedRecord('automations', slug, id('deleted-automation')),
        ...automation,
        uuid: id('deleted-automation'),
      },
    ],
  };
  return { items, orderId: order.uuid, customerId, payload, image };
}
