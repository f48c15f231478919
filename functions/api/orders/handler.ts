import * as contract from 'contract:orders';
import { authentication } from '#platform/http/authentication.ts';
import type { Implementation } from '#platform/http/request.ts';
import { serve } from '#platform/http/serve.ts';
import type { orders } from '#schemas/families/orders.ts';
import { searchOrders } from './search-orders.ts';
import { updateOrder, updateOrderShipment, upsertAttribution } from './update-order.ts';
import { fulfilOrders, placeOrder, upsertOrder } from './upsert-order.ts';

/** Support asks for these. Nobody else waits for their code. */
const getOrderTimeline: Implementation<typeof orders.getOrderTimeline> = async (request) =>
  (await import('./timeline.ts')).getOrderTimeline(request);
const search: Implementation<typeof orders.search> = async (request) =>
  (await import('./quick-search.ts')).search(request);

export const handler = serve<typeof orders>(
  contract,
  {
    upsertOrder,
    placeOrder,
    searchOrders,
    fulfilOrders,
    upsertAttribution,
    updateOrder,
    getOrderTimeline,
    search,
    updateOrderShipment,
  },
  authentication,
);
