import { randomBytes } from 'node:crypto';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { customerWords, listedName } from './customer-name.ts';
import type { Order } from './model.ts';

/** 128 random bits: whoever has the link may see the page, and nobody can guess one. */
const tokenBytes = 16;

const newPageToken = (): string => randomBytes(tokenBytes).toString('base64url');

/**
 * The order with a tracking page, and found by its customer's name. An order that is older than these gets them when its
 * shop changes it.
 */
export function withPage({ listed_name: _, ...order }: Order): Order {
  if (order.erased_at !== undefined) return order;
  const name = listedName(order.address?.name);
  return { ...order, page_token: order.page_token ?? newPageToken(), ...(name !== undefined && { listed_name: name }) };
}

const syntax = /^[\w-]{22}$/;

/** Whether a text can be a token at all. What cannot is not looked up. */
export const isPageToken = (text: string): boolean => syntax.test(text);

export const trackingPageUrl = (serviceUrl: string, token: string): string => `${serviceUrl}/t/${token}`;

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
