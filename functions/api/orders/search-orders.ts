import type { OrderWithShipments } from '#domain/orders/model.ts';
import { findOrderId, loadOrders } from '#domain/orders/order-store.ts';
import { toOrderResponse, viewerOf } from '#domain/orders/presentation.ts';
import { chunks } from '#platform/batches.ts';
import type { Implementation } from '#platform/http/request.ts';
import { type Page, type PageStart, readPageWith } from '#platform/table/paging.ts';
import type { OrderFilters, orders } from '#schemas/families/orders.ts';
import { type Entry, indexFor, indexPages, isAnsweredByIndex, lastActivity, matches } from './order-index.ts';

export const searchOrders: Implementation<typeof orders.searchOrders> = async (request) => {
  const { shop, query, language } = request;
  const found = hasUniqueId(query)
    ? await byUniqueId(shop.slug, query)
    : await readPageWith(request, `orders#${shop.slug}`, (start: PageStart<Position>) =>
        findPage(shop.slug, query, start),
      );
  const viewer = await viewerOf({ shop, language });
  return found.map((fullOrder) => toOrderResponse(fullOrder, viewer));
};

const hasUniqueId = ({ uuid, order_number, external_id }: OrderFilters) =>
  uuid !== undefined || order_number !== undefined || external_id !== undefined;

/** An id names at most one order. */
async function byUniqueId(slug: string, filters: OrderFilters): Promise<OrderWithShipments[]> {
  const { uuid, order_number, external_id, page } = filters;
  if (page > 1) return [];
  const orderId =
    uuid?.toLowerCase() ??
    (order_number !== undefined
      ? await findOrderId(slug, order_number, 'order_number')
      : await findOrderId(slug, external_id!, 'external_id'));
  if (orderId === undefined) return [];
  return (await loadOrders(slug, [orderId])).filter((fullOrder) => matches(fullOrder, filters));
}

type Position = Entry['key'];

/**
 * Reads the index from the start of the page until the page is full. It does not use a ListReader, which reads one
 * entry more than the page holds, to see whether the list goes on, and which counts only a limited way back.
 */
async function findPage(
  slug: string,
  filters: OrderFilters,
  { after, skip }: PageStart<Position>,
): Promise<Page<OrderWithShipments, Position>> {
  const found: OrderWithShipments[] = [];
  const index = indexFor(slug, filters);
  const readOrders = orderReader(slug);
  const indexAnswers = isAnsweredByIndex(filters);
  let toSkip = skip;
  for await (const entries of indexPages(index, after, entriesPerRead(filters, indexAnswers, toSkip))) {
    const remaining = indexAnswers ? entries.slice(toSkip) : entries;
    toSkip -= entries.length - remaining.length;
    // Orders are read in parts, so that no more are read than the page may still need.
    for (const part of chunks(remaining, filters.per_page)) {
      for (const [entry, fullOrder] of await matching(readOrders, part, filters)) {
        if (toSkip-- > 0) continue;
        found.push(fullOrder);
        if (found.length === filters.per_page) return { entries: found, next: entry.key };
      }
    }
  }
  return { entries: found, next: undefined };
}

/** As many entries as the page needs, but many at once if most of them are only counted or filtered out. */
function entriesPerRead({ per_page }: OrderFilters, indexAnswers: boolean, toSkip: number): number {
  if (toSkip > 0) return 1000;
  return indexAnswers ? per_page : Math.max(per_page, 100);
}

type Reader = (orderIds: string[]) => Promise<Map<string, OrderWithShipments>>;

/** Reads each order once, even if it appears in several entries. */
function orderReader(slug: string): Reader {
  const fullOrders = new Map<string, OrderWithShipments>();
  return async (orderIds) => {
    const unread = [...new Set(orderIds)].filter((id) => !fullOrders.has(id));
    for (const fullOrder of await loadOrders(slug, unread)) fullOrders.set(fullOrder.order.uuid, fullOrder);
    return fullOrders;
  };
}

async function matching(
  readOrders: Reader,
  entries: Entry[],
  filters: OrderFilters,
): Promise<[Entry, OrderWithShipments][]> {
  const fullOrders = await readOrders(entries.map(({ orderId }) => orderId));
  return entries.flatMap((entry): [Entry, OrderWithShipments][] => {
    const fullOrder = fullOrders.get(entry.orderId);
    return fullOrder && isLatestEntry(entry, fullOrder, filters) && matches(fullOrder, filters)
      ? [[entry, fullOrder]]
      : [];
  });
}

const isLatestEntry = (entry: Entry, fullOrder: OrderWithShipments, filters: OrderFilters) =>
  indexFor('', filters).name !== 'activity' || entry.place === lastActivity(fullOrder);
