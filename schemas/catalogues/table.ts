/** The names in the table: its attributes, its indexes and the prefixes of its keys. */

export const attributes = {
  partition: 'pk',
  sort: 'sk',
  /** In Unix seconds. DynamoDB deletes the item some time after this. */
  expiry: 'expires_at',
} as const;

/**
 * A list of shipments or claims needs these attributes to choose the items of a page before it reads them. Shipments have
 * no `created_at` and `updated_at`: their sort keys tell both, and the second would write their entry by creation at every
 * event.
 */
const summary = ['tracking_number', 'created_at', 'updated_at', 'claim'] as const;

/** All indexes are sparse: an index contains only the items that have both of its attributes. */
export const indexes = {
  /** Small items. A list shows them completely. */
  lists: { partition: 'list_pk', sort: 'list_sk', projection: 'all' },
  /** Ordered by the time of creation. */
  timeline: { partition: 'timeline_pk', sort: 'timeline_sk', projection: summary },
  /** Ordered by the time of the last change. An order stands here while it has drafts. */
  activity: { partition: 'activity_pk', sort: 'activity_sk', projection: [...summary, 'drafts', 'timeline_sk'] },
  // Each of the next three holds what the other two are searched by, so that one query answers several filters. The first
  // two sort by the key of `timeline`: a sort key of their own would lengthen every order by the same 61 bytes.
  order_emails: { partition: 'email_pk', sort: 'timeline_sk', projection: ['zip_pk', 'name_pk'] },
  order_zip_codes: { partition: 'zip_pk', sort: 'timeline_sk', projection: ['email_pk', 'name_pk'] },
  /** By a name from another system. It may not be unique. */
  names: { partition: 'name_pk', sort: 'name_sk', projection: ['email_pk', 'zip_pk'] },
  /** What may need somebody. Most of its entries change once a day at most, so it holds nothing that changes more often. */
  attention: { partition: 'attention_pk', sort: 'attention_sk', projection: ['tracking_number'] },
} as const;

/**
 * The kinds of records that a shop has a list of. Each kind has its own partition with the newest record last. The
 * partition also holds the items that guard unique values.
 */
const recordPartitions = {
  discounts: 'DISCOUNTS#',
  deals: 'DEALS#',
  announcements: 'ANNOUNCEMENTS#',
  campaigns: 'CAMPAIGNS#',
  abTests: 'ABTESTS#',
  automations: 'AUTOMATIONS#',
} as const;

/**
 * Every partition key begins with one of these prefixes. A function has access only to the prefixes that it needs, so
 * each new kind of item gets its own prefix.
 */
export const partitions = {
  ...recordPartitions,
  /** A shop, its settings and its integration keys. */
  shop: 'SHOP#',
  /** The data keys of a shop, encrypted. */
  dataKeys: 'DATAKEYS#',
  /** The API keys of one username. */
  keys: 'KEYS#',
  /** When the API keys of one username were last used. */
  keyUses: 'KEYUSES#',
  /** How often wrong keys of one username came from one address. */
  wrongKeys: 'WRONGKEYS#',
  /** How much API keys use that are busy. */
  keyRates: 'KEYRATE#',
  /** The sessions of one API key. */
  sessions: 'SESSIONS#',
  /** When the last webhook of a shop's own system came, which topics were ignored, and which could not be read. */
  shopWebhooks: 'SHOPWEBHOOKS#',
  /** An order and its shipments. */
  order: 'ORDER#',
  /** Which order has an order number or an external id. */
  orderReference: 'ORDERREF#',
  /** Which shipments have a tracking number in a shop. */
  tracking: 'TRACKINGREF#',
  /** The claims of an order and their histories. */
  claims: 'CLAIMS#',
  /** Which order a claim belongs to. */
  claimReference: 'CLAIMREF#',
  /** The withdrawals of a shop's customers from their contracts, and which of them an order has. */
  withdrawals: 'WITHDRAWALS#',
  /** Events to send, and parcels to submit for tracking. */
  outbox: 'OUTBOX#',
  /** The deliveries to one endpoint or integration, in several partitions, the state of its circuit, and its pace. */
  deliveries: 'DELIVERIES#',
  /** Deliveries whose next attempt is too far away for the queue. */
  retries: 'RETRIES#',
  /** What deliveries send: one item for all deliveries of an event. */
  payloads: 'PAYLOADS#',
  /** In which order the events of a shop entered its feed, and how many of them each hour has. */
  feed: 'FEED#',
  /** The past and scheduled runs of an automation. */
  automationRuns: 'AUTOMATIONRUNS#',
  /** Where the next page of a list starts for one API key. */
  pages: 'PAGES#',
  /** The tracking providers that are set, all in one partition. */
  trackingProviders: 'TRACKINGPROVIDERS#',
  /** Which message registers a parcel with a tracking provider. */
  parcelRegistrations: 'PARCELREGISTRATIONS#',
  /** The codes of a tracking provider that have no event, when its last webhook came, and how many were refused. */
  unmappedCodes: 'UNMAPPED#',
  /** Planned actions, by the item that they are for. */
  due: 'DUE#',
  /** What belongs to the tracking page of an order: which order it is, its claims, and what was counted. */
  trackingPages: 'PAGE#',
  /** How often somebody at one address tried to find an order of one shop. */
  lookups: 'LOOKUPS#',
  /** What was mailed about an order. */
  mails: 'MAILS#',
  /** The addresses that get no e-mails of a shop. */
  suppressions: 'SUPPRESSIONS#',
  /** What a shop shows to all its customers. */
  storefronts: 'STOREFRONT#',
  /** How often a campaign was shown and followed. */
  promotionCounts: 'COUNTS#',
  /** What is counted of a shop. */
  statistics: 'STATISTICS#',
  /** What the shops of the deployment know about the deliveries of a carrier. */
  arrivals: 'ARRIVALS#',
  /** Which records of the stream have been counted. */
  countedRecords: 'COUNTED#',
  /** How many entries the parts of a list have, so that a far page is found without reading what is before it. */
  positions: 'POSITIONS#',
  /** The simulations of a shop. */
  simulations: 'SIMULATIONS#',
  /** What was asked for the privacy of a shop's customers, and how far it is; with a request, the orders that it found. */
  privacy: 'PRIVACY#',
  /** What is written every minute so that the stream is never silent, and who has read it, for each region. */
  heartbeats: 'HEARTBEAT#',
} as const;

/** A consumer of the stream recognises items by these sort keys. A value with `#` is a prefix. */
export const sortKeys = {
  order: 'ORDER',
  shipment: 'SHIPMENT#',
  internalTriggers: 'SETTINGS#TRIGGERS#',
  claim: 'CLAIM#',
  delivery: 'DELIVERY#',
  payload: 'PAYLOAD',
  automationRun: 'RUN#',
  heartbeat: 'HEARTBEAT',
  record: 'RECORD#',
  simulation: 'SIM#',
  shop: 'SHOP',
  pageVisits: 'VISITS',
  promotionShown: 'SHOWN#',
  promotionClicked: 'CLICKED#',
} as const;

/** The prefixes of the partition keys of the indexes. A value without `#` is the whole key. */
export const indexPartitions = {
  shops: { index: 'lists', prefix: 'SHOPS' },
  deals: { index: 'lists', prefix: 'DEALS' },
  superAdmins: { index: 'lists', prefix: 'SUPERADMINS' },
  /** Targets with an open circuit, ordered by the time of their next probe, distributed over several partitions. */
  openCircuits: { index: 'lists', prefix: 'CIRCUITS#' },
  /** Deliveries that wait until their target answers again, oldest first, distributed over several partitions. */
  parkedDeliveries: { index: 'lists', prefix: 'PARKED#' },
  /** Planned actions, earliest first, distributed over several partitions. */
  due: { index: 'lists', prefix: 'DUE#' },
  /** Planned actions that were given up, for an operator, in as many partitions. */
  givenUpDue: { index: 'lists', prefix: 'GIVENUP#' },
  /** Deliveries that wait for their next attempt, earliest first, distributed over several partitions. */
  retries: { index: 'lists', prefix: 'RETRIES#' },
  /** What is to be done for privacy, of all shops, by the time when it is due. */
  privacyWork: { index: 'lists', prefix: 'PRIVACY' },
  orders: { index: 'timeline', prefix: 'ORDERS#' },
  shipmentsByCreation: { index: 'timeline', prefix: 'SHIPMENTS#' },
  shipmentsByUpdate: { index: 'activity', prefix: 'SHIPMENTS#' },
  /** Orders with drafts. A draft does not change until it is a shipment, so one list has both orders of the lists of shipments. */
  drafts: { index: 'activity', prefix: 'DRAFTS#' },
  claimsByCreation: { index: 'timeline', prefix: 'CLAIMS#' },
  claimsByUpdate: { index: 'activity', prefix: 'CLAIMS#' },
  ordersByEmail: { index: 'order_emails', prefix: 'ORDERS#' },
  /** The entries are those of the references by order number, which every order has. */
  ordersByCustomerId: { index: 'order_emails', prefix: 'CUSTOMERID#' },
  ordersByZipCode: { index: 'order_zip_codes', prefix: 'ORDERS#' },
  ordersByName: { index: 'names', prefix: 'ORDERNAME#' },
  shipmentsByExternalId: { index: 'names', prefix: 'SHIPMENTID#' },
  trackingNumbers: { index: 'names', prefix: 'TRACKING#' },
  /** Parcels and claims that may need somebody, by the reason. */
  attention: { index: 'attention', prefix: 'ATTENTION#' },
  /** Tracking numbers whose parcels were deleted. */
  goneTrackings: { index: 'timeline', prefix: 'GONETRACKINGS#' },
  /** What a simulation made besides its order: deliveries, payloads, runs of automations. */
  madeBySimulation: { index: 'timeline', prefix: 'SIMULATION#' },
  /** Orders by the last word of their customer's name. */
  ordersByCustomer: { index: 'names', prefix: 'CUSTOMER#' },
  /** Orders by the first and the last word of their customer's name. The entries are those of the order's references. */
  customersByWord: { index: 'names', prefix: 'CUSTOMERWORD#' },
} as const satisfies Record<string, { index: IndexName; prefix: string }>;

export type RecordKindName = keyof typeof recordPartitions;
export const recordKindNames = Object.keys(recordPartitions) as RecordKindName[];
export type IndexName = keyof typeof indexes;
export type PartitionName = keyof typeof partitions;
export type IndexPartitionName = keyof typeof indexPartitions;
