import { searchClaims } from '#api/claims/search-claims.ts';
import { searchOrders } from '#api/orders/search-orders.ts';
import { searchShipments } from '#api/shipments/search-shipments.ts';
import { listWebhookDeliveries } from '#api/webhooks/deliveries.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Consumed, consumedBy } from '#test/kit/consumed.ts';
import { longLists } from '#test/kit/long-lists.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const target = '01930000-0000-7000-8000-0000000000aa';
const endpoint = { ...keyOf.webhook(slug, target), uuid: target, shop_slug: slug, status: 'active' };
const count = 30_100;
const perPage = 30;
const pages = [1, 2, 3, 10, 30, 100, 300, 1000];

const lists = {
  orders: searchOrders,
  shipments: searchShipments,
  claims: searchClaims,
  deliveries: listWebhookDeliveries,
};
type ListName = keyof typeof lists;

/**
 * What a page costs that a reader comes to directly, beside the first: requests to the table, and units of capacity,
 * without the request that reads key and shop.
 */
export async function benchPages(): Promise<void> {
  try {
    fill();
    for (const name of Object.keys(lists) as ListName[]) {
      const costs = new Map<number, Consumed>();
      // The last page first: no page before it tells where it begins.
      for (const page of pages.toReversed()) costs.set(page, await costOf(name, page));
      plot(name, costs);
    }
  } finally {
    await memoryTable.stop();
  }
}

/** Stored are the first entries and those near the pages that are read; all are counted, and all parcels are in the index. */
function fill(): void {
  const newest = new Date(Date.now() - 60_000);
  const { orderItems, deliveryItems, indexedParcel, counterItems } = longLists({ slug, target, newest });
  const near = pages.map((page) => page * perPage).flatMap((end) => around(end - perPage));
  const stored = new Set([...Array(950).keys(), ...near.filter((n) => n >= 0 && n < count)]);
  tableWith(shopItem(slug), endpoint);
  memoryTable.put(...counterItems(count));
  for (let n = 0; n < count; n++) {
    if (stored.has(n)) memoryTable.put(...orderItems(n), ...deliveryItems(n));
    else memoryTable.put(indexedParcel(n));
  }
}

/** A page is read from the beginning of its half-hour on. */
const around = (n: number) => Array.from({ length: 850 }, (_, i) => n - 760 + i);

const costOf = (name: ListName, page: number): Promise<Consumed> =>
  consumedBy(async () => {
    await (lists[name] as (request: object) => Promise<unknown>)({
      caller: { tokenId: 'reader' },
      headers: {},
      shop: shopItem(slug),
      params: { slug, uuid: target },
      query: { page, per_page: perPage, ...defaults[name] },
      language: 'en',
      now: new Date(),
      serviceUrl: 'https://service.example.com',
    });
  });

/** What the declaration fills in. */
const defaults = {
  orders: {},
  shipments: { sort: '-updated_at', include_drafts: true },
  claims: { sort: '-created_at' },
  deliveries: {},
};

/** Twice the cost of page 1 is as wide as the plot. */
const width = 40;

function plot(name: ListName, costs: ReadonlyMap<number, Consumed>): void {
  const first = costs.get(1)!;
  console.log(`\n${name}, ${count} entries, ${perPage} a page: units of each page, | is twice page 1`);
  for (const page of pages) {
    const { requests, units } = costs.get(page)!;
    const bar = '#'.repeat(Math.round((units / first.units / 2) * width)).padEnd(width);
    const figures = `${requests} requests, ${units} units, ${(units / first.units).toFixed(2)} of page 1`;
    console.log(`page ${String(page).padStart(4)} ${bar}| ${figures}`);
  }
}
