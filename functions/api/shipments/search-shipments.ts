import { toShipmentRecord, viewerOf } from '#domain/orders/presentation.ts';
import { readSubjects } from '#domain/orders/subjects.ts';
import { invalid } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { utc } from '#platform/time.ts';
import { isSameTrackingNumber } from '#platform/tracking-number.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters, shipments } from '#schemas/families/shipments.ts';
import { type FoundPage, findCounted, type ListedShipment, timeField } from './counted-shipments.ts';
import { listShipments, type Range, type Summary, shipmentsWithNumber } from './shipment-index.ts';

const dayMs = 24 * 3600 * 1000;
const defaultLookBackMs = shipmentLimits.usualSearchDays * dayMs;
const maxLookBackMs = shipmentLimits.searchDays * dayMs;

export const searchShipments: Implementation<typeof shipments.searchShipments> = async (request) => {
  const { shop, query, now } = request;
  const { page, total } = await findPage(shop.slug, query, rangeOf(query, now));
  const viewer = await viewerOf(request);
  const field = timeField(query);
  const subjectOf = await readSubjects(shop.slug, page.map(placeOf));
  return {
    shipments: page.flatMap((listed) => {
      const { shipment, order } = subjectOf(placeOf(listed));
      // A shipment that was deleted in between is left out, and one that moved within the list since it was counted.
      const isThere = shipment && (listed.countedAt ?? shipment[field]) === shipment[field];
      return isThere && order ? [toShipmentRecord(shipment, order, viewer)] : [];
    }),
    pagination: pagination(query, total),
  };
};

async function findPage(slug: string, query: ShipmentFilters, range: Range): Promise<FoundPage> {
  if (query.tracking_number !== undefined)
    return pageOf(await shipmentsWithNumber(slug, query.tracking_number), query, range);
  return (await findCounted(slug, query, range)) ?? pageOf(await listShipments(slug, range, query), query, range);
}

function pageOf(found: readonly Summary[], query: ShipmentFilters, range: Range): FoundPage {
  const matching = found.filter((summary) => matches(summary, query, range)).sort(compareBy(query.sort));
  const first = (query.page - 1) * query.per_page;
  return { page: matching.slice(first, first + query.per_page), total: matching.length };
}

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
    (tracking_number === undefined || isSameTrackingNumber(summary.tracking_number, tracking_number)) &&
    // The list by creation is read only if every shipment that is created in the range has changed in the range.
    (summary.updated_at === undefined || isWithin(summary.updated_at, updatedFrom, updatedTo)) &&
    (createdFrom === undefined || summary.created_at >= createdFrom) &&
    (createdTo === undefined || summary.created_at <= createdTo)
  );
}

const isWithin = (time: string, from: string, to: string | undefined) =>
  time >= from && (to === undefined || time <= to);

function compareBy(sort: ShipmentFilters['sort']) {
  const field = sort.replace('-', '') as 'updated_at' | 'created_at';
  const direction = sort.startsWith('-') ? -1 : 1;
  return (a: Summary, b: Summary) => {
    const [first, second] = a[field] === b[field] ? [a.uuid, b.uuid] : [a[field], b[field]];
    return first! < second! ? -direction : direction;
  };
}

const placeOf = ({ order_id, uuid, isDraft = false }: ListedShipment) => ({ order_id, shipment_id: uuid, isDraft });

function pagination({ page, per_page }: ShipmentFilters, total: number) {
  const total_pages = Math.ceil(total / per_page);
  return { page, per_page, total, total_pages, has_next: page < total_pages, has_previous: page > 1 && total > 0 };
}
