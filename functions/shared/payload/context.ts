import type { OrderBook } from '#shared/orders/model.ts';
import { toOrderResponse, type Viewer } from '#shared/orders/presentation.ts';
import { customerName } from './customer-name.ts';

/** The order around an event, as the API shows it. */
export function contextOf(book: OrderBook, viewer: Viewer) {
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
    claims: [],
  };
}
