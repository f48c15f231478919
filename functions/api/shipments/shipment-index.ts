import type { Draft, Shipment } from '#domain/orders/model.ts';
import { shipmentId } from '#domain/orders/model.ts';
import { orderIdIn, partitionOf, shipmentPrefix } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/reads.ts';
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
}

export const summaryOf = ({ uuid, order_id, tracking_number, created_at, updated_at }: Shipment): Summary => ({
  uuid,
  order_id,
  tracking_number,
  created_at,
  updated_at,
});

/**
 * Every shipment of a shop in the range. The total must be exact, so the range is read to its end, but only its index
 * entries: 4 KB hold about twenty of them.
 */
export async function listShipments(slug: string, range: Range): Promise<Summary[]> {
  const byCreation = startsLater(range);
  const name = byCreation ? 'timeline' : 'activity';
  const partition = byCreation ? partitionOf.shipmentsByCreation(slug) : partitionOf.shipmentsByUpdate(slug);
  const from = byCreation ? range.createdFrom! : range.updatedFrom;
  const to = byCreation ? range.createdTo : range.updatedTo;
  const end = `${to ?? '9'}~`;
  if (from > end) return []; // DynamoDB refuses a range that ends before it begins
  const entries = await queryAll<IndexEntry>({
    IndexName: name,
    KeyConditionExpression: `${indexes[name].partition} = :shop AND ${indexes[name].sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: { ':shop': partition, ':from': from, ':to': end },
  });
  return entries.flatMap(summariesOf);
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
  }));
}
