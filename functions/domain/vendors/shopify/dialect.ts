import {
  accepted,
  type Dialect,
  type Exchange,
  refused,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorResult,
} from '#domain/vendors/dialect.ts';
import type { EventPayload } from '#domain/vendors/event-facts.ts';
import { type Fields, fieldsOf, listOf } from '#platform/foreign-json.ts';
import { isSameTrackingNumber } from '#platform/tracking-number.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { fulfillmentStatusOf } from './fulfillment-status.ts';
import { shopifyFault, shopifyRequest } from './shopify-api.ts';

/**
 * Shopify's fulfilment events, so that the merchant's shop shows where a parcel is. Source:
 * shopify.dev/docs/api/admin-graphql/latest/mutations/fulfillmentEventCreate.
 */
export const dialect: Dialect = {
  maxBatch: 1,
  // The smallest plan has 100 points a second. A lookup and an event cost about 30.
  rate: { perMinute: 180, burst: 20 },
  skipReason({ payload }) {
    if (statusOf(payload) === undefined) return 'no_fulfilment_status';
    if (isReturn(payload)) return 'return_shipment';
    if (orderIdOf(payload) === undefined) return 'no_order_of_the_shop_system';
    return payload.event_data.tracking_number ? undefined : 'no_tracking_number';
  },
  *exchange([delivery], account, now) {
    return [yield* addEvent(delivery!, account, now)];
  },
};

/**
 * The vendor has no key against doubles. An event with the same status and time is ours, from an attempt whose answer
 * was lost.
 */
function* addEvent({ payload }: VendorDelivery, { credential }: VendorAccount, now: Date): Exchange<VendorResult> {
  const found = yield shopifyRequest(credential, lookup, { id: orderIdOf(payload) });
  const fault = shopifyFault(found, now);
  if (fault) return fault;
  const { order } = fieldsOf(fieldsOf(found.body).data);
  if (!order) return refused('order_not_found');
  const fulfillment = listOf(fieldsOf(order).fulfillments).find((one) => hasNumber(one, payload));
  // The shop may tell its own system about the parcel a little later than us.
  if (!fulfillment) return { kind: 'again', reason: 'fulfillment_not_found', isVendorUp: true };
  if (hasEvent(fulfillment, payload)) return accepted;
  const created = yield shopifyRequest(credential, create, { event: eventOf(fulfillment, payload) });
  return shopifyFault(created, now) ?? createdResult(created);
}

const lookup = `query FulfillmentsOfOrder($id: ID!) {
  order(id: $id) {
    fulfillments(first: 20) {
      id
      trackingInfo(first: 5) { number }
      events(first: 10, sortKey: HAPPENED_AT, reverse: true) { nodes { status happenedAt } }
    }
  }
}`;

const create = `mutation AddEvent($event: FulfillmentEventInput!) {
  fulfillmentEventCreate(fulfillmentEvent: $event) {
    fulfillmentEvent { id }
    userErrors { field message }
  }
}`;

/** The shop's own system gives an order its id as a number, other callers may give it in the form of GraphQL. */
function orderIdOf({ event_data }: EventPayload): string | undefined {
  const [, id] = /^(?:gid:\/\/shopify\/Order\/)?(\d+)$/.exec(String(event_data.external_order_id ?? '')) ?? [];
  return id && `gid://shopify/Order/${id}`;
}

const statusOf = ({ source, ref, event_data }: EventPayload) =>
  source === 'shipments' ? fulfillmentStatusOf(event_data.event_name as ShipmentEventName, ref) : undefined;

/** A return has no fulfilment at the vendor. */
const isReturn = ({ event_data, context }: EventPayload): boolean =>
  context.shipments.some(({ uuid, is_return }) => uuid === event_data.shipment_id && is_return);

const hasNumber = ({ trackingInfo }: Fields, { event_data }: EventPayload): boolean =>
  listOf(trackingInfo).some(({ number }) => isSameTrackingNumber(String(number), String(event_data.tracking_number)));

function hasEvent({ events }: Fields, payload: EventPayload): boolean {
  const seconds = (time: unknown) => Math.floor(Date.parse(String(time)) / 1000);
  return listOf(fieldsOf(events).nodes).some(
    ({ status, happenedAt }) => status === statusOf(payload) && seconds(happenedAt) === seconds(payload.triggered_at),
  );
}

const eventOf = ({ id }: Fields, payload: EventPayload) => ({
  fulfillmentId: id,
  status: statusOf(payload),
  happenedAt: payload.triggered_at,
});

function createdResult({ body }: VendorAnswer): VendorResult {
  const { fulfillmentEventCreate: result } = fieldsOf(fieldsOf(body).data);
  return listOf(fieldsOf(result).userErrors).length > 0 ? refused('user_errors') : accepted;
}
