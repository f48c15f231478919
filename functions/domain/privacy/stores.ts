import { runData } from '#domain/automations/personal-data.ts';
import { claimData, historyData, messageData, pageClaimData } from '#domain/claims/personal-data.ts';
import { deliveryData } from '#domain/deliveries/personal-data.ts';
import { mailStateData, suppressionData } from '#domain/emails/personal-data.ts';
import { claimOutboxData, orderData, shipmentData, withdrawalOutboxData } from '#domain/orders/personal-data.ts';
import { ratingData } from '#domain/pages/rating.ts';
import { pageWithdrawalData, withdrawalData } from '#domain/withdrawals/personal-data.ts';
import { type PersonalKind, personalFields } from '#platform/personal-data.ts';
import { deliveryLimits, outboxLimits, pageLimits, privacyLimits } from '#schemas/catalogues/limits.ts';
import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';
import type { PartitionName } from '#schemas/catalogues/table.ts';

/**
 * Everything that the service stores, and what of it is about customers. A new partition of the table without a word here
 * does not compile. The privacy page (lib/privacy.md) is made of it.
 */

interface PersonalPlace {
  what: string;
  /** The declarations of what lies there. */
  shapes: readonly object[];
  /** What lies there as a whole, beside what the shapes say. */
  kinds?: readonly PersonalKind[];
  keptFor: string;
  seenBy: string;
  erasure: string;
}

/** An erasure and a disclosure pass it: `eraseEverything` has to count it, and `disclosedOrder` has to show it. */
interface PassedStore extends PersonalPlace {
  /** As answers call it. */
  store: PersonalStore;
  /** Where in the content of a disclosure it is, or why it is in none. */
  disclosed: readonly Section[] | string;
  /** Why an erasure keeps items of it, for its answer. Null if it keeps none. */
  keptBecause: string | null;
}

/** No erasure passes it, for the reason that it gives. */
interface EndingPlace extends PersonalPlace {
  store: null;
}

type PersonalStoreDeclaration = PassedStore | EndingPlace;

/** What a disclosure says about an order. */
export type Section =
  | 'order'
  | 'shipments'
  | 'earlier'
  | 'claims'
  | 'withdrawal'
  | 'events'
  | 'deliveries'
  | 'runs'
  | 'page'
  | 'mails';

interface NothingPersonal {
  nothing: string;
}

export type StoreDeclaration = PersonalStoreDeclaration | NothingPersonal;

const none = (why: string): NothingPersonal => ({ nothing: why });

const users = 'Users of the shop, by the API and the console.';
const admins = 'Admins of the shop, by the API and the console.';
const nobody = 'Nobody. Only functions of the service read it.';
const operators = 'Operators of the service.';
const retention = 'Until an erasure, or until the time limit that the shop set.';
const days = (count: number) => `${count} days.`;
const allKinds: readonly PersonalKind[] = ['name', 'address', 'email', 'phone', 'customer_id', 'free_text', 'place'];

export const tableStores = {
  order: {
    store: 'orders',
    what: 'What the shop told about them, and all that carriers reported.',
    shapes: [orderData, shipmentData],
    keptFor: retention,
    seenBy: users,
    erasure: 'What is personal goes. Numbers, products, amounts, states, times and the country of delivery stay.',
    disclosed: ['order', 'shipments', 'earlier'],
    keptBecause: null,
  },
  orderReference: {
    store: 'order_references',
    what: 'They find an order by the name of its customer and by the customer’s id.',
    shapes: [],
    kinds: ['name', 'customer_id'],
    keptFor: retention,
    seenBy: nobody,
    erasure: 'The entries go. The order is still found by its number and its external id.',
    disclosed: ['order'],
    keptBecause: 'They find the order by its number and its external id, and name no person.',
  },
  claims: {
    store: 'claims',
    what: 'What customers reported, what became of it, and what shop and customer wrote to each other.',
    shapes: [claimData, historyData, messageData],
    keptFor: retention,
    seenBy: users,
    erasure: 'Texts, pictures and messages go. Reason, state, times and the country of delivery stay.',
    disclosed: ['claims'],
    keptBecause: 'Entries of histories that say when a claim was changed, without anybody’s words.',
  },
  withdrawals: {
    store: 'withdrawals',
    what: 'Declarations of customers to withdraw from the contract, and what became of them.',
    shapes: [withdrawalData],
    keptFor: retention,
    seenBy: users,
    erasure: 'Name, e-mail address and texts go. Products, state, times and the country of delivery stay.',
    disclosed: ['withdrawal'],
    keptBecause: null,
  },
  outbox: {
    store: 'outbox',
    what: 'What happened to an order, with a copy of it, from which other systems are told.',
    shapes: [claimOutboxData, withdrawalOutboxData],
    kinds: allKinds,
    keptFor: days(outboxLimits.days),
    seenBy: nobody,
    erasure: 'What is personal goes from the copies and the texts of claims and withdrawals.',
    disclosed: ['events', 'earlier'],
    keptBecause: 'Events with ids, phases and times only.',
  },
  deliveries: {
    store: 'deliveries',
    what: 'What was sent when to the shop’s webhooks and integrations, and what they answered.',
    shapes: [deliveryData],
    keptFor: `${days(deliveryLimits.days)} A shop can set fewer.`,
    seenBy: admins,
    erasure: 'Requests and responses go. What was sent when stays. What waits is cancelled.',
    disclosed: ['deliveries'],
    keptBecause: 'They say what was sent when, without the request and the response.',
  },
  payloads: {
    store: 'payloads',
    what: 'What is sent to the shop’s webhooks and integrations, and what its feed shows.',
    shapes: [],
    kinds: allKinds,
    keptFor: days(deliveryLimits.days),
    seenBy: admins,
    erasure: 'It goes, and a mark in its place keeps it from coming back.',
    disclosed: ['deliveries', 'events'],
    keptBecause: null,
  },
  retries: {
    store: 'waiting_retries',
    what: 'Which deliveries are tried again, and when.',
    shapes: [],
    kinds: [],
    keptFor: 'Until the attempt.',
    seenBy: nobody,
    erasure: 'They go.',
    disclosed: 'Ids and times only.',
    keptBecause: null,
  },
  automationRuns: {
    store: 'automation_runs',
    what: 'What an automation of the shop did after an event.',
    shapes: [runData, { event: claimOutboxData }],
    keptFor: days(30),
    seenBy: admins,
    erasure: 'Texts go. What waits is cancelled.',
    disclosed: ['runs'],
    keptBecause: 'They say which automation ran when, without anybody’s words.',
  },
  due: {
    store: 'planned_triggers',
    what: 'What the service will do for a parcel at a later time.',
    shapes: [],
    kinds: [],
    keptFor: 'Until they are due.',
    seenBy: nobody,
    erasure: 'They go.',
    disclosed: 'Ids and times only.',
    keptBecause: null,
  },
  trackingPages: {
    store: 'tracking_pages',
    what: 'Copies of claims and of a withdrawal, visits, shown promotions, how the customer liked a delivery, and the names of photos that forms brought.',
    shapes: [pageClaimData, pageWithdrawalData, ratingData],
    kinds: ['visit', 'image'],
    keptFor: `${retention} The last ${pageLimits.visits} visits.`,
    seenBy: `${users} Whoever has the link sees claims, ratings, and what was withdrawn from.`,
    erasure: 'All of it goes, and the page is not found any more.',
    disclosed: ['page', 'claims'],
    keptBecause: null,
  },
  mails: {
    store: 'mails',
    what: 'Which e-mails were sent about an order, and when. The e-mails themselves are not stored.',
    shapes: [mailStateData],
    kinds: [],
    keptFor: retention,
    seenBy: nobody,
    erasure: 'It goes.',
    disclosed: ['mails'],
    keptBecause: null,
  },
  suppressions: {
    store: null,
    what: 'Addresses that get no e-mails of the shop, and why. They are stored as hashes, made with a secret key.',
    shapes: [suppressionData],
    kinds: ['email'],
    keptFor: 'Until the customer or the shop takes it back.',
    seenBy: admins,
    erasure: 'Nothing: whoever asked for no more e-mails gets none. Without the order nobody can tell the address.',
  },
  unmappedCodes: {
    store: null,
    what: 'Codes of tracking providers that have no event yet, with the provider’s text of one parcel.',
    shapes: [],
    kinds: ['free_text'],
    keptFor: 'Until the code is known.',
    seenBy: operators,
    erasure: 'Nothing: it names neither shop nor order.',
  },
  privacy: {
    store: null,
    what: 'What was asked, and while a request runs, about whom.',
    shapes: [],
    kinds: ['email', 'customer_id'],
    keptFor:
      'What names the person: until the request is done. The list of orders: eight days. The rest: as long as the shop.',
    seenBy: admins,
    erasure: 'What names the person goes when the request is done.',
  },
  simulations: none('Scripts of simulated orders. The order itself is erased like any other.'),
  lookups: none('Hashes of addresses that tried to find an order, for ten minutes.'),
  pages: none(
    'Where the next page of a list begins: places in the list and hashes of filters, for a quarter of an hour.',
  ),
  tracking: none('Which order has a tracking number.'),
  claimReference: none('Which order a claim belongs to.'),
  parcelRegistrations: none('Which tracking numbers were registered with a provider.'),
  shop: none('The shop, its settings and its endpoints: data of the merchant.'),
  dataKeys: none('Keys that encrypt the merchant’s secrets, encrypted themselves.'),
  keys: none('API keys of the merchant’s people: their names, and hashes of secrets.'),
  keyUses: none('When API keys were used.'),
  wrongKeys: none('Hashes of who tried wrong keys.'),
  keyRates: none('How much API keys use.'),
  sessions: none('Hashes of sessions of the merchant’s people.'),
  trackingProviders: none('Providers and their encrypted keys.'),
  shopWebhooks: none(
    'When webhooks of the shop’s own system came, and which could not be read: the topic, the reason and the id of the order.',
  ),
  storefronts: none('What a shop shows to all its customers.'),
  promotionCounts: none('How often promotions were shown and used.'),
  feed: none('In which order events entered the feed, by their ids, and how many each hour has.'),
  statistics: none('The figures of each day, by carrier and country, and the sums of ratings.'),
  arrivals: none('How long the deliveries of carriers take, in sums of each shop.'),
  countedRecords: none('Which changes are counted already.'),
  positions: none('How many entries a list has.'),
  heartbeats: none('When work in the background last ran.'),
  discounts: none('The merchant’s discounts.'),
  deals: none('The merchant’s deals.'),
  announcements: none('The merchant’s announcements.'),
  campaigns: none('The merchant’s campaigns.'),
  abTests: none('The merchant’s tests.'),
  automations: none('The merchant’s automations.'),
} as const satisfies Record<PartitionName, StoreDeclaration>;

/** What lies outside the table. */
export const otherStores = {
  images: {
    store: 'images',
    what: 'Pictures of claims, messages and signatures, in all versions. Also photos of a form from which no claim was made.',
    shapes: [],
    kinds: ['image'],
    keptFor: `${retention} One that the shop uploaded and that no claim names ends only by the time limit.`,
    seenBy: `${users} By links that work for ten minutes.`,
    erasure: 'They go with all versions.',
    disclosed: 'The files are in it.',
    keptBecause: null,
  },
  'large payloads': {
    store: 'payload_files',
    what: 'Contents that are too large for the database.',
    shapes: [],
    kinds: allKinds,
    keptFor: days(deliveryLimits.days),
    seenBy: admins,
    erasure: 'They go.',
    disclosed: ['deliveries', 'events'],
    keptBecause: null,
  },
  disclosures: {
    store: 'disclosures',
    what: 'ZIP files with all that is stored about a person.',
    shapes: [],
    kinds: [...allKinds, 'image'],
    keptFor: days(privacyLimits.downloadDays),
    seenBy: `${admins} By a link that works for an hour.`,
    erasure: 'Those that contain an erased order go.',
    disclosed: 'None contains another.',
    keptBecause: null,
  },
  ledger: none('The ledger of erasures: hashes of who was erased, made with a secret key, and ids of orders.'),
  'Messages on their way': {
    store: null,
    what: 'Updates of carriers, and references to deliveries and runs that are on their way.',
    shapes: [],
    kinds: ['place', 'free_text'],
    keptFor: 'Seconds to days, and up to 14 days where something failed.',
    seenBy: operators,
    erasure: 'Nothing at once. When a message is handled, nothing personal of an erased order is stored or sent.',
  },
  'Changes and backups of the database': {
    store: null,
    what: 'What changed within a day, and backups to any moment.',
    shapes: [],
    kinds: allKinds,
    keptFor: 'Changes one day, backups 35 days.',
    seenBy: operators,
    erasure: 'Nothing: they end by themselves. After a restore the operator applies the ledger of erasures.',
  },
  logs: none('Logs: requests and results, with ids and times.'),
} as const satisfies Record<string, StoreDeclaration>;

/** The kinds of what is personal in a store, each once. */
export const kindsIn = ({ shapes, kinds = [] }: PersonalStoreDeclaration): PersonalKind[] => [
  ...new Set([...shapes.flatMap((shape) => personalFields(shape).flatMap((field) => field.kinds)), ...kinds]),
];

type AnyDeclaration = (typeof tableStores)[keyof typeof tableStores] | (typeof otherStores)[keyof typeof otherStores];
type DeclaredStore = Extract<AnyDeclaration, PassedStore>['store'];

/** Why items of a store stay. A store of answers that is not declared above has no place here, and that does not compile. */
export const keptBecause = Object.fromEntries(
  [...Object.values(tableStores), ...Object.values(otherStores)].flatMap((declaration) =>
    'keptBecause' in declaration ? [[declaration.store, declaration.keptBecause]] : [],
  ),
) as Record<DeclaredStore, string | null>;
