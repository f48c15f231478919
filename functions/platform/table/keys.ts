import { spreadsShipments } from '#platform/environment.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { figuresDefinition } from '#schemas/catalogues/figures.ts';
import { indexPartitions, partitions, type RecordKindName, sortKeys } from '#schemas/catalogues/table.ts';
import { shardIn, shardsOf } from './shards.ts';

/**
 * Every key of the table is built here and nowhere else. The names of the attributes are in
 * schemas/catalogues/table.ts.
 */

const keyAt = (pk: string, sk: string) => ({ pk, sk });

export const keyOf = {
  shop: (slug: string) => keyAt(partitions.shop + slug, sortKeys.shop),
  settings: (slug: string) => keyAt(partitions.shop + slug, settingsPrefix),
  /** All internal triggers of one integration or of webhooks, in one item. */
  internalTriggers: (slug: string, thirdParty: string) =>
    keyAt(partitions.shop + slug, internalTriggersPrefix + thirdParty),
  integrationKey: (slug: string, integration: string) =>
    keyAt(partitions.shop + slug, integrationKeyPrefix + integration),
  /** `kind` says which secrets of the shop the data key encrypts. */
  dataKey: (shop: string, kind: string) => keyAt(dataKeysOf(shop), kind),
  apiKey: (username: string, tokenId: string) => keyAt(partitions.keys + username, tokenId),
  keyUse: (username: string, tokenId: string) => keyAt(keyUsesOf(username), tokenId),
  session: (tokenId: string, hash: string) => keyAt(sessionsOf(tokenId), hash),
  wrongKeys: (pairHash: string) => keyAt(partitions.wrongKeys + pairHash, 'TRIES'),
  /** `subject` is the shop whose keys call, the shop whose own system calls, or the token id of a SuperAdmin's key. */
  keyRate: (subject: string) => keyAt(partitions.keyRates + subject, 'UNITS'),
  order: (slug: string, orderId: string) => keyAt(orderPartition(slug, orderId), orderSortKey),
  shipment: (slug: string, orderId: string, shipmentId: string) =>
    keyAt(orderPartition(slug, orderId), shipmentPrefix + shipmentId),
  orderNumber: (slug: string, number: string) => keyAt(`${partitions.orderReference}${slug}#NUMBER#${number}`, 'REF'),
  externalOrderId: (slug: string, id: string) => keyAt(`${partitions.orderReference}${slug}#EXTERNAL#${id}`, 'REF'),
  /** One item for each order of the shop that travels in the parcel, told apart by their places. */
  tracking: (slug: string, number: string, place: number) =>
    keyAt(trackingReferencesOf(slug, number), place === 0 ? trackingReference : `${trackingReference}#${place}`),
  /** An order of the shop travelled in the parcel, and its shipment was deleted. */
  goneTracking: (slug: string, number: string) => keyAt(trackingReferencesOf(slug, number), 'GONE'),
  claim: (slug: string, orderId: string, uuid: string) => keyAt(claimsOf(slug, orderId), claimPrefix + uuid),
  /** One entry of a claim's history. Its number is the version of the claim. */
  claimHistory: (slug: string, orderId: string, uuid: string, version: number) =>
    keyAt(claimsOf(slug, orderId), `${claimHistoryPrefix}${uuid}#${String(version).padStart(8, '0')}`),
  /** What shop and customer wrote to each other in a claim, numbered from 1. */
  claimMessage: (slug: string, orderId: string, uuid: string, number: number) =>
    keyAt(claimsOf(slug, orderId), claimMessagePrefix(uuid) + String(number).padStart(8, '0')),
  /** Counts the claims of an order with the deleted ones. */
  claimCount: (slug: string, orderId: string) => keyAt(claimsOf(slug, orderId), 'COUNT'),
  claimReference: (slug: string, uuid: string) => keyAt(`${partitions.claimReference}${slug}#${uuid}`, 'REF'),
  /** The claim that has this number, as customers read it. */
  claimNumber: (slug: string, number: string) => keyAt(`${partitions.claimReference}${slug}#${number}`, 'REF'),
  withdrawal: (slug: string, uuid: string) => keyAt(withdrawalsOf(slug), withdrawalPrefix + uuid),
  /** The one withdrawal that an order can have. */
  withdrawalOfOrder: (slug: string, orderId: string) => keyAt(withdrawalsOf(slug), `OF#${orderId}`),
  outbox: (slug: string, orderId: string, eventId: string) =>
    keyAt(outboxOf(slug, orderId), outboxEventPrefix + eventId),
  /** After a shop switched updates on: the parcels under way are to be submitted. */
  trackingBacklog: (slug: string, generation: number) => keyAt(outboxOf(slug, 'CARRIERS'), `BACKLOG#${generation}`),
  trackingRequest: (slug: string, orderId: string, id: string) => keyAt(outboxOf(slug, orderId), `TRACK#${id}`),
  webhook: (slug: string, uuid: string) => keyAt(partitions.shop + slug, webhookPrefix + uuid),
  /** An endpoint that was deleted, for as long as its deliveries are kept. */
  goneWebhook: (slug: string, uuid: string) => keyAt(partitions.shop + slug, goneWebhookPrefix + uuid),
  /** The endpoint that uses a URL, which is unique within the shop. */
  webhookUrl: (slug: string, urlHash: string) => keyAt(partitions.shop + slug, `URLREF#${urlHash}`),
  /** Counts the endpoints of the shop. */
  webhookCount: (slug: string) => keyAt(partitions.shop + slug, 'COUNT#WEBHOOKS'),
  /** The registration of one type of webhook at the shop's own system. */
  registration: (slug: string, webhookType: string) => keyAt(partitions.shop + slug, registrationPrefix + webhookType),
  /** The secret that the shop's own system signs with. */
  shopSystemSecret: (slug: string) => keyAt(partitions.shop + slug, 'SHOPSYSTEM'),
  delivery: (slug: string, target: string, deliveryId: string) =>
    keyAt(deliveriesOf(slug, target, shardIn('deliveries', deliveryId)), deliveryPrefix + deliveryId),
  /** What the deliveries of one event send, or what a single delivery sends. */
  payload: (slug: string, payloadId: string) => keyAt(`${partitions.payloads}${slug}#${payloadId}`, sortKeys.payload),
  /** Some events of a shop's feed, one behind the other. */
  feedBlock: (slug: string, generation: number, block: number) =>
    keyAt(feedOf(slug), feedBlocksPrefix(generation) + String(block).padStart(10, '0')),
  /** How many events the feed has of an hour, for one endpoint or for the shop. */
  ledger: (slug: string, generation: number, target: string, hour: string) =>
    keyAt(feedOf(slug), ledgerPrefix(generation, target) + hour),
  /** A request that waits for new events of the feed. */
  feedWaiting: (slug: string, place: number) => keyAt(feedOf(slug), `WAITING#${place}`),
  /** A delivery that waits for its next attempt. The time keeps two waits of one delivery apart. */
  retry: (slug: string, deliveryId: string, dueAt: string) => keyAt(retriesOf(slug, deliveryId), dueAt),
  circuit: (slug: string, target: string) => keyAt(targetPartition(slug, target), 'CIRCUIT'),
  /** When the next request to a target with a limit on its rate may be sent. */
  pace: (slug: string, target: string) => keyAt(targetPartition(slug, target), 'PACE'),
  wake: (slug: string, target: string, deliveryId: string, at: string) =>
    keyAt(outboxOf(slug, target), `WAKE#${deliveryId}#${at}`),
  record: (kind: RecordKindName, slug: string, uuid: string) => keyAt(recordsIn(kind, slug), recordPrefix + uuid),
  /** The record that uses a unique value. */
  uniqueValue: (kind: RecordKindName, slug: string, name: string, hash: string) =>
    keyAt(recordsIn(kind, slug), `UNIQUE#${name}#${hash}`),
  /** Counts the records, for kinds of which a shop may have only a limited number. */
  recordCount: (kind: RecordKindName, slug: string) => keyAt(recordsIn(kind, slug), 'COUNT'),
  /** The last state of a deleted record, for kinds that keep it. */
  deletedRecord: (kind: RecordKindName, slug: string, uuid: string) =>
    keyAt(recordsIn(kind, slug), deletedRecordPrefix + uuid),
  automationRun: (slug: string, automationId: string, runId: string) =>
    keyAt(automationRunsOf(slug, automationId), automationRunPrefix + runId),
  /** Which records of the kind occupy a segment, and when. */
  calendar: (kind: RecordKindName, slug: string, segmentHash: string) =>
    keyAt(recordsIn(kind, slug), calendarPrefix + segmentHash),
  /** The last rank that a deal of the shop got. */
  dealRanks: (slug: string) => keyAt(recordsIn('deals', slug), 'RANKS'),
  page: (tokenId: string, list: string, page: number) => keyAt(pageStartsOf(tokenId), `${list}#${page}`),
  /** `subject` is what the work is about, for example an order. `name` identifies the work within it. */
  due: (slug: string, subject: string, name: string) => keyAt(duePartition(slug, subject), name),
  dueRun: (slug: string, automationId: string, runId: string) =>
    keyAt(duePartition(slug, automationId), automationRunPrefix + runId),
  /** All triggers of a shipment, in one item. */
  dueTriggers: (slug: string, orderId: string, shipmentId: string) =>
    keyAt(duePartition(slug, orderId), `TRIGGERS#${shipmentId}`),
  trackingProvider: (provider: string) => keyAt(trackingProvidersPartition, provider),
  /** Which message registers a parcel with a provider. */
  parcelRegistration: (slug: string, shipmentId: string, provider: string, number: string) =>
    keyAt(parcelRegistrationsOf(slug, shipmentId), `${provider}#${comparableTrackingNumber(number)}`),
  /** When the last webhook of the shop's own system came. */
  lastShopWebhook: (slug: string) => keyAt(shopWebhooksOf(slug), 'LAST'),
  ignoredTopic: (slug: string, topic: string) => keyAt(shopWebhooksOf(slug), ignoredTopicPrefix + wellFormed(topic)),
  unreadableWebhook: (slug: string, receivedAt: string, id: string) =>
    keyAt(shopWebhooksOf(slug), `${unreadablePrefix}${receivedAt}#${id}`),
  unmappedCode: (provider: string, code: string) =>
    keyAt(unmappedCodesOf(provider), unmappedCodePrefix + wellFormed(code)),
  unmappedCount: (provider: string) => keyAt(unmappedCodesOf(provider), 'COUNT'),
  /** When the provider last sent a webhook. */
  lastWebhook: (provider: string) => keyAt(unmappedCodesOf(provider), 'WEBHOOK'),
  refusedWebhooks: (provider: string, day: string) => keyAt(unmappedCodesOf(provider), `REFUSED#${day}`),
  /** One for each shop, after its triggers changed. */
  dueReplan: (slug: string) => keyAt(duePartition(slug, 'TRIGGERS'), 'REPLAN'),
  /** Which order a tracking page shows. */
  pageReference: (token: string) => keyAt(trackingPageOf(token), pageReference),
  pageClaim: (token: string, claimId: string) => keyAt(trackingPageOf(token), claimPrefix + claimId),
  pageWithdrawal: (token: string) => keyAt(trackingPageOf(token), pageWithdrawal),
  /** The page has shown this campaign, and the showing was counted. */
  pageShown: (token: string, campaignId: string) => keyAt(trackingPageOf(token), shownPrefix + campaignId),
  pageClicked: (token: string, campaignId: string) => keyAt(trackingPageOf(token), clickedPrefix + campaignId),
  /** When the page was looked at. */
  pageVisits: (token: string) => keyAt(trackingPageOf(token), pageVisits),
  /** The forms that customers sent from the page in the last hours. */
  pageForms: (token: string) => keyAt(trackingPageOf(token), 'FORMS'),
  /** The same for messages in claims. */
  pageMessageForms: (token: string) => keyAt(trackingPageOf(token), 'MESSAGES'),
  /** Photos that an attempt to send a form stored. */
  pagePhotos: (token: string, attempt: string) => keyAt(trackingPageOf(token), photosPrefix + attempt),
  /** What was mailed about an order. */
  mailState: (slug: string, orderId: string) => keyAt(mailsOf(slug, orderId), 'STATE'),
  /** An address, by its hash, that gets no e-mails of the shop. */
  suppression: (slug: string, addressHash: string) => keyAt(suppressionsOf(slug), `ADDRESS#${addressHash}`),
  /** The same in the list by time. */
  listedSuppression: (slug: string, at: string, addressHash: string) =>
    keyAt(suppressionsOf(slug), suppressionListPrefix + timeSortKey(at, addressHash)),
  /** How the customer liked the delivery of a parcel. */
  pageRating: (token: string, shipmentId: string) => keyAt(trackingPageOf(token), ratingPrefix + shipmentId),
  /** When the shop sent its last test mails. */
  testMails: (slug: string) => keyAt(suppressionsOf(slug), 'TESTS'),
  lookupTries: (addressHash: string) => keyAt(partitions.lookups + addressHash, 'TRIES'),
  /** Counts the changes of everything that a storefront shows. */
  storefrontVersion: (slug: string) => keyAt(storefrontOf(slug), storefrontVersion),
  storefrontView: (slug: string) => keyAt(storefrontOf(slug), 'VIEW'),
  /** What is so now in a shop. */
  countsNow: (slug: string) => keyAt(statisticsOf(slug), 'NOW'),
  /** What happened in a shop on a day. */
  dayCounts: (slug: string, day: string) => keyAt(statisticsOf(slug), dayCountsPrefix + day),
  /** What became of the parcels of a carrier to a country that were handed over on this day. */
  cohortCounts: (slug: string, { day, carrier, country }: CohortPlace) =>
    keyAt(statisticsOf(slug), `${cohortCountsPrefix}${day}#${carrier}#${country}`),
  /** What a shop has learned about the arrival of the parcels of a carrier in a country. */
  arrivalModel: (slug: string, lane: Lane) => keyAt(statisticsOf(slug), arrivalModelPrefix + laneName(lane)),
  /** The part of it that it tells the other shops. */
  sharedArrivals: ({ carrier, country }: Lane, slug: string) => keyAt(arrivalsOf(carrier), `${country}#${slug}`),
  /** What the customers did whose first order within an A/B test was of this day. */
  testCounts: (slug: string, testId: string, day: string) => keyAt(statisticsOf(slug), testCountsPrefix(testId) + day),
  deliveryCounts: (slug: string, day: string, target: string) =>
    keyAt(statisticsOf(slug), `${deliveryCountsPrefix}${day}#${target}`),
  /** How customers liked the deliveries of a carrier in a country, of parcels that were handed over on this day. */
  ratingCounts: (slug: string, { day, carrier, country }: CohortPlace) =>
    keyAt(statisticsOf(slug), `${ratingCountsPrefix}${day}#${carrier}#${country}`),
  /** Says that the records of the stream from this one on have been counted. */
  countedRecords: (eventId: string) => keyAt(partitions.countedRecords + eventId, 'UNTIL'),
  /** How many entries of lists have a time in the parts of this month, day or hour. @param pk from `listCountersOf` */
  listCounters: (pk: string, item: 'month' | 'day' | 'hour', time: string) => keyAt(pk, `${item}#${time}`),
  /** Says that all entries of the lists of the shop are counted. */
  countedLists: (slug: string) => keyAt(listCountersOf(slug), 'COMPLETE'),
  simulation: (slug: string, uuid: string) => keyAt(simulationsOf(slug), simulationPrefix + uuid),
  /** Counts the simulations that are running. */
  simulationCount: (slug: string) => keyAt(simulationsOf(slug), 'COUNT'),
  privacyRequest: (slug: string, uuid: string) => keyAt(privacyOf(slug), privacyRequestPrefix + uuid),
  /** The request that asks the same and still runs. */
  runningPrivacyRequest: (slug: string, question: string) => keyAt(privacyOf(slug), `RUNNING#${question}`),
  /** The erasure of old orders of the shop. */
  retention: (slug: string) => keyAt(privacyOf(slug), 'RETENTION'),
  /** The removal of the whole shop. */
  shopRemoval: (slug: string) => keyAt(privacyOf(slug), shopRemovalSortKey),
  /** What an item led to that the removal of its shop has removed. */
  removalTrace: (slug: string, kind: string, id: string) => keyAt(privacyOf(slug), removalTracePrefix(kind) + id),
  /** An order that retention has seen, and that was last changed at this time. */
  laterOrder: (slug: string, changedAt: string, orderId: string) =>
    keyAt(privacyOf(slug), laterOrderPrefix + timeSortKey(changedAt, orderId)),
  /** Says that all orders of the shop are found by the ids of their customers. */
  listedCustomers: (slug: string) => keyAt(privacyOf(slug), 'CUSTOMERS'),
  /** An order that a request found. */
  foundOrder: (slug: string, uuid: string, orderId: string) =>
    keyAt(foundOrdersOf(slug, uuid), foundOrderPrefix + orderId),
  heartbeat: (region: string) => keyAt(partitions.heartbeats + region, sortKeys.heartbeat),
  /** Which heartbeat a function that reads the stream has seen last. */
  lastRead: (region: string, reader: string) => keyAt(partitions.heartbeats + region, `READ#${reader}`),
  /** The counts of a campaign, within an A/B test or outside of all tests. */
  promotionCount: (slug: string, campaignId: string, testId: string | undefined, shard: number) =>
    keyAt(promotionCountsOf(slug, campaignId), `${promotionCountPrefix(testId)}${shard}`),
};

/** All providers are in one partition, because there are few and they are always read together. */
export const trackingProvidersPartition = partitions.trackingProviders;
export const shopWebhooksOf = (slug: string) => partitions.shopWebhooks + slug;
export const ignoredTopicPrefix = 'IGNORED#';
export const unreadablePrefix = 'UNREADABLE#';
export const unmappedCodePrefix = 'CODE#';
export const unmappedCodesOf = (provider: string) => partitions.unmappedCodes + provider;

/** Partitions of the indexes. */
export const partitionOf = {
  shops: () => indexPartitions.shops.prefix,
  deals: () => indexPartitions.deals.prefix,
  superAdmins: () => indexPartitions.superAdmins.prefix,
  openCircuits: (shard: number) => `${indexPartitions.openCircuits.prefix}${shard}`,
  parkedDeliveries: (slug: string, target: string, shard: number) =>
    `${indexPartitions.parkedDeliveries.prefix}${slug}#${target}#${shard}`,
  due: (shard: number) => `${indexPartitions.due.prefix}${shard}`,
  givenUpDue: (shard: number) => `${indexPartitions.givenUpDue.prefix}${shard}`,
  retries: (shard: number) => `${indexPartitions.retries.prefix}${shard}`,
  privacyWork: () => indexPartitions.privacyWork.prefix,
  orders: (slug: string) => indexPartitions.orders.prefix + slug,
  ordersByEmail: (slug: string, email: string) =>
    `${indexPartitions.ordersByEmail.prefix}${slug}#${normalizeEmail(email)}`,
  ordersByCustomerId: (slug: string, id: string) =>
    `${indexPartitions.ordersByCustomerId.prefix}${slug}#${wellFormed(id)}`,
  ordersByZipCode: (slug: string, zip: string) =>
    `${indexPartitions.ordersByZipCode.prefix}${slug}#${normalizeZipCode(zip)}`,
  ordersByName: (slug: string, name: string) => `${indexPartitions.ordersByName.prefix}${slug}#${wellFormed(name)}`,
  shipmentsByCreation: (slug: string) => indexPartitions.shipmentsByCreation.prefix + slug,
  /** Where shipments are listed that have not changed since they are spread, or all, if they are not. */
  shipmentsByUpdate: (slug: string) => indexPartitions.shipmentsByUpdate.prefix + slug,
  shipmentsInShard: (slug: string, shard: number) => `${indexPartitions.shipmentsByUpdate.prefix}${slug}#${shard}`,
  drafts: (slug: string) => indexPartitions.drafts.prefix + slug,
  claimsByCreation: (slug: string) => indexPartitions.claimsByCreation.prefix + slug,
  claimsByUpdate: (slug: string) => indexPartitions.claimsByUpdate.prefix + slug,
  shipmentsByExternalId: (slug: string, id: string) =>
    `${indexPartitions.shipmentsByExternalId.prefix}${slug}#${wellFormed(id)}`,
  attention: (slug: string, reason: string) => `${indexPartitions.attention.prefix}${slug}#${reason}`,
  attentionInShard: (slug: string, reason: string, shard: number) =>
    `${indexPartitions.attention.prefix}${slug}#${reason}#${shard}`,
  /** For all shops, because carriers do not know whose parcel it is. Shops and carriers write the same number differently. */
  trackingNumber: (number: string) => indexPartitions.trackingNumbers.prefix + comparableTrackingNumber(number),
  goneTrackings: (slug: string) => indexPartitions.goneTrackings.prefix + slug,
  madeBySimulation: (simulationId: string) => indexPartitions.madeBySimulation.prefix + simulationId,
  ordersByCustomer: (slug: string, lastWord: string) =>
    `${indexPartitions.ordersByCustomer.prefix}${slug}#${wellFormed(lastWord)}`,
  /** By two letters: three typed ones can be two in the form in which names are compared ("Mue", "Joe"). */
  customersByWord: (slug: string, word: string) =>
    `${indexPartitions.customersByWord.prefix}${slug}#${wellFormed(word.slice(0, 2))}`,
};

/** The partitions of a shop's shipments by their last change. A slug has no `#`, so none of them is of another shop. */
export const shardsOfShipments = (slug: string): string[] =>
  shardsOf('shipments').map((shard) => partitionOf.shipmentsInShard(slug, shard));
export const shardsOfAttention = (slug: string, reason: string): string[] =>
  shardsOf('shipments').map((shard) => partitionOf.attentionInShard(slug, reason, shard));
export const partitionsByUpdate = (slug: string): string[] => [
  partitionOf.shipmentsByUpdate(slug),
  ...shardsOfShipments(slug),
];

/** The simulation that made an item. Undefined if none did. */
export const simulationOfMade = (timelinePk: string | undefined): string | undefined =>
  timelinePk?.startsWith(indexPartitions.madeBySimulation.prefix)
    ? timelinePk.slice(indexPartitions.madeBySimulation.prefix.length)
    : undefined;

const inLists = (list_pk: string, list_sk: string) => ({ list_pk, list_sk });
const inTimeline = (timeline_pk: string, timeline_sk: string) => ({ timeline_pk, timeline_sk });
const inActivity = (activity_pk: string, activity_sk: string) => ({ activity_pk, activity_sk });
const inAttention = (attention_pk: string, attention_sk: string) => ({ attention_pk, attention_sk });
const inNames = (name_pk: string, name_sk: string) => ({ name_pk, name_sk });

/** The index keys of an item, which put it into a list. */
export const indexKeyOf = {
  /** UUIDv7 begins with its time, so the index is in the order of creation. */
  shops: (uuid: string) => inLists(partitionOf.shops(), uuid),
  deals: (uuid: string) => inLists(partitionOf.deals(), uuid),
  superAdmins: (username: string, tokenId: string) => inLists(partitionOf.superAdmins(), `${username}#${tokenId}`),
  openCircuits: (probeAt: string, slug: string, target: string) =>
    inLists(partitionOf.openCircuits(shardIn('circuits', `${slug}#${target}`)), `${probeAt}#${slug}#${target}`),
  parkedDeliveries: (slug: string, target: string, deliveryId: string) =>
    inLists(partitionOf.parkedDeliveries(slug, target, shardIn('deliveries', deliveryId)), deliveryId),
  due: (shard: number, dueAt: string) => inLists(partitionOf.due(shard), dueAt),
  givenUpDue: (shard: number, givenUpAt: string) => inLists(partitionOf.givenUpDue(shard), givenUpAt),
  retries: (shard: number, dueAt: string) => inLists(partitionOf.retries(shard), dueAt),
  privacyWork: (dueAt: string, slug: string, id: string) =>
    inLists(partitionOf.privacyWork(), `${dueAt}#${slug}#${id}`),
  orders: (slug: string, placedAt: string, uuid: string) =>
    inTimeline(partitionOf.orders(slug), timeSortKey(placedAt, uuid)),
  // These two are sorted by `timeline_sk`.
  ordersByEmail: (slug: string, email: string) => ({ email_pk: partitionOf.ordersByEmail(slug, email) }),
  ordersByCustomerId: (slug: string, id: string, placedAt: string, uuid: string) => ({
    email_pk: partitionOf.ordersByCustomerId(slug, id),
    timeline_sk: timeSortKey(placedAt, uuid),
  }),
  ordersByZipCode: (slug: string, zip: string) => ({ zip_pk: partitionOf.ordersByZipCode(slug, zip) }),
  ordersByName: (slug: string, name: string, placedAt: string, uuid: string) =>
    inNames(partitionOf.ordersByName(slug, name), timeSortKey(placedAt, uuid)),
  shipments: (slug: string, createdAt: string, updatedAt: string, uuid: string) => ({
    ...inTimeline(partitionOf.shipmentsByCreation(slug), timeSortKey(createdAt, uuid)),
    ...inActivity(
      spreadsShipments()
        ? partitionOf.shipmentsInShard(slug, shardIn('shipments', uuid))
        : partitionOf.shipmentsByUpdate(slug),
      timeSortKey(updatedAt, uuid),
    ),
  }),
  drafts: (slug: string, createdAt: string, uuid: string) =>
    inActivity(partitionOf.drafts(slug), timeSortKey(createdAt, uuid)),
  claims: (slug: string, createdAt: string, updatedAt: string, uuid: string) => ({
    ...inTimeline(partitionOf.claimsByCreation(slug), timeSortKey(createdAt, uuid)),
    ...inActivity(partitionOf.claimsByUpdate(slug), timeSortKey(updatedAt, uuid)),
  }),
  shipmentsByExternalId: (slug: string, id: string, uuid: string) =>
    inNames(partitionOf.shipmentsByExternalId(slug, id), uuid),
  attention: (slug: string, reason: string, since: string, uuid: string) =>
    inAttention(partitionOf.attention(slug, reason), timeSortKey(since, uuid)),
  /** A reason that most parcels have. */
  commonAttention: (slug: string, reason: string, since: string, uuid: string) =>
    inAttention(
      spreadsShipments()
        ? partitionOf.attentionInShard(slug, reason, shardIn('shipments', uuid))
        : partitionOf.attention(slug, reason),
      timeSortKey(since, uuid),
    ),
  trackingNumbers: (number: string, slug: string) => inNames(partitionOf.trackingNumber(number), slug),
  /**
   * No shop has such a slug, so only those see it who ask for the parcels of all shops. The second entry is for the removal
   * of the shop.
   */
  goneTrackingNumbers: (number: string, slug: string) => ({
    ...inNames(partitionOf.trackingNumber(number), `~${slug}`),
    ...inTimeline(partitionOf.goneTrackings(slug), wellFormed(number)),
  }),
  madeBySimulation: (simulationId: string, id: string) => inTimeline(partitionOf.madeBySimulation(simulationId), id),
  /** The sort key ends with the other words of the name, so that a search can compare them without reading the order. */
  ordersByCustomer: (slug: string, name: CustomerWords, placedAt: string, uuid: string) =>
    inNames(
      partitionOf.ordersByCustomer(slug, name.last),
      `${timeSortKey(placedAt, uuid)}#${wellFormed(name.others.join(' '))}`,
    ),
  /** One query finds a word, the newest first, or all words with a beginning. */
  customersByWord: (slug: string, { word, others }: NameWord, placedAt: string, uuid: string) =>
    inNames(partitionOf.customersByWord(slug, word), `${word}#${timeSortKey(placedAt, uuid)}#${others.join(' ')}`),
};

export function namePlace(sk: string): { placedAt: string; orderId: string; others: string[] } {
  const [, placedAt, orderId, others = ''] = sk.split('#');
  return { placedAt: placedAt!, orderId: orderId!, others: others.split(' ') };
}

/** A word of a name, by which its order is found, and the other words. */
export interface NameWord {
  word: string;
  others: readonly string[];
}

/** The order and the other words of its customer's name, from the sort key of the index of customers. */
export function customerPlace(sk: string): { orderId: string; others: string[] } {
  const [, orderId, others = ''] = sk.split('#');
  return { orderId: orderId!, others: others.split(' ') };
}

/** A name in the form in which names are compared. */
export interface CustomerWords {
  last: string;
  others: readonly string[];
}

/** The sort key of the order itself, in the partition of its order. */
export const orderSortKey = sortKeys.order;
/** Sorts by time, and then by uuid. */
export const timeSortKey = (time: string, uuid: string) => `${time}#${uuid}`;
/** The time in such a sort key. */
export const timeIn = (place: string): string => place.split('#')[0]!;
/** Settings and internal triggers have the same prefix, so one query reads both. */
export const settingsPrefix = 'SETTINGS';
const internalTriggersPrefix = sortKeys.internalTriggers;
export const recordPrefix = sortKeys.record;
export const deletedRecordPrefix = 'DELETED#';
export const calendarPrefix = 'CALENDAR#';
export const recordsIn = (kind: RecordKindName, slug: string) => partitions[kind] + slug;
/** Whether it is the partition of the records of this kind, and of which shop. */
export const shopOfRecords = (pk: string, kind: RecordKindName): string | undefined =>
  pk.startsWith(partitions[kind]) ? pk.slice(partitions[kind].length) : undefined;
export const outboxOf = (slug: string, orderId: string) => `${partitions.outbox}${slug}#${orderId}`;
export const outboxEventPrefix = 'EVENT#';
export const automationRunPrefix = sortKeys.automationRun;
export const simulationPrefix = sortKeys.simulation;
export const simulationsOf = (slug: string) => partitions.simulations + slug;
export const shopOfSimulations = (pk: string) => pk.slice(partitions.simulations.length);
export const privacyRequestPrefix = 'REQUEST#';
export const privacyOf = (slug: string) => partitions.privacy + slug;
export const removalTraces = 'TRACE#';
export const removalTracePrefix = (kind: string) => `${removalTraces}${kind}#`;
/** Whether the sort key is one of a removal: of its item, or of a trace. */
export const isOfRemoval = (sk: string) => sk === shopRemovalSortKey || sk.startsWith(removalTraces);
const shopRemovalSortKey = 'REMOVAL';
export const laterOrderPrefix = 'LATER#';
/** The time of the last change, and the order. */
export function laterPlace(sk: string): { changedAt: string; orderId: string } {
  const [, changedAt, orderId] = sk.split('#');
  return { changedAt: changedAt!, orderId: orderId! };
}
export const foundOrderPrefix = 'ORDER#';
export const foundOrdersOf = (slug: string, requestId: string) => `${partitions.privacy}${slug}#${requestId}`;
export const automationRunsOf = (slug: string, automationId: string) =>
  `${partitions.automationRuns}${slug}#${automationId}`;
/** Whether it is the partition of the runs of an automation. */
export const isAutomationRun = (pk: string) => pk.startsWith(partitions.automationRuns);
export const webhookPrefix = 'WEBHOOK#';
/** An endpoint that was deleted, for as long as its deliveries are kept. */
export const goneWebhookPrefix = 'GONEWEBHOOK#';
export const registrationPrefix = 'REGISTRATION#';
export const deliveryPrefix = sortKeys.delivery;
/** The shop and the event whose payloads an item has. */
export function eventOfPayloads(pk: string): { slug: string; eventId: string } {
  const [slug, eventId] = pk.slice(partitions.payloads.length).split('#') as [string, string];
  return { slug, eventId };
}
export const feedOf = (slug: string) => partitions.feed + slug;
/** Each time that a shop switches its feed on, another one begins. */
export const feedBlocksPrefix = (generation: number) => `${feedBlocks}${generation}#`;
export const feedBlocks = 'BLOCK#';
export const generationOfBlock = (sk: string): number => Number(sk.slice(feedBlocks.length).split('#')[0]);
export const ledgerPrefix = (generation: number, target: string) => `LEDGER#${generation}#${target}#`;
export const claimPrefix = sortKeys.claim;
export const claimHistoryPrefix = 'HISTORY#';
export const claimMessages = 'MESSAGE#';
export const claimMessagePrefix = (uuid: string) => `${claimMessages}${uuid}#`;
export const claimsOf = (slug: string, orderId: string) => `${partitions.claims}${slug}#${orderId}`;
export const trackingPageOf = (token: string) => partitions.trackingPages + token;
export const pageReference = 'REF';
export const pageVisits = sortKeys.pageVisits;
export const pageWithdrawal = 'WITHDRAWAL';
/** The uuids begin with their time, so the newest withdrawal is the last. */
export const withdrawalPrefix = 'DECLARED#';
export const withdrawalsOf = (slug: string) => partitions.withdrawals + slug;
export const shownPrefix = sortKeys.promotionShown;
export const clickedPrefix = sortKeys.promotionClicked;
export const photosPrefix = 'PHOTOS#';
export const mailsOf = (slug: string, orderId: string) => `${partitions.mails}${slug}#${orderId}`;
export const suppressionsOf = (slug: string) => partitions.suppressions + slug;
export const suppressionListPrefix = 'TIME#';
export const ratingPrefix = 'RATING#';
export const storefrontOf = (slug: string) => partitions.storefronts + slug;
export const storefrontVersion = 'VERSION';
export const promotionCountsOf = (slug: string, campaignId: string) =>
  `${partitions.promotionCounts}${slug}#${campaignId}`;
export const promotionCountPrefix = (testId: string | undefined) => `${testId ?? '-'}#`;
/** Where the lists of a shop are counted together, or one of them alone. */
export const listCountersOf = (slug: string, list?: string) =>
  partitions.positions + (list === undefined ? slug : `${slug}#${list}`);
export const statisticsOf = (slug: string) => partitions.statistics + slug;
export const shopOfStatistics = (pk: string) => pk.slice(partitions.statistics.length);
/** Older releases counted only orders there. */
export const dayCountsPrefix = 'ORDERS#';
/** With the version of what is counted: what is counted otherwise later gets items of its own. */
export const cohortCountsPrefix = `COHORT#${figuresDefinition}#`;
/** The parcels of a cohort, from the sort key of their counts. @param prefix with which it begins */
export function cohortPlace(sk: string, prefix: string): CohortPlace {
  const [day, carrier, country] = sk.slice(prefix.length).split('#');
  return { day: day!, carrier: carrier!, country: country! };
}
export const testCountsPrefix = (testId: string) => `TEST#${testId}#`;
export const ratingCountsPrefix = 'RATINGS#';
/** The parcels that a carrier (`-`: unknown) got on a day for a country (`-`: unknown). */
export interface CohortPlace {
  day: string;
  carrier: string;
  country: string;
}
/** What the parcels of a carrier to a country are compared by. */
export type Lane = Omit<CohortPlace, 'day'>;
/** A carrier and a country, as they stand in keys. */
export const laneName = ({ carrier, country }: Lane) => `${carrier}#${country}`;
const arrivalModelPrefix = 'ARRIVAL#';
/** The lane that a shop has learned about. Undefined for items of other kinds. */
export function laneOfModel(sk: string): Lane | undefined {
  if (!sk.startsWith(arrivalModelPrefix)) return undefined;
  const [carrier, country] = sk.slice(arrivalModelPrefix.length).split('#');
  return { carrier: carrier!, country: country! };
}
/** By country, and then by shop. */
export const arrivalsOf = (carrier: string) => partitions.arrivals + carrier;
export const deliveryCountsPrefix = 'DELIVERIES#';
/** The target that the deliveries of a day are counted for. */
export const countedTarget = (sk: string): string => sk.split('#').slice(2).join('#');
export const duePartition = (slug: string, subject: string) => `${partitions.due}${slug}#${subject}`;
/** What is known about a target besides its deliveries. */
export const targetPartition = (slug: string, target: string) => `${partitions.deliveries}${slug}#${target}`;
export const deliveriesOf = (slug: string, target: string, shard: number) =>
  `${targetPartition(slug, target)}#${shard}`;
/** The waits of a delivery for its next attempt. */
export const retriesOf = (slug: string, deliveryId: string) => `${partitions.retries}${slug}#${deliveryId}`;
export const isDeliveryPartition = (pk: string) => pk.startsWith(partitions.deliveries);
export const isPayloadPartition = (pk: string) => pk.startsWith(partitions.payloads);
/** Where the wake items of a delivery are, and how their sort keys begin. @param pk the partition of the delivery */
export const wakesOf = (slug: string, pk: string, deliveryId: string) => ({
  pk: outboxOf(slug, pk.slice(targetPartition(slug, '').length, pk.lastIndexOf('#'))),
  sk: `WAKE#${deliveryId}#`,
});
export const integrationKeyPrefix = 'INTEGRATION#';
export const shipmentPrefix = sortKeys.shipment;
export const sessionsOf = (tokenId: string) => partitions.sessions + tokenId;
/** Where the next pages of lists start for one API key. */
export const pageStartsOf = (tokenId: string) => partitions.pages + tokenId;
export const parcelRegistrationsOf = (slug: string, shipmentId: string) =>
  `${partitions.parcelRegistrations}${slug}#${shipmentId}`;
export const dataKeysOf = (slug: string) => partitions.dataKeys + slug;
export const apiKeysOf = (username: string) => partitions.keys + username;
export const keyUsesOf = (username: string) => partitions.keyUses + username;
export const shopPartition = (slug: string) => partitions.shop + slug;
/** The slug of a shop, from the partition key of any of its items. */
export const slugIn = (pk: string) => pk.slice(partitions.shop.length);
export const orderPartition = (slug: string, orderId: string) => `${partitions.order}${slug}#${orderId}`;
/** The uuid of an order, from the partition key of any of its items. */
export const orderIdIn = (pk: string) => pk.slice(pk.lastIndexOf('#') + 1);
/** The slug of the shop, from the partition key of any item of an order. */
export const shopOfOrder = (pk: string) => pk.slice(partitions.order.length, pk.lastIndexOf('#'));

/** Whether it is the partition of the claims of an order. */
export const isClaim = (pk: string) => pk.startsWith(partitions.claims);
/** The slug of the shop, from the partition key of the claims of an order. */
export const shopOfClaims = (pk: string) => pk.slice(partitions.claims.length, pk.lastIndexOf('#'));

export const trackingReferencesOf = (slug: string, number: string) => `${partitions.tracking}${slug}#${number}`;
export const trackingReference = 'REF';
/** The place of an order in its parcel, from the sort key of its reference. The first place has no number. */
export const placeIn = (sk: string) => Number(sk.slice(trackingReference.length + 1));

/** People write the same address in several ways. */
export const normalizeEmail = (email: string) => wellFormed(email.trim().toLowerCase());
export const normalizeZipCode = (zip: string) => wellFormed(zip.replaceAll(' ', '').toUpperCase());

/** A key is UTF-8, which cannot contain half of a surrogate pair. */
const wellFormed = (text: string) => text.toWellFormed();
