import { pageLink } from '#schemas/catalogues/links.ts';

/** What dialects read of the payload of an event. The payload of the contract has more. */
export interface EventPayload {
  source: string;
  ref: string;
  triggered_at: string;
  event_group: string | null;
  event_data: Record<string, unknown>;
  context: {
    order: Record<string, unknown>;
    customer: { external_id: string | null; email: string | null };
    shipments: { uuid: string; is_return: boolean }[];
  };
}

export type Fact = string | number | string[];
export type Facts = Record<string, Fact>;

/**
 * What vendors get to know about an event: its facts for segments and message templates. Names, addresses and texts of
 * the customer are not among them. The vendor has the profile of the customer, and needs only to find it.
 */
const shownData = [
  'shipment_id',
  'carrier_reference',
  'event_name',
  'phase',
  'tracking_number',
  'order_number',
  'order_name',
  'external_order_id',
  'total_order_value',
  'order_currency',
  'preferred_delivery_date',
  'expected_delivery_date',
  'requested_delivery_date',
  'pick_up_address',
  'pick_up_until',
  'number_of_shipments',
  'other_tracking_numbers',
  // Of claims
  'claim_id',
  'reason',
  'status',
  'resolution_preference',
];

/** A template makes a link of them, so they follow the rules of a page. */
const links = ['tracking_url', 'order_status_url'];

export function factsOf({ ref, event_group, event_data, context }: EventPayload): Facts {
  // The data of a claim does not name its order.
  const data: Record<string, unknown> = { order_number: context.order.order_number, ...event_data };
  const all = {
    ref,
    event_group,
    ...Object.fromEntries(shownData.map((name) => [name, data[name]])),
    ...Object.fromEntries(links.map((name) => [name, pageLink(data[name] as string | null | undefined)])),
    internal_trigger: (event_data.internal_trigger as { name?: string } | undefined)?.name,
    tracking_page_url: context.order.tracking_page_url,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Fact] => isFact(entry[1])));
}

const isFact = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'));

/** The facts as texts, for vendors that take no others. */
export const textsOf = (facts: Facts): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, [value].flat().join(', ')]));

/** How the vendor finds the customer's profile. */
export interface Profile {
  external_id?: string;
  email?: string;
}

export function profileOf({ context: { customer } }: EventPayload): Profile {
  const { external_id, email } = customer;
  return { ...(external_id && { external_id }), ...(email && { email }) };
}

/** The group is the notification, and what merchants build their messages on. An automation may send an event without one. */
export const groupOf = ({ event_group, event_data, ref }: EventPayload): string =>
  event_group ?? String(event_data.event_name ?? ref).toLowerCase();
