import { ServiceError } from '#platform/errors.ts';
import { indexKeyOf, keyOf, shipmentPrefix, timeIn } from '#platform/table/keys.ts';
import { packText, unpackText } from '#platform/table/packed-text.ts';
import { orderLimits, searchLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { attentionKeys } from './attention.ts';
import { type Draft, type Order, type Shipment, shipmentId } from './model.ts';
import { currentPhase, latestEvents } from './shipment-rules.ts';

/** How orders and shipments look in the table. These functions build items, and order-store.ts writes them. */

export interface StoredItem extends StoredDocument {
  pk: string;
  sk: string;
  version: number;
}

export interface StoredDocument {
  document: Uint8Array;
  /** What the write announced, if that is not in the document: enclosed-events.ts explains it. */
  announced?: Uint8Array;
}

export function orderItem(slug: string, order: Order, version: number, stored = alone(order)) {
  const { uuid, order_placed_at: placedAt, email_id, order_name, address } = order;
  return {
    ...keyOf.order(slug, uuid),
    ...indexKeyOf.orders(slug, placedAt, uuid),
    ...(email_id && indexKeyOf.ordersByEmail(slug, email_id)),
    ...(address?.zip_code && indexKeyOf.ordersByZipCode(slug, address.zip_code)),
    ...(order_name && indexKeyOf.ordersByName(slug, order_name, placedAt, uuid)),
    ...listedDrafts(slug, order),
    version,
    ...stored,
  };
}

/** @returns also the phase that the shipment is counted in, if a remark is its newest event: count-rules.ts says why */
export function shipmentItem(slug: string, shipment: Shipment, version: number, stored = alone(shipment)) {
  const { uuid, order_id, tracking_number, external_shipment_id, created_at, updated_at, events } = shipment;
  return {
    ...keyOf.shipment(slug, order_id, uuid),
    ...indexKeyOf.shipments(slug, created_at, updated_at, uuid),
    ...(external_shipment_id && indexKeyOf.shipmentsByExternalId(slug, external_shipment_id, uuid)),
    ...attentionKeys(slug, shipment),
    ...(tracking_number !== null && { tracking_number }),
    ...(latestEvents(events).length > 1 && { counted_phase: currentPhase(shipment) }),
    version,
    ...stored,
  };
}

/** @param number one of its `referenceNumbers`; the index holds the one that it was given @param place of the order in the parcel */
export function trackingItem(slug: string, number: string, shipment: Shipment, place = 0) {
  const { order_id, uuid, tracking_number } = shipment;
  return {
    ...keyOf.tracking(slug, number, place),
    ...(number === tracking_number && indexKeyOf.trackingNumbers(number, slug)),
    slug,
    order_id,
    shipment_id: uuid,
  };
}

/** Carriers go on to report a parcel for a while after it was deleted. */
const goneTtlSeconds = secondsOfDays(90);

export function goneTrackingItem(slug: string, number: string, now: string) {
  return {
    ...keyOf.goneTracking(slug, number),
    ...indexKeyOf.goneTrackingNumbers(number, slug),
    expires_at: Math.floor(Date.parse(now) / 1000) + goneTtlSeconds,
  };
}

const alone = (document: Order | Shipment): StoredDocument => ({ document: pack(document) });

export const toOrder = (item: StoredItem, budget?: ReadBudget) => unpack<Order>(item.document, budget);
export const toShipment = (item: StoredItem, budget?: ReadBudget) => unpack<Shipment>(item.document, budget);

/**
 * A document is stored compressed. So it can contain any JSON, costs less capacity, and has one limit that is checked
 * here, so an item never exceeds DynamoDB's 400 KB.
 */
export function pack(document: unknown): Buffer {
  const text = JSON.stringify(document);
  const packed = text.length > orderLimits.textBytes ? undefined : packText(text);
  if (!packed || packed.length > orderLimits.storedBytes) {
    throw new ServiceError('payload_too_large', {
      message: 'The order or one of its shipments is too large to store. Send less data.',
    });
  }
  return packed;
}

/** Of the shipments in an item. The draft lines of an order have the version 0: they do not change until they become shipments. */
export const shipmentVersion = ({ sk, version }: StoredItem): number => (sk.startsWith(shipmentPrefix) ? version : 0);

/** The first line. Only some documents of orders and shipments have more, which enclosed-events.ts explains. */
export function unpack<T>(packed: Uint8Array, budget?: ReadBudget): T {
  const text = unpackText(packed);
  const end = text.indexOf('\n');
  const length = end === -1 ? text.length : end;
  budget?.addText(length);
  return JSON.parse(text.toString('utf8', 0, length));
}

/** The attributes of an order's item that put its drafts into the lists of shipments, at the place of the newest draft. */
export interface ListedDrafts {
  activity_sk: string;
  drafts: string;
}

/**
 * The drafts are a short text, because an item costs by the kilobyte: their slots, with the time of creation only where it
 * is not that of the sort key.
 */
export function listedDrafts(slug: string, { uuid, drafts }: Order): ListedDrafts | undefined {
  const newest = drafts.at(-1);
  if (!newest) return undefined;
  const groups = [...Map.groupBy(drafts, ({ created_at }) => created_at)].map(([time, those]) => {
    const slots = those.map(({ slot }) => slot).join(',');
    return time === newest.created_at ? slots : `${slots}@${time}`;
  });
  return {
    ...indexKeyOf.drafts(slug, newest.created_at, shipmentId(uuid, newest.slot)),
    drafts: groups.join(' '),
  };
}

/** The drafts that an item of the table, or its entry in the index, lists. */
export function draftsIn({ activity_sk, drafts }: Partial<ListedDrafts>): Draft[] {
  if (activity_sk === undefined || drafts === undefined) return [];
  return drafts.split(' ').flatMap((group) => {
    const [slots, created_at = timeIn(activity_sk)] = group.split('@') as [string, string?];
    return slots.split(',').map((slot) => ({ slot: Number(slot), created_at }));
  });
}

/** Counts what one request reads of orders, and ends the request when it is too much. */
export interface ReadBudget {
  addShipments: (count: number) => void;
  addText: (bytes: number) => void;
}

/** @param message of the error when it is spent */
export function readBudget(message = usualMessage): ReadBudget {
  const counterUpTo = (limit: number) => {
    let sum = 0;
    return (count: number) => {
      sum += count;
      if (sum > limit) throw new ServiceError('payload_too_large', { message });
    };
  };
  return { addShipments: counterUpTo(searchLimits.shipments), addText: counterUpTo(searchLimits.textBytes) };
}

const usualMessage = 'The orders of this page are too large for one response. Use a smaller per_page.';
