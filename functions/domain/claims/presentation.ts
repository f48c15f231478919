import type { Order, Shipment, ShopIdentity } from '#domain/orders/model.ts';
import type { Subject } from '#domain/orders/subjects.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import { isPossibleWithoutCarrier } from '#schemas/catalogues/shipment-events.ts';
import type { Claim as ClaimShape } from '#schemas/families/claims.ts';
import type { Claim, OrderFields } from './claim-rules.ts';

/** The stored fields that a response contains. The other fields come from the shop, the order and the shipment. */
const shownFields: FieldNames<
  Exclude<
    keyof ClaimShape,
    OrderFields | 'tracking_number' | 'carrier_reference' | 'message_count' | 'unanswered_since'
  >
> = {
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
    claimed_amount: order ? claimedAmount(claim, order) : null,
    currency: order?.currency ?? null,
    weight_kg: order?.weight === undefined ? null : order.weight / 1000,
    tracking_number: shipment ? shipment.tracking_number : claim.tracking_number,
    carrier_reference: shipment ? shipment.carrier_reference : claim.carrier_reference,
    scan_date: shipment ? scanDate(shipment) : null,
    message_count: claim.message_count ?? 0,
    unanswered_since: claim.unanswered_since ?? null,
  };
}

/** The price of the goods. */
function netInvoiceAmount({ sub_total_price, total_order_price, shipping_price = 0 }: Order): number | null {
  if (sub_total_price !== undefined) return sub_total_price;
  return total_order_price === undefined ? null : inCents(total_order_price - shipping_price);
}

/** The price of what the claim is about. Undefined prices are not guessed. */
export function claimedAmount(
  { selected_items, damaged_product_items }: Pick<Claim, 'selected_items' | 'damaged_product_items'>,
  { products = [] }: Pick<Order, 'products'>,
): number | null {
  const items = [...selected_items, ...damaged_product_items];
  const prices = items.map(({ sku, title, quantity, net_price }) => {
    const product = products.find((one) => (sku ? one.sku === sku : one.title !== undefined && one.title === title));
    const price = net_price ?? product?.price;
    return price === undefined ? undefined : price * (quantity ?? 1);
  });
  if (prices.length === 0 || prices.includes(undefined)) return null;
  return inCents(prices.reduce<number>((sum, price) => sum + price!, 0));
}

/** Floating point cannot store all decimal prices: 49.9 - 4.9 would be 44.99999999999999. */
const inCents = (amount: number) => Math.round(amount * 100) / 100;

/** The time of the first event that only somebody who holds the parcel can report. */
function scanDate({ events }: Shipment): string | null {
  return events.find(({ event_name }) => !isPossibleWithoutCarrier(event_name))?.time ?? null;
}
