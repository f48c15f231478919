import { findClaim, findClaimByNumber, loadClaim } from '#domain/claims/claim-store.ts';
import { findCustomers } from '#domain/orders/customer-name.ts';
import { type OrderWithShipments, orderIdOf } from '#domain/orders/model.ts';
import { readBudget } from '#domain/orders/order-items.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { findOrderIds, loadOrders } from '#domain/orders/order-store.ts';
import { currentFlag, currentPhase } from '#domain/orders/shipment-rules.ts';
import { findTrackings } from '#domain/orders/tracking-references.ts';
import type { Implementation } from '#platform/http/request.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { quickSearchLimits } from '#schemas/catalogues/limits.ts';
import type { orders } from '#schemas/families/orders.ts';
import type { SearchMatch, SearchResult } from '#schemas/shapes/timeline-shapes.ts';
import { type Index, readIndex } from './order-index.ts';
import { claimNumberIn, readingsOf, spellingsOf } from './quick-search-rules.ts';

/** Finds orders and claims by anything that support is told. Only what the form of the text allows is read. */
export const search: Implementation<typeof orders.search> = async ({ shop, query }) => {
  const { slug } = shop;
  const text = query.q.trim();
  if (text === '') return [];
  const found = firstOfEach(
    (await Promise.all(readingsOf(text).map((reading) => finders[reading](slug, text)))).flat(),
  );
  const shown = found.toSorted(byImportance).slice(0, quickSearchLimits.results);
  const fullOrders = await loadOrders(
    slug,
    shown.map(({ orderId }) => orderId),
    readBudget('The search found too many large orders. Look for something that fewer orders have.'),
  );
  const byId = new Map(fullOrders.map((fullOrder) => [fullOrder.order.uuid, fullOrder]));
  return shown
    .flatMap((one) => {
      const fullOrder = byId.get(one.orderId);
      return fullOrder ? [toResult(one, fullOrder)] : [];
    })
    .sort((a, b) => (a.placed_at < b.placed_at ? 1 : -1));
};

interface Found {
  orderId: string;
  matched: SearchMatch;
  claimId?: string;
}

type Find = (slug: string, text: string) => Promise<Found[]>;

const found =
  (matched: SearchMatch) =>
  (orderId: string): Found => ({ orderId, matched });

const byIndex = async (name: Index['name'], partition: string): Promise<string[]> => {
  const all = { from: undefined, to: undefined, others: {} };
  const { entries } = await readIndex({ name, lists: [[partition]], ...all }, undefined, quickSearchLimits.results);
  return entries.map(({ orderId }) => orderId);
};

/** In the order in which they say what an order was found by. */
const finders: Record<SearchMatch, Find> = {
  uuid: async (_slug, text) => [found('uuid')(orderIdOf(text))],
  claim: async (slug, text) => {
    const number = claimNumberIn(text);
    const place = await (number ? findClaimByNumber(slug, number) : findClaim(slug, text.toLowerCase()));
    const claim = place && (await loadClaim(slug, place));
    return claim ? [{ orderId: place.order_id, matched: 'claim', claimId: place.uuid }] : [];
  },
  order_number: async (slug, text) =>
    (await findOrderIds(slug, spellingsOf(text), 'order_number')).map(found('order_number')),
  external_id: async (slug, text) => (await findOrderIds(slug, [text], 'external_id')).map(found('external_id')),
  order_name: async (slug, text) => {
    const names = spellingsOf(text).map((name) => byIndex('names', partitionOf.ordersByName(slug, name)));
    return (await Promise.all(names)).flat().map(found('order_name'));
  },
  tracking_number: async (slug, text) =>
    (await findTrackings(slug, text)).map(({ order_id }) => found('tracking_number')(order_id)),
  email: async (slug, text) =>
    (await byIndex('order_emails', partitionOf.ordersByEmail(slug, text))).map(found('email')),
  customer_name: async (slug, text) => (await findCustomers(slug, text)).map(found('customer_name')),
  zip_code: async (slug, text) =>
    (await byIndex('order_zip_codes', partitionOf.ordersByZipCode(slug, text))).map(found('zip_code')),
};

/** What many orders share. Whatever else finds an order names it, so it must not be lost behind these. */
const shared: readonly SearchMatch[] = ['zip_code', 'customer_name'];

const byImportance = (a: Found, b: Found): number =>
  Number(shared.includes(a.matched)) - Number(shared.includes(b.matched)) || (a.orderId < b.orderId ? 1 : -1);

/** An order may be found in several ways: what comes first says how. A claim stands beside its order. */
function firstOfEach(all: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const one of all) {
    const name = `${one.orderId} ${one.claimId ?? ''}`;
    if (!first.has(name)) first.set(name, one);
  }
  return [...first.values()];
}

function toResult({ matched, claimId }: Found, fullOrder: OrderWithShipments): SearchResult {
  const { uuid, order_number, order_name, address, email_id, order_placed_at } = fullOrder.order;
  const parcels = allShipments(fullOrder);
  return {
    kind: claimId === undefined ? 'order' : 'claim',
    matched,
    order_id: uuid,
    order_number,
    order_name: order_name ?? null,
    customer_name: address?.name ?? null,
    email_id: email_id ?? null,
    city: address?.city ?? null,
    placed_at: order_placed_at,
    ...stateOf(parcels),
    parcels: parcels.length,
    claim_uuid: claimId ?? null,
  };
}

/** The phase of the parcel that changed last, and the worst flag of all. */
function stateOf(parcels: ReturnType<typeof allShipments>): Pick<SearchResult, 'phase' | 'flag'> {
  const flags = parcels.map(currentFlag);
  const flag = (['error', 'delay'] as const).find((one) => flags.includes(one)) ?? 'normal';
  const latest = parcels.reduce<(typeof parcels)[number] | undefined>(
    (last, one) => (last && last.updated_at >= one.updated_at ? last : one),
    undefined,
  );
  return { phase: latest ? currentPhase(latest) : 'order_created', flag };
}
