import { toShipmentRecord, viewerOf } from '#domain/orders/presentation.ts';
import { readSubjects } from '#domain/orders/subjects.ts';
import { invalidValue } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { type PageStart, readPageWith } from '#platform/table/paging.ts';
import { dayMs, utc } from '#platform/time.ts';
import { isSameTrackingNumber } from '#platform/tracking-number.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters, shipments } from '#schemas/families/shipments.ts';
import { listShipments, type Range, type Summary, shipmentsWithNumber, type TimeField } from './shipment-index.ts';
import { findInList, type Position, pageOf, partOfList, timeField } from './shipment-pages.ts';

const defaultLookBackMs = shipmentLimits.usualSearchDays * dayMs;
const maxLookBackMs = shipmentLimits.searchDays * dayMs;

export const searchShipments: Implementation<typeof shipments.searchShipments> = async (request) => {
  const { shop, query } = request;
  const { page, total } = await findPage(request);
  const viewer = await viewerOf(request);
  const subjectOf = await readSubjects(shop.slug, page.map(placeOf));
  return {
    shipments: page.flatMap((listed) => {
      const { shipment, order } = subjectOf(placeOf(listed));
      return shipment && order ? [toShipmentRecord(shipment, order, viewer)] : []; // it was deleted in between
    }),
    pagination: pagination(query, total),
  };
};

type Request = Parameters<typeof searchShipments>[0];

async function findPage(request: Request): Promise<{ page: Summary[]; total: number }> {
  const { shop, query: filters, now } = request;
  const range = rangeOf(filters, now);
  const part = partOfList(filters, range);
  const listed = (found: readonly Summary[]) =>
    found.filter((summary) => matches(summary, filters, range)).sort(newestFirst(timeField(filters)));
  if (filters.tracking_number !== undefined) {
    const start = { after: undefined, skip: (filters.page - 1) * filters.per_page };
    const { entries, total } = pageOf(
      { filters, start },
      listed(await shipmentsWithNumber(shop.slug, filters.tracking_number)),
    );
    return { page: entries, total };
  }
  let total = 0;
  const page = await readPageWith(request, `shipments#${shop.slug}`, async (start: PageStart<Position>) => {
    const found = part
      ? await findInList({ slug: shop.slug, filters, start, now }, part)
      : pageOf({ filters, start }, listed(await listShipments(shop.slug, range, filters)));
    total = found.total;
    return found;
  });
  return { page, total };
}

function rangeOf({ updated_from, updated_to, created_from, created_to }: ShipmentFilters, now: Date): Range {
  const from = updated_from ? utc(updated_from) : new Date(now.getTime() - defaultLookBackMs).toISOString();
  if (Date.parse(from) < now.getTime() - maxLookBackMs) {
    throw invalidValue(['query', 'updated_from'], `must not be more than ${shipmentLimits.searchDays} days ago`);
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

const newestFirst = (field: TimeField) => (a: Summary, b: Summary) => {
  const [first, second] = a[field] === b[field] ? [a.uuid, b.uuid] : [a[field], b[field]];
  return first! < second! ? 1 : -1;
};

const placeOf = ({ order_id, uuid, isDraft = false }: Summary) => ({ order_id, shipment_id: uuid, isDraft });

function pagination({ page, per_page }: ShipmentFilters, total: number) {
  const total_pages = Math.ceil(total / per_page);
  return { page, per_page, total, total_pages, has_next: page < total_pages, has_previous: page > 1 && total > 0 };
}
