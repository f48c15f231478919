import {
  accepted,
  type Dialect,
  fieldOf,
  listOf,
  refused,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorResult,
} from '#domain/dialects/dialect.ts';
import type { EventPayload } from '#domain/dialects/event-facts.ts';
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

type Step = Generator<ReturnType<typeof shopifyRequest>, VendorResult, VendorAnswer>;

/**
 * The vendor has no key against doubles. An event with the same status and time is ours, from an attempt whose answer
 * was lost.
 */
function* addEvent({ payload }: VendorDelivery, { credential }: VendorAccount, now: Date): Step {
  const found = yield shopifyRequest(credential, lookup, { id: orderIdOf(payload) });
  const fault = shopifyFault(found, now);
  if (fault) return fault;
  const order = fieldOf(fieldOf(found.body, 'data'), 'order');
  if (!order) return refused('order_not_found');
  const fulfillment = listOf(fieldOf(order, 'fulfillments')).find((one) => hasNumber(one, payload));
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

const hasNumber = (fulfillment: unknown, { event_data }: EventPayload): boolean =>
  listOf(fieldOf(fulfillment, 'trackingInfo')).some((info) =>
    isSameTrackingNumber(String(fieldOf(info, 'number')), String(event_data.tracking_number)),
  );

function hasEvent(fulfillment: unknown, payload: EventPayload): boolean {
  const seconds = (time: unknown) => Math.floor(Date.parse(String(time)) / 1000);
  return listOf(fieldOf(fieldOf(fulfillment, 'events'), 'nodes')).some(
    (event) =>
      fieldOf(event, 'status') === statusOf(payload) &&
      seconds(fieldOf(event, 'happenedAt')) === seconds(payload.triggered_at),
  );
}

const eventOf = (fulfillment: unknown, payload: EventPayload) => ({
  fulfillmentId: fieldOf(fulfillment, 'id'),
  status: statusOf(payload),
  happenedAt: payload.triggered_at,
});

function createdResult({ body }: VendorAnswer): VendorResult {
  const result = fieldOf(fieldOf(body, 'data'), 'fulfillmentEventCreate');
  return listOf(fieldOf(result, 'userErrors')).length > 0 ? refused('user_errors') : accepted;
}
