import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  attentionDays,
  attentionKeys,
  attentionLists,
  attentionReason,
  attentionReasons,
  isSilent,
  type SilenceRule,
} from '#domain/orders/attention.ts';
import { type OrderWithShipments, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { currentPhase } from '#domain/orders/shipment-rules.ts';
import { table, tableName } from '#platform/table/client.ts';
import {
  normalizeEmail,
  normalizeZipCode,
  orderIdIn,
  partitionOf,
  shardsOfShipments,
  timeIn,
  timeSortKey,
} from '#platform/table/keys.ts';
import { readMerged } from '#platform/table/merged-lists.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { dayMs, utc } from '#platform/time.ts';
import type { AttentionKind } from '#schemas/catalogues/enumerations.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import type { OrderFilters } from '#schemas/families/orders.ts';

/** The part of an index that can match: from one time to another, and with these values of other attributes. */
export interface Index {
  name: 'timeline' | 'activity' | 'order_emails' | 'order_zip_codes' | 'names' | 'attention';
  /** Several lists are read as one, each of which is in one partition or evenly in several. */
  lists: readonly [readonly [string, ...string[]], ...(readonly string[])[]];
  from: string | undefined;
  to: string | undefined;
  /** Of the sort keys, if more is known than the time. */
  bound?: string | undefined;
  others: Record<string, string>;
}

/** When a parcel is silent. Only a search for silent ones has it. */
export interface Silence {
  rule: SilenceRule;
  now: Date;
}

/** The index of the most selective filter. It also holds what the filters of the other lists are compared with. */
export function indexFor(slug: string, filters: OrderFilters, now: Date, silence: Silence | undefined): Index {
  const { order_placed_from, order_placed_to, shipment_updated_since, attention } = filters;
  if (attention !== undefined) {
    const days = attentionDays(now, searchLimits.days, silence?.rule);
    return { name: 'attention', lists: attentionLists(slug, attention), ...days, others: {} };
  }
  const placed = { from: order_placed_from && utc(order_placed_from), to: order_placed_to && utc(order_placed_to) };
  const [first, ...rest] = listsFor(slug, filters);
  if (first) {
    const others = Object.fromEntries(rest.map(({ name, lists: [[one]] }) => [indexes[name].partition, one]));
    return { ...first, ...placed, others };
  }
  if (shipment_updated_since !== undefined) {
    const lists = [[partitionOf.shipmentsByUpdate(slug)], shardsOfShipments(slug), [partitionOf.drafts(slug)]] as const;
    return { name: 'activity', lists, from: utc(shipment_updated_since), to: undefined, others: {} };
  }
  return { name: 'timeline', lists: [[partitionOf.orders(slug)]], ...placed, others: {} };
}

/** The lists that contain the order, the shortest first as far as one can tell. */
function listsFor(slug: string, { email_id, order_name, zip_code }: OrderFilters) {
  const lists: Pick<Index, 'name' | 'lists'>[] = [];
  if (email_id !== undefined)
    lists.push({ name: 'order_emails', lists: [[partitionOf.ordersByEmail(slug, email_id)]] });
  if (order_name !== undefined) lists.push({ name: 'names', lists: [[partitionOf.ordersByName(slug, order_name)]] });
  if (zip_code !== undefined)
    lists.push({ name: 'order_zip_codes', lists: [[partitionOf.ordersByZipCode(slug, zip_code)]] });
  return lists;
}

/** Whether the index alone answers the filters. Then entries can be counted without reading their orders. */
export const isAnsweredByIndex = (filters: OrderFilters) =>
  filters.shipment_updated_since === undefined && filters.attention === undefined && !asksForParcels(filters);

/** Whether all orders in the range of the index match, so that the positions of the list are those of the search. */
export const isWholeList = ({ name, others }: Index) => name === 'timeline' && Object.keys(others).length === 0;

/** No index has the phases and carriers of an order. */
const asksForParcels = ({ phase, carrier_reference }: OrderFilters) =>
  phase !== undefined || carrier_reference !== undefined;

/** The filters with what bounds a search by the state of parcels. */
export function bounded(filters: OrderFilters, now: Date): OrderFilters {
  if (!asksForParcels(filters)) return filters;
  const first = new Date(now.getTime() - searchLimits.days * dayMs).toISOString();
  const { order_placed_from: from } = filters;
  return { ...filters, order_placed_from: from !== undefined && utc(from) > first ? from : first };
}

/** Checks every filter on the order itself. */
export function matches(
  { order, shipments }: OrderWithShipments,
  filters: OrderFilters,
  silence: Silence | undefined,
): boolean {
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
    (shipment_updated_since === undefined || lastUpdate({ order, shipments }) >= utc(shipment_updated_since)) &&
    (!asksForParcels(filters) || allShipments({ order, shipments }).some((parcel) => isParcel(parcel, filters))) &&
    (filters.attention === undefined || needsSomebody({ order, shipments }, filters.attention, silence))
  );
}

const isParcel = (parcel: Shipment, { phase, carrier_reference }: OrderFilters) =>
  (phase === undefined || currentPhase(parcel) === phase) &&
  (carrier_reference === undefined || parcel.carrier_reference === carrier_reference);

/** The index may lag behind. Claims are not in the order. */
const needsSomebody = (fullOrder: OrderWithShipments, kind: AttentionKind, silence: Silence | undefined) =>
  kind === 'claims' || lastAttention(fullOrder, kind, silence) !== undefined;

/** The sort key of the order's latest parcel of this kind in the index `attention`. Only this one counts. */
export function lastAttention({ shipments }: OrderWithShipments, kind: AttentionKind, silence: Silence | undefined) {
  return shipments
    .filter((shipment) => silence === undefined || isSilent(shipment, silence.rule, silence.now))
    .filter((shipment) => attentionReason(shipment) === attentionReasons[kind])
    .map((shipment) => attentionKeys('', shipment).attention_sk!)
    .sort()
    .at(-1);
}

/** When a shipment of the order last changed. */
const lastUpdate = (fullOrder: OrderWithShipments) => timeIn(lastActivity(fullOrder));

/**
 * The sort key of the order's latest change in the index `activity`. An order with several shipments has several
 * entries there, and only this one counts.
 */
export function lastActivity({ order, shipments }: OrderWithShipments): string {
  const places = shipments.map(({ updated_at, uuid }) => timeSortKey(updated_at, uuid));
  const draft = order.drafts.at(-1);
  if (draft) places.push(timeSortKey(draft.created_at, shipmentId(order.uuid, draft.slot)));
  return places.sort().at(-1) ?? '';
}

type Key = Record<string, unknown>;

/** An order's place in an index. */
export interface Entry {
  orderId: string;
  /**
   * The next page of the index starts after this key. It lacks the partition, which may be an e-mail address: the start of a
   * page is stored, and whoever asks for the page names the partition again.
   */
  key: Key;
  /** Its sort key: a time and an id. */
  place: string;
}

export interface IndexRead {
  entries: Entry[];
  /** Where to continue. Undefined at the end of the index. */
  next: Pick<Entry, 'key' | 'place'> | undefined;
}

/** Reads up to `limit` entries, newest first, but changes oldest first, and returns those that match. */
export function readIndex(index: Index, start: Key | undefined, limit: number): Promise<IndexRead> {
  const [[partition], ...others] = index.lists;
  return others.length === 0 ? readPart(index, partition, { start, limit }) : readLists(index, start, limit);
}

/** No filter on other attributes is used with an index that has several lists. */
async function readLists(index: Index, start: Key | undefined, limit: number): Promise<IndexRead> {
  const { name, lists, ...range } = index;
  const { sort } = indexes[name];
  const { entries, next } = await readMerged<Key>(
    { lists: lists.map((partitions) => ({ index: name, partitions })), ...boundsOf(range), isForward: isForward(name) },
    { limit, after: start && String(start[sort]) },
  );
  return {
    entries: entries.map(({ entry }) => toEntry(entry, sort)),
    next: next === undefined ? undefined : { key: { [sort]: next }, place: next },
  };
}

/** The tilde sorts after every uuid of the last moment. */
const boundsOf = ({ from = '0', to = '9', bound = `${to}~` }: Pick<Index, 'from' | 'to' | 'bound'>) => ({
  from,
  to: bound,
});

/** Changes are read in the order in which they happened: an order that changes again comes later and is not missed. */
const isForward = (name: Index['name']) => name === 'activity';

interface Part {
  start?: Key | undefined;
  limit: number;
}

async function readPart(index: Index, list: string, { start, limit }: Part): Promise<IndexRead> {
  const { partition, sort } = indexes[index.name];
  const { from, to } = boundsOf(index);
  if (from > to) return { entries: [], next: undefined }; // DynamoDB refuses a range that ends before it begins
  const others = Object.entries(index.others);
  const { ExpressionAttributeValues: values, ...range } = itemsIn(list, { index: index.name, from, to });
  const query = new QueryCommand({
    TableName: tableName(),
    ...range,
    ...(others.length > 0 && { FilterExpression: others.map(([name]) => `${name} = :${name}`).join(' AND ') }),
    ExpressionAttributeValues: { ...values, ...Object.fromEntries(others.map(([name, value]) => [`:${name}`, value])) },
    ScanIndexForward: isForward(index.name),
    Limit: limit,
    ExclusiveStartKey: start && { ...start, [partition]: list },
  });
  const { Items = [], LastEvaluatedKey: last } = await table.send(query);
  const entries = Items.map((item) => toEntry(item, sort));
  return { entries, next: last && toEntry(last, sort) };
}

function toEntry(item: Record<string, unknown>, sort: string): Entry {
  const key = Object.fromEntries(['pk', 'sk', sort].map((name) => [name, item[name]]));
  return { orderId: orderIdIn(String(item.pk)), key, place: String(item[sort]) };
}
