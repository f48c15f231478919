import { abTests } from './ab-tests.ts';
import { analytics } from './analytics.ts';
import { announcements } from './announcements.ts';
import { automations } from './automations.ts';
import { campaigns } from './campaigns.ts';
import { claims } from './claims.ts';
import { deals } from './deals.ts';
import { discounts } from './discounts.ts';
import { emails } from './emails.ts';
import { events } from './events.ts';
import { feed } from './feed.ts';
import { images } from './images.ts';
import { meta } from './meta.ts';
import type { Operation, Operations } from './operation.ts';
import { operations } from './operations.ts';
import { orders } from './orders.ts';
import { pages } from './pages.ts';
import { privacy } from './privacy.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { shipments } from './shipments.ts';
import { shopSystem } from './shop-system.ts';
import { shops } from './shops.ts';
import { simulations } from './simulations.ts';
import { statistics } from './statistics.ts';
import { trackingProviderOperations } from './tracking-providers.ts';
import { webhooks } from './webhooks.ts';
import { withdrawals } from './withdrawals.ts';

/** Every family of operations. One function serves one family: `functions/api/<family>/handler.ts`. */
const families = {
  shops,
  settings,
  images,
  orders,
  shipments,
  events,
  feed,
  claims,
  withdrawals,
  campaigns,
  'ab-tests': abTests,
  discounts,
  deals,
  announcements,
  automations,
  webhooks,
  'shop-system': shopSystem,
  pages,
  emails,
  privacy,
  simulations,
  statistics,
  analytics,
  'tracking-providers': trackingProviderOperations,
  operations,
  sessions,
  meta,
} as const satisfies Record<string, Operations>;

export type FamilyName = keyof typeof families;

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

/** The exact type of every declared operation, by its id. */
export type OperationsById = Intersection<(typeof families)[FamilyName]>;

/** The docs page shows these descriptions. */
export const familyDescriptions: Record<FamilyName, string> = {
  shops: 'Create and manage shops, their API keys and the keys of their integrations.',
  settings: 'Configure a shop: carriers, notifications, segments, campaigns, brand colours and field mappings.',
  images: 'Upload images: public ones such as logos, and private ones such as photos of a damaged parcel.',
  orders: 'Create, update, fulfil and search orders.',
  shipments: 'Create, search and delete the shipments (parcels) of an order.',
  events: 'Record tracking events of a shipment.',
  claims: 'Create and manage the claims that customers make about a shipment.',
  withdrawals: 'See and settle the withdrawals that customers declare on the tracking page.',
  campaigns: 'Create and manage promotions for the customers of a segment.',
  'ab-tests': 'Compare campaigns with each other.',
  discounts: 'Create and manage discounts.',
  deals: 'Show the discounts of a shop together with its brand.',
  announcements: 'Create and manage messages that a shop shows with its deliveries.',
  automations: 'Define actions that run when an event occurs, and see their runs.',
  webhooks: 'Manage the endpoints that receive the events of a shop, and see the deliveries to them.',
  'shop-system': "Connect a shop's own system: register its webhooks and receive them.",
  pages:
    'The page where a customer sees where the parcel is and reports a problem, the same facts as JSON, and its settings.',
  emails: 'Tell customers by e-mail what happens to their parcels: settings, preview, test mail, suppressed addresses.',
  privacy: 'Disclose and erase what is stored about a person, and say how long data is kept.',
  simulations: 'Play the life of a parcel on a clock of its own, and see what your systems make of it.',
  feed: 'Read every event of a shop in order, and prove that none is missing.',
  statistics: 'Get the counts of a shop, and the parcels and claims that need somebody.',
  analytics: 'See how long deliveries take, what became of parcels, and what happened on each day.',
  'tracking-providers': 'Connect the companies that watch parcels: set their keys, receive their webhooks.',
  operations: 'See what waits, fails and stands still in the deployment.',
  sessions: 'Log in to the console, see who is logged in, log out.',
  meta: 'Get the API description, the docs page and the health of the service.',
};

export const familyNames = Object.keys(families) as FamilyName[];

export interface DeclaredOperation extends Operation {
  id: string;
  family: FamilyName;
}

export const allOperations: readonly DeclaredOperation[] = familyNames.flatMap((family) =>
  Object.entries(families[family]).map(([id, operation]) => ({ ...(operation as Operation), id, family })),
);
