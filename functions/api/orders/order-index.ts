import type { OrderWithShipments } from '#domain/orders/model.ts';
import { normalizeEmail, normalizeZipCode, orderIdIn, partitionOf, timeSortKey } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { utc } from '#platform/time.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import type { OrderFilters } from '#schemas/families/orders.ts';

/** The index of the most selective filter. The other filters are checked on the orders that it finds. */
export function indexFor(slug: string, filters: OrderFilters): Index {
  const { email_id, order_name, zip_code, order_placed_from, order_placed_to, shipment_updated_since } = filters;
  const placed = { from: order_placed_from && utc(order_placed_from), to: order_placed_to && utc(order_placed_to) };
  if (email_id !== undefined)
    return { name: 'emails', partition: partitionOf.ordersByEmail(slug, email_id), ...placed };
  if (order_name !== undefined)
    return { name: 'names', partition: partitionOf.ordersByName(slug, order_name), ...placed };
  if (zip_code !== undefined)
    return { name: 'zip_codes', partition: partitionOf.ordersByZipCode(slug, zip_code), ...placed };
  if (shipment_updated_since !== undefined) {
    return {
      name: 'activity',
      partition: partitionOf.shipmentsByUpdate(slug),
      from: utc(shipment_updated_since),
      to: undefined,
    };
  }
  return { name: 'timeline', partition: partitionOf.orders(slug), ...placed };
}

/** Checks every filter on the order itself. */
export function matches({ order, shipments }: OrderWithShipments, filters: OrderFilters): boolean {
  const { uuid, order_number, external_id, order_name, email_id, zip_code } = filters;
  const { order_placed_from, order_placed_to, shipment_updated_since } = filters;
  const zip = order.address?.zip_code;
  return (
    (uuid === undefined || order.uuid === uuid.toLowerCase()) &&
    (order_number === undefined || order.order_number === order_number) &&
    (external_id === undefined || order.external_id === external_id) &&
    (order_name === undefined || order.order_name === order_name) &&
    (email_id === undefined ||
      (order.email_id !== undefined && normalizeEmail(order.email_id) === normalizeEmail(email_id))) &&
    (zip_code === undefined || (zip !== undefined && normalizeZipCode(zip) === normalizeZipCode(zip_code))) &&
    (order_placed_from === undefined || order.order_placed_at >= utc(order_placed_from)) &&
    (order_placed_to === undefined || order.order_placed_at <= utc(order_placed_to)) &&
    (shipment_updated_since === undefined || lastUpdate({ order, shipments }) >= utc(shipment_updated_since))
  );
}

/** When a shipment of the order last changed. */
const lastUpdate = (fullOrder: OrderWithShipments) => lastActivity(fullOrder).split('#')[0]!;

/**
 * The sort key of the order's latest change in the index `activity`. An order with several shipments has several
 * entries there, and only this one counts.
 */
export function lastActivity({ order, shipments }: OrderWithShipments): string {
  const places = shipments.map(({ updated_at, uuid }) => timeSortKey(updated_at, uuid));
  const draft = order.drafts.at(-1);
  if (draft) places.push(timeSortKey(draft.created_at, order.uuid));
  return places.sort().at(-1) ?? '';
}

/** Whether the index alone answers the filters. Then entries can be counted without reading their orders. */
export function isAnsweredByIndex(filters: OrderFilters): boolean {
  const { email_id, order_name, zip_code, shipment_updated_since } = filters;
  const others = [email_id, order_name, zip_code].filter((filter) => filter !== undefined);
  return shipment_updated_since === undefined && others.length <= 1;
}

/** A part of an index, from one time to another. */
export interface Index {
  name: 'timeline' | 'activity' | 'emails' | 'zip_codes' | 'names';
  partition: string;
  from: string | undefined;
  to: string | undefined;
}

/** An order's place in an index. */
export interface Entry {
  orderId: string;
  /** The next page of the index starts after this key. */
  key: Record<string, unknown>;
  /** Its sort key: a time and an id. */
  place: string;
}

/** Yields pages of entries, newest first, but changes oldest first. The caller stops when it has enough. */
export async function* indexPages(
  index: Index,
  start: Record<string, unknown> | undefined,
  limit: number,
): AsyncGenerator<Entry[]> {
  const { partition, sort } = indexes[index.name];
  const [from, to] = [index.from ?? '0', `${index.to ?? '9'}~`]; // the tilde sorts after every uuid of the last moment
  if (from > to) return; // DynamoDB refuses a range that ends before it begins
  const pages = queryPages({
    IndexName: index.name,
    KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':partition': index.partition,
      ':from': from,
      ':to': to,
    },
    // Changes are read in the order in which they happened: an order that changes again comes later and is not missed.
    ScanIndexForward: index.name === 'activity',
    Limit: limit,
    ExclusiveStartKey: start,
  });
  for await (const items of pages) yield items.map((item) => toEntry(item, partition, sort));
}

function toEntry(item: Record<string, unknown>, partition: string, sort: string): Entry {
  const key = Object.fromEntries(['pk', 'sk', partition, sort].map((name) => [name, item[name]]));
  return { orderId: orderIdIn(String(item.pk)), key, place: String(item[sort]) };
}
