import { v7 as uuidv7 } from 'uuid';
import { newClaim } from '#domain/claims/claim-rules.ts';
import { newOrderId, type OrderWithShipments } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { claimEvent, type OutboxEvent, outboxEvent, withdrawalEvent } from '#domain/orders/outbox.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { fulfilled, newShipment, type Report, reported } from '#domain/orders/shipment-rules.ts';
import {
  type Phase,
  phaseOfRef,
  type ShipmentEventName,
  type ShipmentRef,
} from '#schemas/catalogues/shipment-events.ts';
import type { DeliverySource } from './delivery-items.ts';
import { type OrderContext, payloadOf, subjectsOf } from './event-payload.ts';

/**
 * An event of an invented order, in the shape of a real one. Its data contain `test: true`.
 * @param ref of the catalogue
 */
export function testEvent(viewer: Viewer, now: Date, ref: string = usualRef): { source: DeliverySource; body: string } {
  const { event, context } = happeningOf(ref, now);
  const [subject] = subjectsOf(event);
  const payload = payloadOf(event, subject!, context, viewer);
  const { event_group, triggered_at } = event;
  return {
    // Every test is a separate delivery, even two in one millisecond.
    source: {
      event_id: uuidv7({ msecs: now.getTime() }),
      subject_id: subject!.id,
      ref,
      event_group,
      triggered_at,
      shop_slug: viewer.shop.slug,
      // Its subject is made up, and has no history.
      subject_version: 1,
    },
    body: JSON.stringify({ ...payload, event_data: { ...payload.event_data, test: true } }),
  };
}

const usualRef: ShipmentRef = 'shipments/in_transit/SHIPMENT_EN_ROUTE';

interface Happening {
  event: OutboxEvent;
  context: OrderContext;
}

function happeningOf(ref: string, now: Date): Happening {
  if (ref.startsWith('claims/')) return claimHappening(ref, now);
  return ref.startsWith('withdrawals/') ? withdrawalHappening(ref, now) : parcelHappening(ref, now);
}

function parcelHappening(ref: string, now: Date): Happening {
  const at = now.toISOString();
  const fullOrder = exampleOrder(ref, now);
  const [shipment] = fullOrder.shipments;
  const event = outboxEvent(shipment!, { event_name: eventNameIn(ref), time: at }, at);
  return { event, context: { fullOrder, claims: [] } };
}

function claimHappening(ref: string, now: Date): Happening {
  const at = now.toISOString();
  const isNew = ref === 'claims/created';
  const fullOrder = exampleOrder('shipments/delivered/SUCCESSFULLY_DELIVERED', now);
  const created = newClaim(uuidv7({ msecs: now.getTime() }), exampleClaim, fullOrder.shipments[0]!, at);
  const claim = { ...created, ...(!isNew && { status: 'accepted' as const }) };
  const event = claimEvent(isNew ? 'created' : 'updated', claim, isNew ? 1 : 2, 'test');
  return { event, context: { fullOrder, claims: [claim] } };
}

function withdrawalHappening(ref: string, now: Date): Happening {
  const at = now.toISOString();
  const isNew = ref === 'withdrawals/declared';
  const fullOrder = exampleOrder(usualRef, now);
  const withdrawal = {
    uuid: uuidv7({ msecs: now.getTime() }),
    order_id: fullOrder.order.uuid,
    items: exampleInput.products.map(({ title, quantity }) => ({ sku: null, title, quantity })),
    declared_at: at,
    deadline: null,
    based_on: {
      state: 'under_way' as const,
      shipment_id: null,
      event_name: null,
      handed_over_at: null,
      days: 14,
      country_code: exampleInput.address.country_code,
      time_zone: 'Europe/Berlin',
    },
    status: isNew ? ('declared' as const) : ('accepted' as const),
    comment: null,
  };
  const settled = { version: isNew ? 1 : 2, at, by: 'test' };
  return {
    event: withdrawalEvent(isNew ? 'declared' : 'settled', withdrawal, settled),
    context: { fullOrder, claims: [] },
  };
}

const eventNameIn = (ref: string) => ref.split('/')[2] as ShipmentEventName;

/** An order whose parcel has just had the event. */
function exampleOrder(ref: string, now: Date): OrderWithShipments {
  const at = now.toISOString();
  const placed = newOrder(newOrderId(now), exampleInput, now);
  const order = { ...placed, drafts: [], shipments: [1] };
  const phase = phaseOfRef(ref);
  const direction = phase === 'return_created' ? 'customer_merchant' : 'merchant_customer';
  const announced = newShipment(order, 1, direction, at);
  const parcel = phase === 'order_created' ? announced : fulfilled(announced, { ...carrier, placed_at: at }, at);
  const report = { event: { event_name: eventNameIn(ref), time: at }, ...moreOf(phase, now) };
  return { order, shipments: [reported(parcel, report, at).shipment] };
}

const carrier = { tracking_number: 'TEST0000000001', carrier_reference: null, tracking_url: null };

const day = 24 * 3600 * 1000;

/** What a carrier says besides, where it usually does. */
function moreOf(phase: Phase, now: Date): Omit<Report, 'event'> {
  const on = (days: number) => new Date(now.getTime() + days * day).toISOString();
  if (phase === 'collect') return { pickup: { ...examplePickup, date_to: on(7) } };
  if (phase === 'in_transit' || phase === 'in_delivery') return { expected_delivery: { end: on(1) } };
  return {};
}

const exampleInput = {
  order_number: 'TEST-1001',
  order_name: '#TEST-1001',
  total_order_price: 49.9,
  email_id: 'customer@example.com',
  address: {
    name: 'Alex Example',
    address_line_1: 'Example Street 1',
    zip_code: '10115',
    city: 'Berlin',
    country: 'Germany',
    country_code: 'DE',
  },
  products: [{ title: 'Example product', quantity: 1, price: 49.9 }],
};

const examplePickup = {
  type: 'parcel_shop',
  name: 'Example shop',
  address: { address_line_1: 'Example Street 2', zip_code: '10115', city: 'Berlin', country: 'Germany' },
};

const exampleClaim = {
  reason: 'damage' as const,
  description: 'The box arrived with a dent.',
  selected_items: [],
  damaged_product_items: [],
  image_urls: [],
  optional_image_urls: [],
};
