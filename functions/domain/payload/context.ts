import { type Claim, isDeleted } from '#domain/claims/model.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import type { OrderBook } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { toOrderResponse, type Viewer } from '#domain/orders/presentation.ts';
import { customerName } from './customer-name.ts';

/** The order around an event, as the API shows it; images of its claims are named by URLs that do not expire. */
export function contextOf(book: OrderBook, viewer: Viewer, claims: readonly Claim[]) {
  const order = toOrderResponse(book, viewer);
  const { external_customer_id, email_id, address } = book.order;
  return {
    order: { ...order, order_status_url: order.order_status_url ?? null },
    customer: {
      external_id: external_customer_id ?? null,
      email: email_id ?? null,
      ...customerName(address?.name),
      full_name: address?.name ?? null,
      phone: address?.phone ?? null,
    },
    shipments: order.trackings,
    claims: claims.filter((claim) => !isDeleted(claim)).map((claim) => shownClaim(claim, book, viewer)),
  };
}

function shownClaim(claim: Claim, book: OrderBook, { shop }: Viewer) {
  const shipment = allShipments(book).find(({ uuid }) => uuid === claim.shipment_id);
  return toClaimResponse(claim, { order: book.order, shipment }, shop);
}
