import { eventStrings, loadTexts, type Texts } from '#domain/texts/texts.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { isTowardsMerchant, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import type { Event, Order as OrderShape, ShipmentRecord, Tracking } from '#schemas/shapes/order-shapes.ts';
import { arrivalText, predictedArrival, predictedText } from './arrival.ts';
import type { Order, OrderWithShipments, Shipment, ShipmentEvent, ShopIdentity } from './model.ts';
import { allShipments, orderState } from './order-rules.ts';
import { currentEvent, currentFlag, currentPhase } from './shipment-rules.ts';
import { trackingPageUrl } from './tracking-page.ts';

/** Orders and shipments as callers see them. */

/** The shop of the order, and the language and texts of the response. */
export interface Viewer {
  shop: ShopIdentity;
  language: Language;
  texts: Texts;
  /** Begins the links to tracking pages. */
  serviceUrl: string;
  /** Days that are over are not expected any more. */
  now: Date;
}

export async function viewerOf({ shop, language, serviceUrl, now }: Omit<Viewer, 'texts'>): Promise<Viewer> {
  return { shop, language, serviceUrl, now, texts: await loadTexts(language) };
}

/** The stored fields that a response contains. The other fields are computed. */
type Computed =
  | 'state'
  | 'merchant_slug'
  | 'shop_slug'
  | 'tracking_page_url'
  | 'erased_at'
  | 'simulation_id'
  | 'trackings';

const shownFields: FieldNames<Exclude<keyof OrderShape, Computed>> = {
  uuid: true,
  order_number: true,
  external_id: true,
  order_name: true,
  order_placed_at: true,
  order_status_url: true,
  order_analytics: true,
  financial_status: true,
  total_order_price: true,
  shipping_price: true,
  sub_total_price: true,
  discount_price: true,
  currency: true,
  discounts: true,
  products: true,
  weight: true,
  address: true,
  email_id: true,
  external_customer_id: true,
  segments: true,
  user_agent: true,
  preferred_delivery_date: true,
  expected_number_of_shipments: true,
};

export function toOrderResponse(fullOrder: OrderWithShipments, viewer: Viewer): OrderShape {
  return {
    ...pick(fullOrder.order, shownFields),
    state: orderState(fullOrder),
    merchant_slug: viewer.shop.slug,
    shop_slug: viewer.shop.slug,
    tracking_page_url: pageUrlOf(fullOrder.order, viewer),
    erased_at: fullOrder.order.erased_at ?? null,
    simulation_id: fullOrder.order.simulation_id ?? null,
    trackings: allShipments(fullOrder).map((shipment) => toTracking(shipment, fullOrder.order, viewer)),
  };
}

const pageUrlOf = ({ page_token, erased_at }: Order, { serviceUrl }: Viewer) =>
  page_token === undefined || erased_at !== undefined ? null : trackingPageUrl(serviceUrl, page_token);

/** What is shown as it is stored. */
const fieldsOf = ({ tracking_submission = null }: Shipment) => ({ tracking_submission });

export function toTracking(shipment: Shipment, order: Order, viewer: Viewer): Tracking {
  const { shop } = viewer;
  const { uuid, order_id, order_number, tracking_number, carrier_reference, tracking_url, direction } = shipment;
  return {
    uuid,
    id: uuid,
    merchant_id: shop.uuid,
    order_id,
    merchant_slug: shop.slug,
    shop_slug: shop.slug,
    order_number,
    carrier: { tracking_number, carrier_reference, tracking_url },
    direction,
    is_return: isTowardsMerchant(direction),
    flag: currentFlag(shipment),
    phase: currentPhase(shipment),
    events: shipment.events.map((event) => toEvent(event, shipment, viewer)),
    estimated_arrival: toEstimate(shipment, viewer),
    pickup: shipment.pickup,
    products: shipment.products ?? order.products ?? [],
    ...fieldsOf(shipment),
    updated_at: shipment.updated_at,
  };
}

export function toShipmentRecord(shipment: Shipment, order: Order, viewer: Viewer): ShipmentRecord {
  const { uuid, order_id, external_shipment_id, tracking_number, carrier_reference, tracking_url } = shipment;
  return {
    uuid,
    order_id,
    external_shipment_id,
    tracking_number,
    carrier_reference,
    tracking_url,
    phase: currentPhase(shipment),
    flag: currentFlag(shipment),
    current_event_key: currentEvent(shipment.events).event_name,
    zip_code: order.address?.zip_code ?? null,
    email_id: order.email_id ?? null,
    created_at: shipment.created_at,
    updated_at: shipment.updated_at,
    ...fieldsOf(shipment),
    simulation_id: shipment.simulation_id ?? null,
    events: shipment.events.map((event) => toEvent(event, shipment, viewer)),
  };
}

function toEvent(event: ShipmentEvent, { direction }: Shipment, { language, texts }: Viewer): Event {
  return {
    event_key: event.event_name,
    event_name: event.event_name,
    phase: phaseOf(event.event_name, direction),
    time: event.time,
    timezone: event.timezone ?? null,
    language,
    event_strings: eventStrings(texts, event.event_name, direction),
    location: event.location ?? null,
    additional_info: event.additional_info ?? null,
  };
}

type Reader = Pick<Viewer, 'language' | 'texts' | 'now'>;

/** When the parcel is expected: what its carrier says, and otherwise what we say. */
export function toEstimate(shipment: Shipment, { language, texts, now }: Reader): Tracking['estimated_arrival'] {
  const ours = predictedArrival(shipment, now);
  if (ours) {
    const { from, to } = ours;
    return { from, to, time_prediction: predictedText(ours, language, texts), language, source: ownSource };
  }
  if (!shipment.expected_delivery) return null;
  const { start = null, end = null, source: given = null } = shipment.expected_delivery;
  // Whoever reports writes any text, and only what is ours says so.
  const source = given === ownSource ? null : given;
  return { from: start, to: end, time_prediction: arrivalText(shipment, language, texts), language, source };
}

const ownSource = 'prediction';
