import { phaseOf } from '#domain/orders/event-rules.ts';
import type { Order, Shipment } from '#domain/orders/model.ts';
import type { Claim as ClaimShape } from '#schemas/families/claims.ts';
import type { Subject } from './claim-subject.ts';
import type { ShopIdentity } from './claim-writes.ts';
import type { Claim } from './model.ts';

/**
 * How a claim looks to callers. What it shows of its order and shipment is read, not copied: an address that is put
 * right, a number that a draft gets and the first scan then show up, and personal data stand in one place only.
 */
export function toClaimResponse(claim: Claim, { order, shipment }: Subject, shop: ShopIdentity): ClaimShape {
  return {
    ...claim,
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

/** What the goods cost. */
function netInvoiceAmount({ sub_total_price, total_order_price, shipping_price = 0 }: Order): number | null {
  if (sub_total_price !== undefined) return sub_total_price;
  return total_order_price === undefined ? null : inCents(total_order_price - shipping_price);
}

/** Prices are decimal, their difference is not: 49.9 - 4.9 would be 44.99999999999999. */
const inCents = (amount: number) => Math.round(amount * 100) / 100;

/** The first event that only somebody with the parcel in hand can report. */
function scanDate({ events }: Shipment): string | null {
  return events.find((event) => !beforeTheCarrier.has(phaseOf(event)))?.time ?? null;
}

const beforeTheCarrier: ReadonlySet<string> = new Set(['order_created', 'order_processed', 'order_cancelled']);
