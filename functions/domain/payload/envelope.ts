import { type Claim, isDeleted } from '#domain/claims/claim-rules.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { toOrderResponse, type Viewer } from '#domain/orders/presentation.ts';
import type { OutboxFields } from '#domain/outbox/outbox.ts';

/** What is posted for an event of any source: to webhook endpoints and to integrations alike. */
export function envelope<D extends object, C extends object, S extends string>(
  { source, ref, triggered_at, event_group }: OutboxFields & { source: S },
  event_data: D,
  context: C,
  shop: ShopIdentity,
) {
  return {
    source,
    ref,
    version: 1 as const,
    triggered_at,
    event_group,
    event_data,
    context,
    shop_slug: shop.slug,
    shop_id: shop.uuid,
  };
}

/** The order around an event, as the API shows it; images of its claims are named by URLs that do not expire. */
export function contextOf(fullOrder: OrderWithShipments, viewer: Viewer, claims: readonly Claim[]) {
  const order = toOrderResponse(fullOrder, viewer);
  const { external_customer_id, email_id, address } = fullOrder.order;
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
    claims: claims.filter((claim) => !isDeleted(claim)).map((claim) => shownClaim(claim, fullOrder, viewer)),
  };
}

function shownClaim(claim: Claim, fullOrder: OrderWithShipments, { shop }: Viewer) {
  const shipment = allShipments(fullOrder).find(({ uuid }) => uuid === claim.shipment_id);
  return toClaimResponse(claim, { order: fullOrder.order, shipment }, shop);
}

/** First and last name out of one text: the last word is the last name, a single word is the first name. */
export function customerName(text: string | undefined) {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const last = words.length > 1 ? words.pop() : undefined;
  return {
    first_name: words.length > 0 ? words.join(' ') : null,
    last_name: last ?? null,
  };
}
