import type { OrderBook } from '#shared/orders/model.ts';
import { toOrderResponse } from '#shared/orders/presentation.ts';
import type { ShopItem } from '#shared/shop-item.ts';
import { customerName } from './customer-name.ts';

export type PayloadShop = Pick<ShopItem, 'slug' | 'uuid' | 'language'>;

/** The order around an event, as the API shows it in the language of the shop. */
export function contextOf(book: OrderBook, shop: PayloadShop) {
  const order = toOrderResponse(book, { shop, language: shop.language ?? 'en' });
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
    claims: [],
  };
}
