import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { type Claim, isDeleted } from '#domain/claims/model.ts';
import { orderIdOf } from '#domain/orders/order-ids.ts';
import type { Implementation } from '#platform/http/request.ts';
import { pageOf } from '#platform/table/list-page.ts';
import type { ClaimFilters, claims } from '#schemas/families/claims.ts';
import { inOrderOf, matches } from './claim-filters.ts';
import { claimReader } from './claim-index.ts';
import { showClaims } from './show-claims.ts';

export const searchClaims: Implementation<typeof claims.searchClaims> = async (request) => {
  const { shop, query, now } = request;
  const found =
    query.order_id !== undefined || query.shipment_id !== undefined
      ? await ofOrder(shop.slug, query)
      : await pageOf(request, `claims#${shop.slug}`, claimReader(shop.slug, query));
  return { claims: await showClaims(found, shop, now) };
};

/** A shipment's uuid tells its order, and an order has few claims: all of them are read. */
async function ofOrder(slug: string, filters: ClaimFilters): Promise<Claim[]> {
  const { page, per_page, sort } = filters;
  const shipmentId = filters.shipment_id?.toLowerCase();
  const orderId = filters.order_id?.toLowerCase() ?? orderIdOf(shipmentId!);
  const found = (await claimsOfOrder(slug, orderId))
    .filter((claim) => !isDeleted(claim) && matches(claim, filters))
    .filter(({ shipment_id }) => shipmentId === undefined || shipment_id === shipmentId)
    .sort(inOrderOf(sort));
  return found.slice((page - 1) * per_page, page * per_page);
}
