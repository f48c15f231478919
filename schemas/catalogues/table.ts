/** The names of the one table: its attributes, its indexes and what its partition keys begin with. */

export const attributes = {
  partition: 'pk',
  sort: 'sk',
  /** Unix seconds; DynamoDB deletes the item some time after. */
  expiry: 'expires_at',
} as const;

/** What a list of shipments or claims needs to know of each before it reads those of its page. */
const summary = ['tracking_number', 'created_at', 'updated_at', 'drafts', 'claim'] as const;

/** All sparse: an item stands in an index only where it carries both of its attributes. */
export const indexes = {
  /** Small things that are listed whole. */
  lists: { partition: 'list_pk', sort: 'list_sk', projection: 'all' },
  /** By the time something began. */
  timeline: { partition: 'timeline_pk', sort: 'timeline_sk', projection: summary },
  /** By the time something last changed. */
  activity: { partition: 'activity_pk', sort: 'activity_sk', projection: summary },
  emails: { partition: 'email_pk', sort: 'email_sk', projection: 'keys' },
  zip_codes: { partition: 'zip_pk', sort: 'zip_sk', projection: 'keys' },
  /** By a name that somebody else gave and that need not be unique. */
  names: { partition: 'name_pk', sort: 'name_sk', projection: 'keys' },
} as const;

/**
 * Kinds of things that a shop has a list of: each one lies in a partition of its own, newest last, with the guards of
 * what must be unique among them.
 */
export const recordPartitions = {
  discounts: 'DISCOUNTS#',
  deals: 'DEALS#',
  announcements: 'ANNOUNCEMENTS#',
  campaigns: 'CAMPAIGNS#',
  abTests: 'ABTESTS#',
  automations: 'AUTOMATIONS#',
} as const;

/**
 * Every partition key begins with one of these. A function is granted the prefixes it needs and no others, so a new
 * kind of item gets a prefix of its own.
 */
export const partitions = {
  ...recordPartitions,
  /** A shop and what belongs to it as a whole: settings, integration keys. */
  shop: 'SHOP#',
  /** The API keys of one username. */
  keys: 'KEYS#',
  /** An order and its shipments. */
  order: 'ORDER#',
  /** Who has an order number or an external id. */
  orderReference: 'ORDERREF#',
  /** Who has a tracking number in a shop. */
  tracking: 'TRACKINGREF#',
  /** The claims of an order and their histories. */
  claims: 'CLAIMS#',
  /** Which order a claim belongs to. */
  claimReference: 'CLAIMREF#',
  /** Events on their way out, and parcels to submit for tracking. */
  outbox: 'OUTBOX#',
  /** What goes to one endpoint or integration: deliveries, their payloads, its circuit. */
  deliveries: 'DELIVERIES#',
  /** What an automation did, and is about to do. */
  automationRuns: 'AUTOMATIONRUNS#',
  /** Where the next page of a list begins for one API key. */
  pages: 'PAGES#',
  /** What is to happen at a later time, by what it is about. */
  due: 'DUE#',
} as const;

/** Sort keys by which a consumer of the stream tells items apart; one with `#` is what they begin with. */
export const sortKeys = {
  shipment: 'SHIPMENT#',
  /** Stands for the drafts of an order in the lists of shipments. */
  drafts: 'DRAFTS',
  internalTriggers: 'SETTINGS#TRIGGERS#',
} as const;

/** What the partition keys of the indexes begin with; one without `#` is the whole key. */
export const indexPartitions = {
  shops: { index: 'lists', prefix: 'SHOPS' },
  deals: { index: 'lists', prefix: 'DEALS' },
  superAdmins: { index: 'lists', prefix: 'SUPERADMINS' },
  /** Targets whose circuit is open, by the time of their next probe. */
  openCircuits: { index: 'lists', prefix: 'CIRCUITS' },
  /** Deliveries that wait for their target to come back, oldest first. */
  parkedDeliveries: { index: 'lists', prefix: 'PARKED#' },
  /** What is to happen at a later time, soonest first, spread over several partitions. */
  due: { index: 'lists', prefix: 'DUE#' },
  orders: { index: 'timeline', prefix: 'ORDERS#' },
  shipmentsByCreation: { index: 'timeline', prefix: 'SHIPMENTS#' },
  shipmentsByUpdate: { index: 'activity', prefix: 'SHIPMENTS#' },
  claimsByCreation: { index: 'timeline', prefix: 'CLAIMS#' },
  claimsByUpdate: { index: 'activity', prefix: 'CLAIMS#' },
  ordersByEmail: { index: 'emails', prefix: 'ORDERS#' },
  ordersByZipCode: { index: 'zip_codes', prefix: 'ORDERS#' },
  ordersByName: { index: 'names', prefix: 'ORDERNAME#' },
  shipmentsByExternalId: { index: 'names', prefix: 'SHIPMENTID#' },
  trackingNumbers: { index: 'names', prefix: 'TRACKING#' },
} as const satisfies Record<string, { index: IndexName; prefix: string }>;

export type RecordKindName = keyof typeof recordPartitions;
export type IndexName = keyof typeof indexes;
export type PartitionName = keyof typeof partitions;
export type IndexPartitionName = keyof typeof indexPartitions;
