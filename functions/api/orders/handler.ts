import { methods, operations } from 'contract:orders';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { orders } from '#schemas/families/orders.ts';
import { searchOrders } from './search-orders.ts';
import { updateOrder, updateOrderShipment, upsertAttribution } from './update-order.ts';
import { fulfilOrders, placeOrder, upsertOrder } from './upsert-order.ts';

export const handler = serve<typeof orders>(
  { operations, methods },
  { upsertOrder, placeOrder, searchOrders, fulfilOrders, upsertAttribution, updateOrder, updateOrderShipment },
  authentication,
);
