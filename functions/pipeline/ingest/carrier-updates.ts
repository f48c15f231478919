import { validate as isHistory } from 'message:carrierHistory';
import { validate as isUpdate } from 'message:carrierUpdate';
import type { SQSRecord } from 'aws-lambda';
import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import type { Report } from '#domain/orders/shipment-rules.ts';
import { type Caused, causeInMessage } from '#platform/correlation.ts';
import { replaceLoneSurrogates } from '#platform/lone-surrogates.ts';
import { utc } from '#platform/time.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { isLink } from '#schemas/catalogues/links.ts';
import type { CarrierEvent, CarrierHistory, CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';

export type Message = Pick<SQSRecord, 'messageId' | 'body' | 'attributes'>;

export interface Update extends Caused {
  messageId: string;
  /** Normalised, so that all updates of a parcel have the same. */
  trackingNumber: string;
  /** When its message was sent, in milliseconds. */
  sentAt: number;
  /** In any order. */
  reports: Report[];
}

/**
 * The update that a message reports; undefined if it is not a valid update. Never throws: an error would fail the rest
 * of the batch.
 */
export function parse(given: Message): Update | undefined {
  try {
    const message: unknown = JSON.parse(given.body, replaceLoneSurrogates);
    // A validator removes the fields that its shape does not have, so only one of the two may see the message.
    if (!hasEvents(message)) return isUpdate(message) ? updateOf(given, message, [message]) : undefined;
    return isHistory(message) ? updateOf(given, message, message.events) : undefined;
  } catch {
    return undefined;
  }
}

const hasEvents = (message: unknown): boolean => Object.hasOwn(message as object, 'events');

type ParcelFields = Pick<CarrierHistory, 'tracking_number' | 'carrier_reference'>;

function updateOf(message: Message, parcel: ParcelFields, events: readonly CarrierEvent[]): Update | undefined {
  if (!isCarrierKnown(parcel)) return undefined;
  const trackingNumber = comparableTrackingNumber(parcel.tracking_number);
  return {
    messageId: message.messageId,
    trackingNumber,
    sentAt: Number(message.attributes.SentTimestamp),
    reports: events.map(reportOf),
    ...causeInMessage(message),
  };
}

function reportOf(update: CarrierEvent & Partial<CarrierUpdate>): Report {
  const {
    tracking_number: _number,
    carrier_reference: _carrier,
    event_time,
    expected_delivery,
    pickup,
    additional_info: info,
    ...eventFields
  } = update;
  const additional_info = info && withoutBadLinks(info, 'pickup_point_url', 'tracking_link');
  const event = { ...eventFields, ...(additional_info && { additional_info }), time: utc(event_time) };
  return { event, expected_delivery, pickup: pickup && withoutBadLinks(pickup, 'url') };
}

/** A link that nobody should open must not cost the update. */
function withoutBadLinks<T extends object>(holder: T, ...names: (keyof T)[]): T {
  const isBad = (name: string) => names.includes(name as keyof T) && !isLink(String(holder[name as keyof T] ?? ''));
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !isBad(name))) as T;
}

const isCarrierKnown = ({ carrier_reference: carrier }: ParcelFields) => carrier == null || isCarrierReference(carrier);

/** A shipment with a tracking number, and the shop and order that it belongs to. */
export interface Parcel {
  slug: string;
  order_id: string;
  shipment_id: string;
}

/** The updates of a batch for one parcel. One write records all of them, if they are not too many. */
export interface Group {
  parcel: Parcel;
  updates: Update[];
}

/**
 * The parcels of each tracking number: one for each order that has it, in all shops. A number whose parcels were all
 * deleted has none, and one that no shop ever had is left out.
 */
export type Parcels = ReadonlyMap<string, readonly Parcel[]>;

export function groupByParcel(updates: readonly Update[], parcels: Parcels): Group[] {
  const byNumber = Map.groupBy(updates, ({ trackingNumber }) => trackingNumber);
  return [...byNumber].flatMap(([number, group]) =>
    (parcels.get(number) ?? []).map((parcel) => ({ parcel, updates: group })),
  );
}

/**
 * The groups of each order. They are recorded one after the other: of two parcels from one van, the second event then
 * carries the delivery of the first.
 */
export const byOrder = (groups: readonly Group[]): Group[][] => [
  ...Map.groupBy(groups, ({ parcel: { slug, order_id } }) => `${slug}#${order_id}`).values(),
];

/** For so long the number of an update may still become that of an order. */
const waitsForOrderMs = 15 * 60_000;

/** Whether an update of which no order has the number may still find one. */
export const mayFindOrder = ({ sentAt }: Update, now: Date): boolean => now.getTime() - sentAt < waitsForOrderMs;
