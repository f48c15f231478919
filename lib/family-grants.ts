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

/** Reads many orders by key. */
const readsOrders: TableGrant = { actions: ['BatchGetItem'], partitions: ['order'] };

/**
 * The grants of a family with its own list of records. `reads` are records of other families that it shows with them.
 */
function recordGrants(kind: RecordKindName, reads: readonly PartitionName[] = []): TableGrant[] {
  return [
    ...authentication,
    { actions: ['BatchGetItem'], partitions: [kind, 'pages', ...reads] },
    { actions: ['Query', 'DeleteItem'], partitions: [kind] },
    { actions: ['PutItem'], partitions: [kind, 'pages'] },
  ];
}

/** Finds a far page of a list by its counters. */
const findsFarPages: TableGrant = { actions: ['Query'], partitions: ['positions'] };

/** Finds the data key of a shop, or stores the first one. */
const sharesDataKey: TableGrant = { actions: ['BatchGetItem', 'PutItem'], partitions: ['dataKeys'] };

/** Every change of what customers see also counts up the version of the shop's storefront. */
const changesStorefront: TableGrant = { actions: ['UpdateItem'], partitions: ['storefronts'] };

/**
 * Everything that each family may do. A family that is missing here does not compile. All prefixes of an action in one
 * transaction must be in one grant, because AWS may check every key of the request against each statement.
 */
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
      changesStorefront,
      { actions: ['PutItem'], partitions: ['shop'] },
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
      { actions: ['DeleteItem'], partitions: ['orderReference'] },
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
      { actions: ['DeleteItem'], partitions: ['trackingPages'] },
      { actions: ['UpdateItem'], partitions: ['claims'] },
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
      { actions: ['PutItem'], partitions: ['shop', 'privacy'] },
      { actions: ['ConditionCheckItem'], partitions: ['privacy'] },
      { actions: ['DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['UpdateItem'], partitions: ['shop', 'storefronts'] },
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
      // The view of a storefront, the marks of what was counted, settings, and a customer's claim with its event.
      {
        actions: ['PutItem'],
        partitions: ['storefronts', 'trackingPages', 'shop', 'claims', 'claimReference', 'withdrawals', 'outbox'],
      },
      // An order that was erased takes no withdrawal.
      { actions: ['ConditionCheckItem'], partitions: ['claims'] },
      // What is counted: changes, promotions, claims and ratings.
      { actions: ['UpdateItem'], partitions: ['storefronts', 'promotionCounts', 'claims', 'statistics'] },
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
      // Settings, and when test mails were sent.
      { actions: ['PutItem'], partitions: ['shop', 'pages', 'suppressions'] },
      changesStorefront,
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
      { actions: ['ConditionCheckItem'], partitions: ['simulations', 'order'] },
      { actions: ['UpdateItem'], partitions: ['simulations', 'automationRuns'] },
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
    // Settings, internal triggers, mappings, endpoints and the keys of integrations are in the partition of the shop.
    table: [
      ...authentication,
      { actions: ['Query'], partitions: ['shop'] },
      // Switching updates on also asks for the parcels that are under way.
      { actions: ['PutItem'], partitions: ['shop', 'outbox'] },
      changesStorefront,
    ],
    knowsIntegrationTargets: true,
  },
  campaigns: {
    table: [
      ...recordGrants('campaigns', ['discounts', 'abTests', 'order', 'positions']),
      findsFarPages,
      { actions: ['Query'], partitions: ['promotionCounts'] },
      changesStorefront,
      { actions: ['ConditionCheckItem'], partitions: ['discounts'] },
    ],
  },
  'ab-tests': {
    table: [
      ...authentication,
      { actions: ['BatchGetItem'], partitions: ['abTests', 'campaigns', 'discounts', 'pages', 'positions'] },
      findsFarPages,
      { actions: ['Query'], partitions: ['abTests', 'promotionCounts', 'statistics'] },
      { actions: ['PutItem'], partitions: ['abTests', 'campaigns', 'pages'] },
      changesStorefront,
    ],
  },
  discounts: { table: [...recordGrants('discounts', ['positions']), findsFarPages, changesStorefront] },
  announcements: { table: [...recordGrants('announcements', ['positions']), findsFarPages, changesStorefront] },
  deals: {
    table: [
      ...recordGrants('deals', ['discounts', 'positions']),
      findsFarPages,
      // Each transaction that adds or removes one changes their number.
      { actions: ['UpdateItem'], partitions: ['deals', 'storefronts'] },
      { actions: ['ConditionCheckItem'], partitions: ['discounts'] },
      { query: 'deals' },
    ],
  },
  automations: {
    table: [
      ...recordGrants('automations', ['deliveries', 'positions']),
      findsFarPages,
      // Each transaction that adds or removes one changes their number.
      { actions: ['UpdateItem'], partitions: ['automations'] },
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
      { actions: ['BatchGetItem', 'UpdateItem', 'Query'], partitions: ['deliveries'] },
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
      { actions: ['DeleteItem'], partitions: ['shop', 'orderReference'] },
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
      { actions: ['Query', 'BatchGetItem', 'PutItem', 'UpdateItem'], partitions: ['privacy'] },
      { actions: ['BatchGetItem'], partitions: ['pages'] },
      { actions: ['PutItem'], partitions: ['shop', 'pages'] },
      changesStorefront,
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
