import type { OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { findTracking, loadOrders } from '#domain/orders/order-store.ts';
import { toShipmentRecord, viewerOf } from '#domain/orders/presentation.ts';
import { invalid } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { utc } from '#platform/time.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters, shipments } from '#schemas/families/shipments.ts';
import { listShipments, type Range, type Summary, summaryOf } from './shipment-index.ts';

const dayMs = 24 * 3600 * 1000;
const defaultLookBackMs = shipmentLimits.usualSearchDays * dayMs;
const maxLookBackMs = shipmentLimits.searchDays * dayMs;

export const searchShipments: Implementation<typeof shipments.searchShipments> = async ({
  shop,
  query,
  language,
  now,
}) => {
  const range = rangeOf(query, now);
  const found =
    query.tracking_number === undefined
      ? await listShipments(shop.slug, range)
      : await withTrackingNumber(shop.slug, query.tracking_number);
  const matching = found.filter((summary) => matches(summary, query, range)).sort(compareBy(query.sort));
  const first = (query.page - 1) * query.per_page;
  const page = matching.slice(first, first + query.per_page);
  const viewer = await viewerOf({ shop, language });
  const records = await readShipments(shop.slug, page);
  return {
    shipments: records.map(({ shipment, order }) => toShipmentRecord(shipment, order, viewer)),
    pagination: pagination(query, matching.length),
  };
};

function rangeOf({ updated_from, updated_to, created_from, created_to }: ShipmentFilters, now: Date): Range {
  const from = updated_from ? utc(updated_from) : new Date(now.getTime() - defaultLookBackMs).toISOString();
  if (Date.parse(from) < now.getTime() - maxLookBackMs) {
    const msg = `must not be more than ${shipmentLimits.searchDays} days ago`;
    throw invalid({ loc: ['query', 'updated_from'], msg, type: 'value_error' });
  }
  return {
    updatedFrom: from,
    updatedTo: updated_to && utc(updated_to),
    createdFrom: created_from && utc(created_from),
    createdTo: created_to && utc(created_to),
  };
}

function matches(summary: Summary, { include_drafts, tracking_number }: ShipmentFilters, range: Range): boolean {
  const { updatedFrom, updatedTo, createdFrom, createdTo } = range;
  return (
    (include_drafts || summary.tracking_number !== null) &&
    (tracking_number === undefined || summary.tracking_number === tracking_number) &&
    summary.updated_at >= updatedFrom &&
    (updatedTo === undefined || summary.updated_at <= updatedTo) &&
    (createdFrom === undefined || summary.created_at >= createdFrom) &&
    (createdTo === undefined || summary.created_at <= createdTo)
  );
}

function compareBy(sort: ShipmentFilters['sort']) {
  const field = sort.replace('-', '') as 'updated_at' | 'created_at';
  const direction = sort.startsWith('-') ? -1 : 1;
  const sortKey = (summary: Summary) => `${summary[field]}#${summary.uuid}`;
  return (a: Summary, b: Summary) => (sortKey(a) < sortKey(b) ? -direction : direction);
}

async function withTrackingNumber(slug: string, number: string): Promise<Summary[]> {
  const found = number === '' ? undefined : await findTracking(slug, number);
  if (!found) return [];
  const [fullOrder] = await loadOrders(slug, [found.order_id]);
  return fullOrder
    ? allShipments(fullOrder)
        .filter(({ uuid }) => uuid === found.shipment_id)
        .map(summaryOf)
    : [];
}

/** The full shipments of a page, in its order. A shipment that was deleted in between is left out. */
async function readShipments(
  slug: string,
  page: Summary[],
): Promise<{ shipment: Shipment; order: OrderWithShipments['order'] }[]> {
  const fullOrders = await loadOrders(slug, [...new Set(page.map(({ order_id }) => order_id))]);
  const byId = new Map(
    fullOrders.flatMap((fullOrder) =>
      allShipments(fullOrder).map((shipment) => [shipment.uuid, { shipment, order: fullOrder.order }] as const),
    ),
  );
  return page.flatMap(({ uuid }) => byId.get(uuid) ?? []);
}

function pagination({ page, per_page }: ShipmentFilters, total: number) {
  const total_pages = Math.ceil(total / per_page);
  return { page, per_page, total, total_pages, has_next: page < total_pages, has_previous: page > 1 && total > 0 };
}
