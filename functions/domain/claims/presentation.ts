import { type Order, type Shipment, type ShopIdentity, shipmentId } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { draftShipment, phaseOf } from '#domain/orders/shipment-rules.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { Claim as ClaimShape } from '#schemas/families/claims.ts';
import type { Claim, ClaimPlace, OrderFields } from './claim-rules.ts';

/** The stored fields that a response contains. The other fields come from the shop, the order and the shipment. */
const shownFields: FieldNames<Exclude<keyof ClaimShape, OrderFields | 'tracking_number' | 'carrier_reference'>> = {
  uuid: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
  order_id: true,
  shipment_id: true,
  order_number: true,
  reason: true,
  resolution_preference: true,
  status: true,
  description: true,
  customer_signature_image_url: true,
  selected_items: true,
  damaged_product_items: true,
  image_urls: true,
  optional_image_urls: true,
  dropoff_permission: true,
  step_user_input: true,
};

/**
 * A claim as callers see it. Fields of its order and shipment are read, not copied, so a corrected address, a new
 * tracking number or the first scan is visible at once, and personal data are stored in one place only.
 */
export function toClaimResponse(claim: Claim, { order, shipment }: Subject, shop: ShopIdentity): ClaimShape {
  return {
    ...pick(claim, shownFields),
    shop_id: shop.uuid,
    shop_slug: shop.slug,
    address: order?.address ?? null,
    net_invoice_amount: order ? netInvoiceAmount(order) : null,
    weight_kg: order?.weight === undefined ? null : order.weight / 1000,
    tracking_number: shipment ? shipment.tracking_number : claim.tracking_number,
    carrier_reference: shipment ? shipment.carrier_reference : claim.carrier_reference,
    scan_date: shipment ? scanDate(shipment) : null,
  };
}

/** The price of the goods. */
function netInvoiceAmount({ sub_total_price, total_order_price, shipping_price = 0 }: Order): number | null {
  if (sub_total_price !== undefined) return sub_total_price;
  return total_order_price === undefined ? null : inCents(total_order_price - shipping_price);
}

/** Floating point cannot store all decimal prices: 49.9 - 4.9 would be 44.99999999999999. */
const inCents = (amount: number) => Math.round(amount * 100) / 100;

/** The time of the first event that only somebody who holds the parcel can report. */
function scanDate({ events }: Shipment): string | null {
  return events.find((event) => !phasesBeforeScan.has(phaseOf(event)))?.time ?? null;
}

const phasesBeforeScan: ReadonlySet<string> = new Set(['order_created', 'order_processed', 'order_cancelled']);

/** The order and shipment of a claim. The shipment may be deleted. */
export interface Subject {
  order: Order | undefined;
  shipment: Shipment | undefined;
}

type SubjectPlace = Pick<ClaimPlace, 'order_id' | 'shipment_id'>;
export type SubjectOf = (place: SubjectPlace) => Subject;

/** Reads each order and shipment once, even if several places name it. */
export async function readSubjects(slug: string, places: readonly SubjectPlace[]): Promise<SubjectOf> {
  const orderIds = [...new Set(places.map(({ order_id }) => order_id))];
  const shipments = [...new Map(places.map((place) => [place.shipment_id, place])).values()];
  const keys = [
    ...orderIds.map((id) => keyOf.order(slug, id)),
    ...shipments.map(({ order_id, shipment_id }) => keyOf.shipment(slug, order_id, shipment_id)),
  ];
  const items = await batchGet(keys);
  const found = new Map(
    items.flatMap((item) => (item ? [[`${item.pk}|${item.sk}`, item as unknown as StoredItem] as const] : [])),
  );
  const at = ({ pk, sk }: { pk: string; sk: string }) => found.get(`${pk}|${sk}`);
  return ({ order_id, shipment_id }) => {
    const [head, parcel] = [at(keyOf.order(slug, order_id)), at(keyOf.shipment(slug, order_id, shipment_id))];
    const order = head && toOrder(head);
    return { order, shipment: parcel ? toShipment(parcel) : order && draftOf(order, shipment_id) };
  };
}

/** A draft without events is stored as a line of its order, not as a shipment. */
function draftOf(order: Order, id: string): Shipment | undefined {
  const draft = order.drafts.find(({ slot }) => shipmentId(order.uuid, slot) === id);
  return draft && draftShipment(order, draft);
}
