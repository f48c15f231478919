import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Draft, shipmentId } from '#domain/orders/model.ts';
import { findTrackings } from '#domain/orders/tracking-references.ts';
import { type ApiError, invalid } from '#platform/http/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf, shipmentPrefix } from '#platform/table/keys.ts';
import { batchGet, queryPages } from '#platform/table/reads.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { indexes } from '#schemas/catalogues/table.ts';

/** Times are inclusive; undefined means no bound. */
export interface Range {
  updatedFrom: string;
  updatedTo: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

/** The fields of a shipment that the index holds: enough to filter, sort and count. */
export interface Summary {
  uuid: string;
  order_id: string;
  tracking_number: string | null;
  created_at: string;
  updated_at: string;
  /** Whether it is a line of its order. A shipment with its own item can be without a tracking number too. */
  isDraft?: boolean;
}

/** Every shipment of a shop with this tracking number: one for each order that travels in the parcel. */
export async function shipmentsWithNumber(slug: string, number: string): Promise<Summary[]> {
  const references = await findTrackings(slug, number);
  const items = await batchGet(references.map((found) => keyOf.shipment(slug, found.order_id, found.shipment_id)));
  return (items as (IndexEntry | undefined)[]).flatMap((item) => (item ? summariesOf(item) : []));
}

export type TimeField = 'created_at' | 'updated_at';

/** A part of the list of shipments by one of their times, which are inclusive. */
export interface IndexRange {
  field: TimeField;
  from: string;
  to: string | undefined;
}

/** Undefined if the range is empty. */
function queryOf(slug: string, { field, from, to }: IndexRange) {
  const byCreation = field === 'created_at';
  const name = byCreation ? 'timeline' : 'activity';
  const partition = byCreation ? partitionOf.shipmentsByCreation(slug) : partitionOf.shipmentsByUpdate(slug);
  const end = `${to ?? '9'}~`;
  if (from > end) return undefined; // DynamoDB refuses a range that ends before it begins
  return {
    IndexName: name,
    KeyConditionExpression: `${indexes[name].partition} = :shop AND ${indexes[name].sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: { ':shop': partition, ':from': from, ':to': end },
    ScanIndexForward: false,
  };
}

/** The shipments of the newest entries, and the sort key of the last entry, if the range goes on after it. */
export async function readNewest(
  slug: string,
  range: IndexRange,
  entries: number,
): Promise<{ summaries: Summary[]; last: string | undefined }> {
  const query = queryOf(slug, range);
  if (!query) return { summaries: [], last: undefined };
  const { Items = [], LastEvaluatedKey } = await table.send(
    new QueryCommand({ ...query, TableName: tableName(), Limit: entries }),
  );
  const last = LastEvaluatedKey?.[indexes[query.IndexName as 'timeline' | 'activity'].sort] as string | undefined;
  return { summaries: (Items as IndexEntry[]).flatMap(summariesOf), last };
}

/** The time of the oldest entry, in a range that has entries. */
export async function readOldestTime(slug: string, range: IndexRange): Promise<string> {
  const query = queryOf(slug, range)!;
  const oldest = { ...query, TableName: tableName(), ScanIndexForward: true, Limit: 1 };
  const { Items = [] } = await table.send(new QueryCommand(oldest));
  return String(Items[0]?.[indexes[query.IndexName as 'timeline' | 'activity'].sort] ?? range.from).split('#')[0]!;
}

/**
 * Every shipment of a shop in the range, for a search that the positions do not answer: the range is read to its end,
 * but only its index entries. 1 MB holds about five thousand of them. Throws if there are more than one request may read.
 */
export async function listShipments(slug: string, range: Range): Promise<Summary[]> {
  const byCreation = startsLater(range);
  const name = byCreation ? 'timeline' : 'activity';
  const query = queryOf(
    slug,
    byCreation
      ? { field: 'created_at', from: range.createdFrom!, to: range.createdTo }
      : { field: 'updated_at', from: range.updatedFrom, to: range.updatedTo },
  );
  if (!query) return [];
  const pages = queryPages(query) as AsyncGenerator<unknown[]> as AsyncGenerator<IndexEntry[]>;
  const found: Summary[] = [];
  let reads = 0;
  let earliest = '';
  for await (const entries of pages) {
    if (entries.length > 0 && reads++ === searchLimits.reads) throw tooMany(byCreation, earliest);
    for (const entry of entries) found.push(...summariesOf(entry));
    earliest = String(entries.at(-1)?.[indexes[name].sort] ?? earliest);
  }
  return found;
}

/** @param earliest the sort key of the earliest entry that was read */
function tooMany(byCreation: boolean, earliest: string): ApiError {
  const [time] = earliest.split('#') as [string];
  const next = new Date(Date.parse(time) + 1).toISOString();
  return invalid({
    loc: ['query', byCreation ? 'created_from' : 'updated_from'],
    msg: `must be ${next} or later, because the range has more shipments than one request can count; search the time before it with ${byCreation ? 'created_to' : 'updated_to'}`,
    type: 'value_error',
  });
}

/** A shipment never changes before it is created, so the range that begins later leaves less to read. */
const startsLater = ({ createdFrom, updatedFrom }: Range) => createdFrom !== undefined && createdFrom >= updatedFrom;

interface IndexEntry {
  pk: string;
  sk: string;
  tracking_number?: string;
  created_at?: string;
  updated_at?: string;
  /** One entry stands for all drafts of an order. */
  drafts?: Draft[];
  timeline_sk?: string;
  activity_sk?: string;
}

function summariesOf({ pk, sk, tracking_number, created_at, updated_at, drafts }: IndexEntry): Summary[] {
  const order_id = orderIdIn(pk);
  if (!drafts) {
    const uuid = sk.slice(shipmentPrefix.length);
    return [
      { uuid, order_id, tracking_number: tracking_number ?? null, created_at: created_at!, updated_at: updated_at! },
    ];
  }
  return drafts.map(({ slot, created_at: at }) => ({
    uuid: shipmentId(order_id, slot),
    order_id,
    tracking_number: null,
    created_at: at,
    updated_at: at,
    isDraft: true,
  }));
}
