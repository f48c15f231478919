import { abTests } from './ab-tests.ts';
import { announcements } from './announcements.ts';
import { automations } from './automations.ts';
import { campaigns } from './campaigns.ts';
import { claims } from './claims.ts';
import { deals } from './deals.ts';
import { discounts } from './discounts.ts';
import { events } from './events.ts';
import { images } from './images.ts';
import { meta } from './meta.ts';
import type { Operation, Operations } from './operation.ts';
import { orders } from './orders.ts';
import { settings } from './settings.ts';
import { shipments } from './shipments.ts';
import { shopSystem } from './shop-system.ts';
import { shops } from './shops.ts';
import { webhooks } from './webhooks.ts';

/** Every family of operations. One family is one function: `functions/api/<family>/handler.ts`. */
export const families = {
  shops,
  settings,
  images,
  orders,
  shipments,
  events,
  claims,
  campaigns,
  'ab-tests': abTests,
  discounts,
  deals,
  announcements,
  automations,
  webhooks,
  'shop-system': shopSystem,
  meta,
} as const satisfies Record<string, Operations>;

export type FamilyName = keyof typeof families;

/** What the docs page says about each. */
export const familyDescriptions: Record<FamilyName, string> = {
  shops: 'Shops, their API keys and the keys of their integrations',
  settings: 'What a shop has switched on, its colours, and who is told of what',
  images: 'Logos and pictures to show, evidence and signatures to keep private',
  orders: 'Orders and their fulfilment',
  shipments: 'Parcels of an order',
  events: 'What happens to a parcel',
  claims: 'What customers complain of, and what becomes of it',
  campaigns: 'What customers of a segment are shown, and for how long',
  'ab-tests': 'Which campaign works better',
  discounts: 'What customers get for less',
  deals: 'Discounts of shops, shown with their brand',
  announcements: 'What a shop has to say around a delivery',
  automations: 'What is to happen when an event comes, and what happened',
  webhooks: 'Where a shop wants its events, and what was delivered there',
  'shop-system': "The shop's own system: which of its webhooks come here, and where they arrive",
  meta: 'The service itself',
};

export const familyNames = Object.keys(families) as FamilyName[];

export interface DeclaredOperation extends Operation {
  id: string;
  family: FamilyName;
}

export const allOperations: readonly DeclaredOperation[] = familyNames.flatMap((family) =>
  Object.entries(families[family]).map(([id, operation]) => ({ ...(operation as Operation), id, family })),
);
