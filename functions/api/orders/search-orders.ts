import { readSilenceRule } from '#domain/figures/silence.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { readBudget } from '#domain/orders/order-items.ts';
import { findOrderId, loadOrders } from '#domain/orders/order-store.ts';
import { toOrderResponse, viewerOf } from '#domain/orders/presentation.ts';
import { invalidValue, type ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { timeIn } from '#platform/table/keys.ts';
import { justAfter, positionsOf } from '#platform/table/list-counters.ts';
import {
  type Page,
  type PageStart,
  type Positions,
  perPageTooLarge,
  readPageWith,
  tooFarBack,
} from '#platform/table/paging.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { OrderFilters, orders } from '#schemas/families/orders.ts';
import {
  bounded,
  type Entry,
  type Index,
  type IndexRead,
  indexFor,
  isAnsweredByIndex,
  isWholeList,
  lastActivity,
  lastAttention,
  matches,
  readIndex,
  type Silence,
} from './order-index.ts';

export const searchOrders: Implementation<typeof orders.searchOrders> = async (request) => {
  const { shop, query, now } = request;
  const filters = bounded(query, now);
  const silence =
    filters.attention === 'no_movement' ? { rule: await readSilenceRule(shop.slug, now), now } : undefined;
  const search = { slug: shop.slug, filters, index: indexFor(shop.slug, filters, now, silence), silence };
  const found = hasUniqueId(query)
    ? await byUniqueId(search)
    : await readPageWith(
        request,
        // Under `orders#` earlier releases store and expect starts of pages in another form.
        `orders-after#${shop.slug}`,
        (start: PageStart<Position>) => findPage(search, start),
        positionsFor(search),
      );
  const viewer = await viewerOf(request);
  return found.map((fullOrder) => toOrderResponse(fullOrder, viewer));
};

/** What is looked for, and where. */
interface Search {
  slug: string;
  filters: OrderFilters;
  index: Index;
  silence: Silence | undefined;
}

const hasUniqueId = ({ uuid, order_number, external_id }: OrderFilters) =>
  uuid !== undefined || order_number !== undefined || external_id !== undefined;

/** An id names at most one order. */
async function byUniqueId({ slug, filters, silence }: Search): Promise<OrderWithShipments[]> {
  const { uuid, order_number, external_id, page } = filters;
  if (page > 1) return [];
  const orderId =
    uuid?.toLowerCase() ??
    (order_number !== undefined
      ? await findOrderId(slug, order_number, 'order_number')
      : await findOrderId(slug, external_id!, 'external_id'));
  if (orderId === undefined) return [];
  return (await loadOrders(slug, [orderId], readBudget())).filter((fullOrder) => matches(fullOrder, filters, silence));
}

function positionsFor({ slug, filters, index }: Search): Positions | undefined {
  if (!isWholeList(index) || !isAnsweredByIndex(filters)) return undefined;
  return positionsOf(countedLists.orders(slug), { to: justAfter(index.to) });
}

type Position = Entry['key'];

/**
 * Reads the index from the start of the page until the page is full. It does not use a ListReader, which reads one
 * entry more than the page holds, to see whether the list goes on.
 */
async function findPage(
  search: Search,
  { after, bound, skip }: PageStart<Position>,
): Promise<Page<OrderWithShipments, Position>> {
  const { filters, index } = search;
  const found: OrderWithShipments[] = [];
  const seen = new Set<string>();
  const indexAnswers = isAnsweredByIndex(filters);
  let toSkip = indexAnswers ? 0 : skip;
  const tooMuch = (place: string) => (toSkip > 0 ? tooFarBack() : notFound(found.length, index, timeIn(place)));
  const entries = indexEntries(search, { after, bound, skip: indexAnswers ? skip : 0 }, tooMuch);
  for await (const [entry, fullOrder] of matchingOrders(search, entries, tooMuch)) {
    // Of an order with several claims that wait, each has an entry.
    if (seen.has(fullOrder.order.uuid)) continue;
    seen.add(fullOrder.order.uuid);
    if (toSkip > 0) {
      toSkip--;
      continue;
    }
    found.push(fullOrder);
    if (found.length === filters.per_page) return { entries: found, next: entry.key };
  }
  return { entries: found, next: undefined };
}

/** Makes the error of a search that would have to read on from this place of the index. */
type TooMuch = (place: string) => ServiceError;

async function* indexEntries(
  { filters, index: whole }: Search,
  { after, bound, skip }: PageStart<Position>,
  tooMuch: TooMuch,
): AsyncGenerator<Entry[]> {
  const index = { ...whole, bound };
  let toSkip = skip;
  let next: IndexRead['next'] | { key: Position | undefined; place: string } = { key: after, place: '' };
  for (let reads = 0; reads < searchLimits.reads; reads++) {
    const limit = Math.min(toSkip + entriesOfRead(reads, filters, index), searchLimits.entriesOfRead);
    const read: IndexRead = await readIndex(index, next.key, limit);
    yield read.entries.slice(toSkip);
    toSkip = Math.max(0, toSkip - read.entries.length);
    if (!read.next) return;
    next = read.next;
  }
  throw toSkip > 0 ? tooFarBack() : tooMuch(next.place);
}

/** As many as the page needs. If some may not match, a hundred, and then many, because few seem to match. */
function entriesOfRead(reads: number, filters: OrderFilters, { others }: Index): number {
  const allMatch = isAnsweredByIndex(filters) && Object.keys(others).length === 0;
  // Not fewer than ten: an order that changed a moment ago may still be in the index.
  if (allMatch) return Math.max(filters.per_page, 10);
  return reads === 0 ? 100 : searchLimits.entriesOfRead;
}

type Match = [Entry, OrderWithShipments];

async function* matchingOrders(search: Search, pages: AsyncIterable<Entry[]>, tooMuch: TooMuch): AsyncGenerator<Match> {
  const { filters } = search;
  const reader = orderReader(search.slug);
  for await (const entries of pages) {
    for (let looked = 0; looked < entries.length; ) {
      if (reader.count() >= searchLimits.orders) throw tooMuch(entries[looked]!.place);
      // Few orders at first, so that no more are read than the page needs, and more if few of them match.
      const part = entries.slice(looked, looked + Math.min(Math.max(filters.per_page, reader.count()), 100));
      yield* await matching(reader, part, search);
      looked += part.length;
    }
  }
}

/** Reads each order once, even if it appears in several entries. */
function orderReader(slug: string) {
  const fullOrders = new Map<string, OrderWithShipments>();
  const budget = readBudget();
  return {
    count: () => fullOrders.size,
    read: async (orderIds: string[]) => {
      const unread = [...new Set(orderIds)].filter((id) => !fullOrders.has(id));
      for (const fullOrder of await loadOrders(slug, unread, budget)) fullOrders.set(fullOrder.order.uuid, fullOrder);
      return fullOrders;
    },
  };
}

async function matching({ read }: ReturnType<typeof orderReader>, entries: Entry[], search: Search): Promise<Match[]> {
  const fullOrders = await read(entries.map(({ orderId }) => orderId));
  return entries.flatMap((entry): Match[] => {
    const fullOrder = fullOrders.get(entry.orderId);
    return fullOrder && isLatestEntry(entry, fullOrder, search) && matches(fullOrder, search.filters, search.silence)
      ? [[entry, fullOrder]]
      : [];
  });
}

/** An order with several parcels has several entries in these two. */
function isLatestEntry({ place }: Entry, fullOrder: OrderWithShipments, { index, filters, silence }: Search): boolean {
  if (index.name === 'activity') return place === lastActivity(fullOrder);
  const { attention } = filters;
  return attention === undefined || attention === 'claims' || place === lastAttention(fullOrder, attention, silence);
}

/** @param time when the next order of the search was placed or changed: nothing before it in the search matches */
function notFound(found: number, { name }: Index, time: string): ServiceError {
  if (found > 0) return perPageTooLarge(found);
  if (name === 'attention')
    return invalidValue(['query', 'attention'], 'finds too many orders that the other filters leave out');
  const field = name === 'activity' ? 'shipment_updated_since' : 'order_placed_to';
  const msg = `must be ${time}, with page 1, to continue: no order before that in the search matches, and one request reads no further`;
  return invalidValue(['query', field], msg);
}
