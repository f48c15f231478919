import { methods, operations } from 'contract:orders';
import type { orders } from '#schemas/orders.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { searchOrders } from './search-orders.ts';
import { updateOrder, updateOrderShipment, upsertAttribution } from './update-order.ts';
import { fulfilOrders, placeOrder, upsertOrder } from './upsert-order.ts';

export const handler = serve<typeof orders>(
  { operations, methods },
  { upsertOrder, placeOrder, searchOrders, fulfilOrders, upsertAttribution, updateOrder, updateOrderShipment },
  authentication,
);
