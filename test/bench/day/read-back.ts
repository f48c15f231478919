import { type FoundOrder, faultsOfOrder, type Totals, type Wanted } from './check.ts';
import type { Deeds } from './deeds.ts';
import type { DayClient } from './http.ts';
import { orderNumberOf, orderOfNumber } from './names.ts';
import { listing } from './shop.ts';

const perPage = 100;

async function read<T>(client: DayClient, path: string, query: Record<string, string>): Promise<T> {
  const { status, text } = await client.send(listing(path, query));
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${text}`);
  return JSON.parse(text) as T;
}

/** Every order of the shop, page by page, beside what was acknowledged. */
export async function faultsOfOrders(client: DayClient, deeds: Deeds): Promise<string[]> {
  const faults: string[] = [];
  const seen = new Uint8Array(deeds.orders);
  for (let page = 1; ; page++) {
    const query = { per_page: String(perPage), page: String(page) };
    const orders = await read<FoundOrder[]>(client, '/orders', query);
    for (const found of orders) {
      const order = orderOfNumber(found.order_number, deeds.orders);
      if (order === undefined || !deeds.placed[order]) faults.push(`${found.order_number} was never placed`);
      else if (seen[order]) faults.push(`${found.order_number} is there twice`);
      else {
        seen[order] = 1;
        faults.push(...faultsOfOrder(order, found, deeds));
      }
    }
    if (orders.length < perPage) break;
  }
  for (let order = 0; order < deeds.orders; order++) {
    if (deeds.placed[order] && !seen[order]) faults.push(`${orderNumberOf(order)} is lost`);
  }
  return faults;
}

/** Claims by the orders that have them: one each. */
export async function faultsOfClaims(client: DayClient, deeds: Deeds): Promise<string[]> {
  const found = new Uint8Array(deeds.orders);
  const faults: string[] = [];
  for (let page = 1; ; page++) {
    const query = { per_page: String(perPage), page: String(page) };
    const { claims } = await read<{ claims: { order_number: string }[] }>(client, '/claims', query);
    for (const { order_number } of claims) {
      const order = orderOfNumber(order_number, deeds.orders);
      if (order === undefined) faults.push(`there is a claim of ${order_number}`);
      else found[order]! += 1;
    }
    if (claims.length < perPage) break;
  }
  found.forEach((count, order) => {
    if (count !== deeds.claimed[order]) faults.push(`${orderNumberOf(order)} has ${count} claims`);
  });
  return faults;
}

interface Statistics {
  parcels: { by_phase: { delivered: number } };
  orders: { days: { count: number }[] };
  claims: { by_status: { pending: number } };
  deliveries: { days: { delivered: number; failed: number; attempts_failed: number }[] };
}

interface DayFigures {
  orders: number;
  shipped: number;
  delivered: number;
  claims: number;
  pages_opened: number;
}

const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** What lists and figures say. The day may have begun yesterday. */
export async function readTotals(client: DayClient): Promise<Totals> {
  const { pagination } = await read<{ pagination: { total: number } }>(client, '/shipments', { per_page: '1' });
  const { parcels, orders, claims, deliveries } = await read<Statistics>(client, '/statistics', { days: '2' });
  const figures = await read<DayFigures[]>(client, '/analytics/overview', {});
  return {
    'shipments in the list': pagination.total,
    'orders in the statistics': sumOf(orders.days, ({ count }) => count),
    'parcels delivered': parcels.by_phase.delivered,
    'claims pending': claims.by_status.pending,
    'webhooks delivered': sumOf(deliveries.days, ({ delivered }) => delivered),
    'webhooks given up': sumOf(deliveries.days, ({ failed }) => failed),
    'orders in the overview': sumOf(figures, (day) => day.orders),
    'parcels shipped in the overview': sumOf(figures, ({ shipped }) => shipped),
    'parcels delivered in the overview': sumOf(figures, ({ delivered }) => delivered),
    'claims in the overview': sumOf(figures, (day) => day.claims),
    'visits of pages': sumOf(figures, ({ pages_opened }) => pages_opened),
  };
}

const countOf = (marks: Uint8Array, mark: number): number => marks.reduce((sum, is) => sum + Number(is >= mark), 0);

export function wantedTotals(deeds: Deeds, caused: number): Record<string, Wanted> {
  const [placed, fulfilled] = [countOf(deeds.placed, 1), countOf(deeds.fulfilled, 1)];
  const [delivered, claimed] = [countOf(deeds.scans, 3), countOf(deeds.claimed, 1)];
  return {
    'shipments in the list': placed,
    'orders in the statistics': placed,
    'parcels delivered': delivered,
    'claims pending': claimed,
    'webhooks delivered': caused,
    'webhooks given up': 0,
    'orders in the overview': placed,
    'parcels shipped in the overview': Math.min(fulfilled, countOf(deeds.scans, 1)),
    'parcels delivered in the overview': delivered,
    'claims in the overview': claimed,
    'visits of pages': deeds.visits,
  };
}
