import type { Claim } from '#domain/claims/claim-rules.ts';
import { customerWords } from '#domain/orders/customer-name.ts';
import type { Order } from '#domain/orders/model.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';

/** How the tracking page of an order looks in the table: one partition, so that one query reads all of it. */

type PageOrder = Pick<Order, 'uuid' | 'order_placed_at' | 'address'>;

/**
 * Which order a page shows. The item also finds the order by its customer's name: the order's own item already uses the
 * index of names, and this one is written with every new order anyway.
 */
export function pageReferenceItem(token: string, slug: string, { uuid, order_placed_at, address }: PageOrder) {
  const name = address?.name === undefined ? undefined : customerWords(address.name);
  return {
    ...keyOf.pageReference(token),
    ...(name && indexKeyOf.ordersByCustomer(slug, name, order_placed_at, uuid)),
    slug,
    order_id: uuid,
  };
}

/** What a customer sees of a claim. */
export type PageClaim = Pick<Claim, 'reason' | 'status' | 'created_at'>;

export const pageClaimItem = (token: string, { uuid, reason, status, created_at }: Claim) => ({
  ...keyOf.pageClaim(token, uuid),
  reason,
  status,
  created_at,
});
