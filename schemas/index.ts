import { announcements } from './announcements.ts';
import { deals } from './deals.ts';
import { discounts } from './discounts.ts';
import { events } from './events.ts';
import { meta } from './meta.ts';
import type { Operation, Operations } from './operation.ts';
import { orders } from './orders.ts';
import { shipments } from './shipments.ts';
import { shops } from './shops.ts';
import { webhooks } from './webhooks.ts';

/** Every family of operations. One family is one function: `functions/<family>/handler.ts`. */
export const families = {
  shops,
  orders,
  shipments,
  events,
  discounts,
  deals,
  announcements,
  webhooks,
  meta,
} as const satisfies Record<string, Operations>;

export type FamilyName = keyof typeof families;

/** What the docs page says about each. */
export const familyDescriptions: Record<FamilyName, string> = {
  shops: 'Shops, their API keys and the keys of their integrations',
  orders: 'Orders and their fulfilment',
  shipments: 'Parcels of an order',
  events: 'What happens to a parcel',
  discounts: 'What customers get for less',
  deals: 'Discounts of shops, shown with their brand',
  announcements: 'What a shop has to say around a delivery',
  webhooks: 'Where a shop wants its events, and what was delivered there',
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
