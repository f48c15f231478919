import { type Declared, each, kept, personal } from '#platform/personal-data.ts';
import type { OrderInput, Pickup } from '#schemas/shapes/order-shapes.ts';
import type { Order, Shipment, ShipmentEvent } from './model.ts';
import type {
  ClaimOutboxEvent,
  outboxItem,
  ShipmentOutboxEvent,
  Snapshot,
  StoredEvent,
  WithdrawalOutboxEvent,
} from './outbox.ts';
import type { Report } from './shipment-rules.ts';

/** What of an order is about its customer. */

const givenData = {
  order_name: kept,
  order_number: kept,
  external_id: kept,
  order_placed_at: kept,
  total_order_price: kept,
  shipping_price: kept,
  sub_total_price: kept,
  discount_price: kept,
  products: kept,
  discounts: kept,
  currency: kept,
  weight: kept,
  expected_number_of_shipments: kept,
  financial_status: kept,
  preferred_delivery_date: { start: kept, end: kept, updated_at: kept, source: personal('free_text') },
  email_id: personal('email'),
  segments: personal('segment'),
  external_customer_id: personal('customer_id'),
  order_status_url: personal('link'),
  user_agent: personal('browser'),
  order_analytics: personal(['attribution', 'note'], {}),
  address: personal(['name', 'address', 'phone']),
} satisfies Declared<OrderInput>;

export const orderInputData: Declared<OrderInput> = givenData;

export const orderData: Declared<Order> = {
  ...givenData,
  uuid: kept,
  created_at: kept,
  updated_at: kept,
  drafts: kept,
  shipments: kept,
  next_slot: kept,
  // It opens nothing any more, and what lies under it is found by it until all of it is gone.
  page_token: kept,
  listed_name: personal('name'),
  simulation_id: kept,
  simulation_integrations: kept,
  simulation_emails: kept,
  told_at: kept,
  told_before: kept,
  said_at: kept,
  cancelled_at: kept,
  removed: kept,
  // The names of fields, and nothing that was in them.
  unread: kept,
  enclosed: kept,
  erased_at: kept,
  erased_by: kept,
};

const shipmentEventData: Declared<ShipmentEvent> = {
  event_name: kept,
  time: kept,
  timezone: kept,
  location: personal('place'),
  additional_info: personal(['free_text', 'place']),
  external_id: kept,
  predicted: kept,
};

/** How long a parcel waits stays, and where does not. */
const pickupData: Declared<Pickup> = {
  type: kept,
  name: personal('place'),
  address: personal('place'),
  url: personal('link'),
  opening_hours: personal('place'),
  date_to: kept,
};

/** What a carrier or a merchant reports. */
export const reportData: Declared<Report> = {
  event: shipmentEventData,
  expected_delivery: kept,
  pickup: pickupData,
};

/** What a merchant changes in a shipment. */
export const shipmentUpdateData: Declared<Pick<Shipment, 'tracking_url' | 'products'>> = {
  tracking_url: personal('link', null),
  products: kept,
};

export const shipmentData: Declared<Shipment> = {
  uuid: kept,
  order_id: kept,
  order_number: kept,
  tracking_number: kept,
  carrier_reference: kept,
  tracking_url: personal('link', null),
  direction: kept,
  external_shipment_id: kept,
  products: kept,
  events: each(shipmentEventData),
  expected_delivery: kept,
  pickup: pickupData,
  forecast_by: kept,
  pickup_by: kept,
  country: kept,
  // One letter of a postcode tells nobody.
  area: kept,
  prediction: kept,
  promise: kept,
  simulation_id: kept,
  enclosed: kept,
  tracking_submission: kept,
  created_at: kept,
  updated_at: kept,
};

/** What of an outgoing event is about the customer. */

type Stored<Event> = Event & Pick<StoredEvent, 'shop_slug'>;

const commonOfEvents = {
  id: kept,
  ref: kept,
  event_group: kept,
  event_name: kept,
  triggered_at: kept,
  order_id: kept,
  only_for: kept,
  simulation: kept,
  cause: kept,
  source: kept,
  shop_slug: kept,
} as const;

export const claimOutboxData: Declared<Stored<ClaimOutboxEvent>> = {
  ...commonOfEvents,
  claim_id: kept,
  shipment_id: kept,
  version: kept,
  claim: {
    status: kept,
    resolution_preference: kept,
    description: personal('free_text', null),
    updated_at: kept,
  },
  by: kept,
  message_id: kept,
};

const shipmentOutboxData: Declared<Stored<ShipmentOutboxEvent>> = {
  ...commonOfEvents,
  shipments: kept,
  internal_trigger: kept,
};

export const withdrawalOutboxData: Declared<Stored<WithdrawalOutboxEvent>> = {
  ...commonOfEvents,
  withdrawal_id: kept,
  version: kept,
  withdrawal: {
    uuid: kept,
    order_id: kept,
    items: kept,
    declared_at: kept,
    deadline: kept,
    based_on: kept,
    status: kept,
    comment: personal('free_text', null),
  },
  by: kept,
};

const dataOfSources = { shipments: shipmentOutboxData, claims: claimOutboxData, withdrawals: withdrawalOutboxData };

export const outboxDataOf = (event: StoredEvent): Declared<StoredEvent> =>
  dataOfSources[event.source] as Declared<StoredEvent>;

/** What an item of the outbox has beside its event. The copy of the order is erased as the order is. */
export const outboxItemData: Declared<Omit<ReturnType<typeof outboxItem> & Snapshot, keyof StoredEvent | 'snapshot'>> =
  {
    pk: kept,
    sk: kept,
    kind: kept,
    region: kept,
    expires_at: kept,
    snapshot_in: kept,
    submits: kept,
  };
