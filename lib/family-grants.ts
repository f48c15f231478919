import type { imagePlaces } from '#schemas/catalogues/image-places.ts';
import type { PartitionName, RecordKindName } from '#schemas/catalogues/table.ts';
import type { FamilyName } from '#schemas/families/index.ts';
import type { EncryptedFor } from './constructs/service-function.ts';
import type { TableGrant } from './constructs/table-grant.ts';

export interface FamilyGrants {
  readonly table: readonly TableGrant[];
  /** Of credentials that it cannot read again, or of which a shop has only one. */
  readonly encryptsCredentials?: boolean;
  /** It encrypts the secrets of this place with the data key of a shop, which it must then be able to decrypt, too. */
  readonly createsDataKeys?: EncryptedFor;
  /**
   * The secrets that it shows again. No API function can decrypt anything else, for example the key of another
   * integration.
   */
  readonly decryptsCredentials?: readonly EncryptedFor[];
  /** It gives the URL of the service to other systems and to customers. */
  readonly knowsItsAddress?: boolean;
  /** It tells shops whether events can reach their integrations, for which server a key is, or whose integration it is. */
  readonly knowsIntegrationTargets?: boolean;
  /** It queues what tracking providers report. */
  readonly sendsCarrierUpdates?: boolean;
  /** It counts what waits in the queues of the pipeline, and receives nothing of it. */
  readonly watchesQueues?: boolean;
  /** It reads delivery bodies that were too big for the table. */
  readonly readsPayloads?: boolean;
  /** It writes delivery bodies, and removes its own. */
  readonly makesPayloads?: boolean;
  /** It signs URLs of the ZIPs of disclosures. */
  readonly showsDisclosures?: boolean;
  readonly removesPrivateImages?: boolean;
  /** It writes images into these places and reads none. */
  readonly storesImages?: readonly (keyof typeof imagePlaces)[];
  /** It knows whether the deployment can send e-mails. */
  readonly knowsEmailSender?: boolean;
  /** It sends e-mails itself. */
  readonly sendsEmails?: boolean;
  /** It signs URLs of private images. A signed URL has the permissions of the function that signed it. */
  readonly showsPrivateImages?: boolean;
}

/** Wrong keys, what busy shops use, and when a key was last used. */
const countsCallers: readonly TableGrant[] = [
  { actions: ['PutItem'], partitions: ['keyUses'] },
  { actions: ['UpdateItem'], partitions: ['wrongKeys', 'keyRates'] },
];

/** Reads the caller's key, the session and the shop of the path in one request. */
const authentication: readonly TableGrant[] = [
  { actions: ['BatchGetItem'], partitions: ['keys', 'sessions', 'shop'] },
  ...countsCallers,
];

/** Of a family of which no operation is about a shop. */
const authenticationWithoutShop: readonly TableGrant[] = [
  { actions: ['BatchGetItem'], partitions: ['keys', 'sessions'] },
  ...countsCallers,
];

/** Reads a whole order, and which orders have a number. */
const findsOrders: readonly TableGrant[] = [
  { actions: ['Query'], partitions: ['order', 'tracking'] },
  { actions: ['BatchGetItem'], partitions: ['orderReference'] },
  { query: 'trackingNumbers' },
];

/** An upsert reads all references to the numbers that it gets in one request. */
const upsertsOrders: readonly TableGrant[] = [
  { actions: ['Query'], partitions: ['order', 'tracking'] },
  { actions: ['BatchGetItem'], partitions: ['orderReference', 'tracking'] },
];

/** An order that gets another external id leaves the reference to the old one, in the transaction that writes all of it. */
const dropsReferences: TableGrant = {
  actions: ['DeleteItem'],
  partitions: ['orderReference'],
  beside: ['order', 'tracking', 'outbox', 'trackingPages'],
};

/** Reads many orders by key. */
const readsOrders: TableGrant = { actions: ['BatchGetItem'], partitions: ['order'] };

/**
 * The grants of a family with its own list of records. `reads` are records of other families that it shows with them.
 */
function recordGrants(kind: RecordKindName, reads: readonly PartitionName[] = []): TableGrant[] {
  return [
    ...authentication,
    { actions: ['BatchGetItem'], partitions: [kind, 'pages', ...reads] },
    { actions: ['Query'], partitions: [kind] },
    { actions: ['PutItem'], partitions: ['pages'] },
  ];
}

/** Records that customers see: each change of one also counts up the version of the shop's storefront. */
function shownRecordGrants(kind: RecordKindName, reads: readonly PartitionName[] = []): TableGrant[] {
  return [
    ...recordGrants(kind, reads),
    { actions: ['PutItem', 'DeleteItem'], partitions: [kind], beside: ['storefronts'] },
    { actions: ['UpdateItem'], partitions: ['storefronts'], beside: [kind] },
  ];
}

/** A new claim is counted in the transaction that writes it. */
const countsClaims: TableGrant = {
  actions: ['UpdateItem'],
  partitions: ['claims'],
  beside: ['claimReference', 'outbox', 'trackingPages'],
};

/** Finds a far page of a list by its counters. */
const findsFarPages: TableGrant = { actions: ['Query'], partitions: ['positions'] };

/** Finds the data key of a shop, or stores the first one. */
const sharesDataKey: TableGrant = { actions: ['BatchGetItem', 'PutItem'], partitions: ['dataKeys'] };

/**
 * Changes settings, which lie with the shop. Every change of what customers see also counts up the version of the shop's
 * storefront. @param also what else the same transaction writes
 */
function changesSettings(...also: readonly PartitionName[]): TableGrant[] {
  return [
    { actions: ['PutItem'], partitions: ['shop', ...also], beside: ['storefronts'] },
    { actions: ['UpdateItem'], partitions: ['storefronts'], beside: ['shop', ...also] },
  ];
}

/** Everything that each family may do. A family that is missing here does not compile. */
export const familyGrants: Record<FamilyName, FamilyGrants> = {
  meta: { table: [] },
  statistics: {
    table: [
      ...authentication,
      { actions: ['BatchGetItem', 'Query'], partitions: ['statistics'] },
      // Shows the parcels and claims that need somebody.
      { query: 'attention' },
      { actions: ['BatchGetItem'], partitions: ['order', 'claims'] },
    ],
  },
  feed: {
    table: [
      ...authentication,
      ...changesSettings(),
      // Blocks, the ledger, and requests that wait.
      { actions: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], partitions: ['feed'] },
      // A place whose writer died is closed where its payload would be.
      { actions: ['BatchGetItem', 'UpdateItem'], partitions: ['payloads'] },
      // How far the ledger is counted.
      { actions: ['BatchGetItem'], partitions: ['heartbeats'] },
    ],
    readsPayloads: true,
  },
  analytics: { table: [...authentication, { actions: ['Query'], partitions: ['statistics'] }] },
  orders: {
    table: [
      ...authentication,
      ...upsertsOrders,
      readsOrders,
      { actions: ['BatchGetItem'], partitions: ['pages', 'positions'] },
      findsFarPages,
      { actions: ['PutItem'], partitions: ['order', 'orderReference', 'tracking', 'outbox', 'pages', 'trackingPages'] },
      dropsReferences,
      { query: 'orders' },
      { query: 'shipmentsByUpdate' },
      { query: 'drafts' },
      { query: 'ordersByEmail' },
      { query: 'ordersByZipCode' },
      { query: 'ordersByName' },
      { query: 'ordersByCustomer' },
      { query: 'customersByWord' },
      { query: 'attention' },
      { query: 'trackingNumbers' },
      // How long parcels are usually silent.
      { actions: ['Query'], partitions: ['statistics'] },
      // The search finds claims, too.
      { actions: ['BatchGetItem'], partitions: ['claims', 'claimReference'] },
      // A timeline also shows claims, automations, their runs, deliveries and their receivers, and views of the page.
      { actions: ['Query'], partitions: ['claims', 'outbox', 'trackingPages', 'automations', 'shop'] },
      { actions: ['BatchGetItem'], partitions: ['deliveries', 'automationRuns', 'withdrawals'] },
    ],
    knowsItsAddress: true,
  },
  shipments: {
    table: [
      ...authentication,
      ...findsOrders,
      readsOrders,
      { actions: ['PutItem'], partitions: ['order', 'tracking', 'outbox', 'pages'] },
      { actions: ['DeleteItem'], partitions: ['order', 'tracking'] },
      { actions: ['BatchGetItem'], partitions: ['pages', 'positions'] },
      findsFarPages,
      { query: 'shipmentsByUpdate' },
      { query: 'shipmentsByCreation' },
      { query: 'drafts' },
      { query: 'ordersByName' },
    ],
  },
  events: {
    table: [
      ...authentication,
      ...findsOrders,
      { actions: ['PutItem'], partitions: ['order', 'outbox'] },
      { query: 'shipmentsByExternalId' },
      // When the parcels of a carrier arrive.
      { actions: ['BatchGetItem'], partitions: ['statistics'] },
    ],
  },
  claims: {
    table: [
      ...authentication,
      // A response contains fields of the claim's order and shipment, and an event contains its whole order.
      {
        actions: ['BatchGetItem'],
        partitions: ['claims', 'claimReference', 'order', 'orderReference', 'pages', 'positions'],
      },
      findsFarPages,
      // The clock of a simulated order.
      { actions: ['BatchGetItem'], partitions: ['simulations'] },
      { actions: ['Query'], partitions: ['claims', 'order', 'tracking'] },
      { actions: ['PutItem'], partitions: ['claims', 'claimReference', 'outbox', 'pages', 'trackingPages'] },
      // The page of the order does not show a deleted claim.
      { actions: ['DeleteItem'], partitions: ['trackingPages'], beside: ['claims'] },
      countsClaims,
      { query: 'trackingNumbers' },
      { query: 'claimsByCreation' },
      { query: 'claimsByUpdate' },
    ],
    showsPrivateImages: true,
  },
  withdrawals: {
    table: [
      ...authentication,
      // An event contains the whole order, and the clock of a simulated one is its simulation's.
      { actions: ['BatchGetItem'], partitions: ['withdrawals', 'simulations', 'pages'] },
      { actions: ['Query'], partitions: ['withdrawals', 'order'] },
      { actions: ['PutItem'], partitions: ['withdrawals', 'outbox', 'pages', 'trackingPages'] },
    ],
  },
  images: { table: [...authentication], storesImages: ['public', 'private'] },
  shops: {
    table: [
      ...authentication,
      // A shop is created unless one with its slug is being removed; its removal is work that follows.
      { actions: ['ConditionCheckItem'], partitions: ['privacy'], beside: ['shop'] },
      { actions: ['PutItem'], partitions: ['shop', 'privacy'], beside: ['storefronts'] },
      { actions: ['DeleteItem'], partitions: ['shop'], beside: ['privacy', 'storefronts'] },
      { actions: ['UpdateItem'], partitions: ['shop', 'storefronts'], beside: ['privacy'] },
      { actions: ['Query'], partitions: ['shop'] },
      { actions: ['PutItem', 'DeleteItem', 'Query'], partitions: ['keys'] },
      { actions: ['DeleteItem', 'Query'], partitions: ['keyUses'] },
      { query: 'shops' },
      { actions: ['BatchGetItem'], partitions: ['pages', 'positions'] },
      findsFarPages,
      { actions: ['PutItem'], partitions: ['pages'] },
    ],
    encryptsCredentials: true,
    knowsIntegrationTargets: true,
  },
  pages: {
    table: [
      ...authentication,
      // A page is read from its token, its order and the storefront of its shop.
      { actions: ['Query'], partitions: ['trackingPages', 'order', 'storefronts'] },
      // What a storefront is made from.
      { actions: ['Query'], partitions: ['deals', 'announcements', 'campaigns', 'abTests'] },
      { actions: ['BatchGetItem'], partitions: ['storefronts', 'discounts', 'campaigns', 'abTests'] },
      // The view of a storefront, and a customer's claim or withdrawal with its event.
      {
        actions: ['PutItem'],
        partitions: ['storefronts', 'trackingPages', 'claims', 'claimReference', 'withdrawals', 'outbox'],
      },
      // An order that was erased takes no withdrawal.
      {
        actions: ['ConditionCheckItem'],
        partitions: ['claims'],
        beside: ['withdrawals', 'trackingPages', 'outbox'],
      },
      countsClaims,
      // Promotions and ratings are counted with a mark of the page, so that none counts twice.
      { actions: ['PutItem'], partitions: ['trackingPages'], beside: ['promotionCounts', 'statistics'] },
      { actions: ['UpdateItem'], partitions: ['promotionCounts', 'statistics'], beside: ['trackingPages'] },
      // The forms that were sent, how many claims the order has, and the claim that a customer writes in.
      { actions: ['BatchGetItem'], partitions: ['trackingPages', 'claims', 'claimReference'] },
      // What was written in claims.
      { actions: ['Query'], partitions: ['claims'] },
      // The clock of a simulated order.
      { actions: ['BatchGetItem'], partitions: ['simulations'] },
      // A customer looks for an order.
      { actions: ['BatchGetItem'], partitions: ['orderReference', 'order'] },
      { actions: ['BatchGetItem', 'PutItem'], partitions: ['lookups'] },
      // Who gets no e-mails. Links to unsubscribe are signed.
      { actions: ['BatchGetItem', 'PutItem', 'DeleteItem'], partitions: ['suppressions'] },
      { actions: ['BatchGetItem'], partitions: ['dataKeys'] },
    ],
    decryptsCredentials: [{ place: 'email' }],
    knowsEmailSender: true,
    knowsItsAddress: true,
    storesImages: ['private'],
    showsPrivateImages: true,
  },
  emails: {
    table: [
      ...authentication,
      ...changesSettings(),
      // And when test mails were sent.
      { actions: ['PutItem'], partitions: ['pages', 'suppressions'] },
      // Suppressed addresses are shown as their orders have them.
      { actions: ['BatchGetItem'], partitions: ['suppressions', 'order', 'pages'] },
      { actions: ['Query', 'DeleteItem'], partitions: ['suppressions'] },
      sharesDataKey,
    ],
    createsDataKeys: { place: 'email' },
    decryptsCredentials: [{ place: 'email' }],
    knowsItsAddress: true,
    sendsEmails: true,
  },
  simulations: {
    table: [
      ...authentication,
      // Starting one makes an order, and playing it does what carriers, triggers and automations do to orders.
      { actions: ['BatchGetItem'], partitions: ['simulations', 'orderReference', 'pages', 'positions', 'payloads'] },
      findsFarPages,
      { actions: ['BatchGetItem'], partitions: ['automationRuns', 'automations', 'withdrawals'] },
      { actions: ['Query'], partitions: ['simulations', 'order', 'claims', 'shop', 'automations', 'tracking'] },
      {
        actions: ['PutItem'],
        partitions: [
          'simulations',
          'order',
          'orderReference',
          'tracking',
          'outbox',
          'trackingPages',
          'deliveries',
          'payloads',
          'automationRuns',
        ],
      },
      { actions: ['PutItem'], partitions: ['pages'] },
      // Nothing is made for one that is removed, and no trigger fires for a parcel that changed.
      {
        actions: ['ConditionCheckItem'],
        partitions: ['simulations', 'order'],
        beside: ['outbox', 'deliveries', 'payloads', 'automationRuns'],
      },
      // Those that run are counted as they start and end, and the result of an action is stored with what it did.
      {
        actions: ['UpdateItem'],
        partitions: ['simulations', 'automationRuns'],
        beside: ['order', 'orderReference', 'tracking', 'outbox', 'trackingPages'],
      },
      // Removing one finds and removes all that it made.
      { query: 'madeBySimulation' },
      { actions: ['Query'], partitions: ['trackingPages', 'outbox', 'retries', 'mails'] },
      // What another order could have too is removed only if it is the simulation's own.
      {
        actions: ['DeleteItem'],
        partitions: ['simulations', 'order', 'orderReference', 'tracking', 'claimReference', 'trackingPages'],
      },
      {
        actions: ['BatchWriteItem'],
        partitions: [
          'order',
          'claims',
          'withdrawals',
          'outbox',
          'deliveries',
          'retries',
          'payloads',
          'automationRuns',
          'trackingPages',
          'mails',
        ],
      },
    ],
    knowsItsAddress: true,
    knowsIntegrationTargets: true,
    makesPayloads: true,
    removesPrivateImages: true,
  },
  settings: {
    // Settings, also those of the pages, internal triggers, mappings, endpoints and the keys of integrations are in the partition of the shop.
    table: [
      ...authentication,
      { actions: ['Query'], partitions: ['shop'] },
      // Switching updates on also asks for the parcels that are under way.
      ...changesSettings('outbox'),
    ],
    knowsIntegrationTargets: true,
    // A page takes withdrawals only if they can be acknowledged.
    knowsEmailSender: true,
  },
  campaigns: {
    table: [
      ...recordGrants('campaigns', ['discounts', 'abTests', 'order', 'positions']),
      findsFarPages,
      { actions: ['Query'], partitions: ['promotionCounts'] },
      // A campaign is written with its name and its segment's calendar, if its discount exists.
      { actions: ['PutItem', 'DeleteItem'], partitions: ['campaigns'], beside: ['discounts', 'storefronts'] },
      { actions: ['UpdateItem'], partitions: ['storefronts'], beside: ['campaigns', 'discounts'] },
      { actions: ['ConditionCheckItem'], partitions: ['discounts'], beside: ['campaigns', 'storefronts'] },
    ],
  },
  'ab-tests': {
    table: [
      ...authentication,
      { actions: ['BatchGetItem'], partitions: ['abTests', 'campaigns', 'discounts', 'pages', 'positions'] },
      findsFarPages,
      { actions: ['Query'], partitions: ['abTests', 'promotionCounts', 'statistics'] },
      { actions: ['PutItem'], partitions: ['abTests', 'campaigns'], beside: ['storefronts'] },
      { actions: ['UpdateItem'], partitions: ['storefronts'], beside: ['abTests', 'campaigns'] },
      { actions: ['PutItem'], partitions: ['pages'] },
    ],
  },
  discounts: { table: [...shownRecordGrants('discounts', ['positions']), findsFarPages] },
  announcements: { table: [...shownRecordGrants('announcements', ['positions']), findsFarPages] },
  deals: {
    table: [
      ...recordGrants('deals', ['discounts', 'positions']),
      findsFarPages,
      // Each transaction that adds or removes one changes their number. One is written if its discount exists.
      { actions: ['PutItem'], partitions: ['deals'], beside: ['discounts', 'storefronts'] },
      { actions: ['DeleteItem'], partitions: ['deals'], beside: ['storefronts'] },
      { actions: ['UpdateItem'], partitions: ['deals', 'storefronts'], beside: ['discounts'] },
      { actions: ['ConditionCheckItem'], partitions: ['discounts'], beside: ['deals', 'storefronts'] },
      { query: 'deals' },
    ],
  },
  automations: {
    table: [
      ...recordGrants('automations', ['deliveries', 'positions']),
      findsFarPages,
      // Each transaction that adds or removes one changes their number.
      { actions: ['PutItem', 'UpdateItem', 'DeleteItem'], partitions: ['automations'] },
      { actions: ['Query'], partitions: ['automationRuns'] },
      sharesDataKey,
      // A dry run reads past events and their orders.
      { query: 'shipmentsByUpdate' },
      { query: 'drafts' },
      { query: 'claimsByUpdate' },
      { actions: ['Query'], partitions: ['outbox', 'order', 'claims'] },
    ],
    createsDataKeys: { place: 'automation' },
    decryptsCredentials: [{ place: 'automation' }],
    knowsItsAddress: true,
  },
  webhooks: {
    table: [
      ...authentication,
      sharesDataKey,
      { actions: ['UpdateItem', 'DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['BatchGetItem', 'Query'], partitions: ['deliveries'] },
      // A delivery that is sent again is changed together with the item that tells fan-out of it.
      { actions: ['UpdateItem'], partitions: ['deliveries'], beside: ['outbox'] },
      { actions: ['BatchGetItem'], partitions: ['pages', 'positions', 'payloads'] },
      findsFarPages,
      { actions: ['PutItem'], partitions: ['shop', 'deliveries', 'payloads', 'outbox', 'pages'] },
    ],
    createsDataKeys: { place: 'webhook' },
    decryptsCredentials: [{ place: 'webhook' }],
    knowsIntegrationTargets: true,
    knowsItsAddress: true,
    readsPayloads: true,
  },
  'shop-system': {
    table: [
      ...authentication,
      ...upsertsOrders,
      { actions: ['Query'], partitions: ['shop'] },
      { actions: ['PutItem'], partitions: ['shop', 'order', 'orderReference', 'tracking', 'outbox', 'trackingPages'] },
      dropsReferences,
      { actions: ['DeleteItem'], partitions: ['shop'] },
      // The secrets of the app of a shop change one by one.
      { actions: ['UpdateItem'], partitions: ['shop'] },
      // What came of the shop's webhooks. It is read together with the key of the shop's system.
      { actions: ['Query', 'PutItem', 'UpdateItem'], partitions: ['shopWebhooks'] },
      { actions: ['BatchGetItem'], partitions: ['shopWebhooks', 'shop'] },
      // What the shop's system asks about personal data is worked on in the background.
      { actions: ['BatchGetItem', 'PutItem'], partitions: ['privacy'] },
    ],
    encryptsCredentials: true,
    decryptsCredentials: [
      { place: 'integration', value: 'integration_7' },
      { place: 'integration', value: 'shop_system_2' },
      { place: 'integration', value: 'shop_system_3' },
      { place: 'shop_system', value: 'webhook_secret' },
      { place: 'shop_system', value: 'app_secret' },
    ],
    knowsItsAddress: true,
  },
  'tracking-providers': {
    table: [
      ...authenticationWithoutShop,
      { actions: ['BatchGetItem', 'PutItem', 'DeleteItem'], partitions: ['trackingProviders'] },
      { actions: ['Query'], partitions: ['trackingProviders', 'unmappedCodes'] },
      { actions: ['BatchGetItem', 'PutItem', 'UpdateItem'], partitions: ['unmappedCodes'] },
    ],
    encryptsCredentials: true,
    decryptsCredentials: [{ place: 'tracking_provider', value: 'webhook_secret' }],
    knowsItsAddress: true,
    sendsCarrierUpdates: true,
  },
  privacy: {
    table: [
      ...authentication,
      { actions: ['Query', 'BatchGetItem'], partitions: ['privacy'] },
      { actions: ['BatchGetItem'], partitions: ['pages'] },
      { actions: ['PutItem'], partitions: ['pages'] },
      // A shop that keeps less has work to do.
      ...changesSettings('privacy'),
    ],
    showsDisclosures: true,
  },
  operations: {
    table: [
      ...authenticationWithoutShop,
      { query: 'openCircuits' },
      { query: 'parkedDeliveries' },
      { actions: ['Query'], partitions: ['trackingProviders'] },
      { actions: ['BatchGetItem'], partitions: ['unmappedCodes', 'heartbeats'] },
    ],
    watchesQueues: true,
  },
  sessions: {
    table: [...authenticationWithoutShop, { actions: ['PutItem', 'DeleteItem'], partitions: ['sessions'] }],
    knowsItsAddress: true,
    knowsIntegrationTargets: true,
  },
};
