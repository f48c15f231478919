import Type, { type Static } from 'typebox';
import { attentionKinds } from '../catalogues/enumerations.ts';
import { orderLimits, quickSearchLimits, searchLimits, shipmentLimits } from '../catalogues/limits.ts';
import { phases } from '../catalogues/shipment-events.ts';
import {
  Address,
  attributionFields,
  expectedNumberOfShipments,
  Identifier,
  nullInOrder,
  Order,
  OrderInput,
  OrderPlacement,
  orderIdTypes,
  Product,
  Tracking,
  TrackingInput,
} from '../shapes/order-shapes.ts';
import {
  Choice,
  Defaulted,
  Link,
  Nothing,
  Nullable,
  paging,
  Shape,
  shownLinks,
  Text,
  TimeFrom,
  TimeTo,
  Uuid,
} from '../shapes/shapes.ts';
import { SearchResult, TimelineEntry, timelineDescription } from '../shapes/timeline-shapes.ts';
import { declare, shopPath } from './operation.ts';

const identification = {
  id: Identifier({ description: 'Identifies the order.' }),
  id_type: Defaulted(Choice(orderIdTypes, { description: 'Which identifier of the order `id` is.' }), 'order_number'),
};

const OrderUpsert = Shape('OrderUpsert', {
  ...identification,
  order: Type.Optional(OrderInput),
  trackings: Type.Array(TrackingInput, {
    maxItems: orderLimits.trackingsInOneUpsert,
    description: 'The parcels that fulfil the order. Send an empty list for an order without parcels.',
  }),
});

const Attribution = Shape('Attribution', { ...identification, ...attributionFields });

const OrderFilters = Type.Object({
  ...paging,
  email_id: Type.Optional(Text(320, { description: 'The e-mail address of the customer.' })),
  external_id: Type.Optional(Text(255)),
  order_name: Type.Optional(Text(255)),
  order_number: Type.Optional(Text(255)),
  uuid: Type.Optional(Uuid()),
  zip_code: Type.Optional(Text(50, { description: 'The zip code of the delivery address.' })),
  order_placed_from: Type.Optional(TimeFrom('The earliest `order_placed_at`.')),
  order_placed_to: Type.Optional(TimeTo('The latest `order_placed_at`.')),
  shipment_updated_since: Type.Optional(TimeFrom('Only orders with a shipment that changed at this time or later.')),
  phase: Type.Optional(Choice(phases, { description: 'Only orders with a parcel that is in this phase now.' })),
  carrier_reference: Type.Optional(
    Text(255, { description: 'Only orders with a parcel of this carrier. With `phase`: with a parcel that is both.' }),
  ),
  attention: Type.Optional(
    Choice(attentionKinds, {
      description:
        `Only orders that need somebody for this reason, as \`GET ${shopPath}/attention\` without \`idle_days\` says: ` +
        '`no_movement` are those with a parcel that has been silent for longer than is usual for its carrier and country.',
    }),
  ),
});

const orderParams = Type.Object({ order_id: Uuid() });

export const orders = declare({
  upsertOrder: {
    method: 'PUT',
    path: `${shopPath}/orders`,
    role: 'editor',
    summary: 'Create, update or fulfil an order',
    description:
      'Creates or updates the order if you send `order`, and fulfils it with the parcels in `trackings`. Each tracking ' +
      'fills the next draft shipment; when there are no drafts left, it adds a shipment. Tracking numbers that the order ' +
      'already has are ignored, so you can repeat a request safely. Orders that travel in one parcel share its tracking ' +
      `number: each has its own shipment. Up to ${shipmentLimits.ordersInOneParcel} orders can share a parcel.`,
    body: OrderUpsert,
    nullIsAbsent: nullInOrder,
    response: Nothing,
    errors: ['order_not_found', 'order_exists', 'order_erased', 'carrier_reference_invalid', 'payload_too_large'],
  },
  placeOrder: {
    method: 'POST',
    path: `${shopPath}/orders`,
    role: 'editor',
    summary: 'Place an order',
    description:
      'Creates an order with `expected_number_of_shipments` draft shipments. If the order number already exists, the ' +
      'request succeeds and changes nothing, so you can repeat it safely.',
    body: OrderPlacement,
    nullIsAbsent: nullInOrder,
    response: Nothing,
    errors: ['order_exists'],
  },
  searchOrders: {
    method: 'GET',
    path: `${shopPath}/orders`,
    role: 'viewer',
    summary: 'Search orders',
    description:
      'Returns the orders that match all given filters, with their shipments, newest `order_placed_at` first. If you ' +
      'filter by `shipment_updated_since` and not by `email_id`, `order_name` or `zip_code`, the order with the oldest ' +
      'change comes first. If you read the pages one after the other with the same API key, no order is skipped or ' +
      'repeated, even while new orders arrive. To check `shipment_updated_since` together with other filters, one ' +
      `request reads up to ${searchLimits.orders} orders. If none of them matches, the response is 422 and says from ` +
      'which time the search can continue.\n\n' +
      `\`phase\`, \`carrier_reference\` and \`attention\` find orders of the last ${searchLimits.days} days: the first two those that were ` +
      'placed since then, read in the same way, and `attention` those with a parcel whose last event, or a claim that was made, since ' +
      'then. `attention` has the parcel or claim with the newest one first; an order with several claims that wait can be on several pages. ' +
      `How many parcels are in a phase is in \`GET ${shopPath}/statistics\`, how many need somebody in \`GET ${shopPath}/attention\`.`,
    query: OrderFilters,
    response: Type.Array(Order),
    errors: ['payload_too_large'],
  },
  fulfilOrders: {
    method: 'PUT',
    path: `${shopPath}/orders/bulk`,
    role: 'editor',
    summary: 'Fulfil orders in bulk',
    description:
      `Creates, updates or fulfils up to ${orderLimits.upsertsInOneCall} orders. If any item is malformed, the service refuses the whole request. ` +
      'Otherwise it processes each item on its own: one 422 response lists the items that failed, and all other items succeed.',
    body: Type.Array(OrderUpsert, { maxItems: orderLimits.upsertsInOneCall }),
    nullIsAbsent: nullInOrder,
    response: Nothing,
    errors: ['payload_too_large'],
  },
  upsertAttribution: {
    method: 'PUT',
    path: `${shopPath}/orders/analytics`,
    role: 'editor',
    summary: 'Set the tracking attribution of an order',
    description:
      'Overwrites all attribution fields of the order. A field that you leave out becomes null. Other analytics fields do not change.',
    body: Attribution,
    response: Nothing,
    errors: ['order_not_found', 'order_erased'],
  },
  updateOrder: {
    method: 'PATCH',
    path: `${shopPath}/orders/{order_id}`,
    role: 'editor',
    summary: 'Update an order',
    description:
      'Changes the address or the expected number of shipments. A new address replaces the whole old address. Fields that you leave out keep their values.',
    params: orderParams,
    body: Shape('OrderUpdate', {
      address: Type.Optional(Address),
      expected_number_of_shipments: Type.Optional(expectedNumberOfShipments()),
    }),
    // Who sets these to null may want to remove them, which the service cannot do.
    nullIsAbsent: { except: ['address', 'expected_number_of_shipments'] },
    response: Order,
    errors: ['order_not_found', 'order_erased'],
  },
  getOrderTimeline: {
    method: 'GET',
    path: `${shopPath}/orders/{order_id}/timeline`,
    role: 'viewer',
    summary: 'Get the timeline of an order',
    description: timelineDescription,
    params: orderParams,
    response: Type.Array(TimelineEntry),
    errors: ['order_not_found'],
  },
  search: {
    method: 'GET',
    path: `${shopPath}/search`,
    role: 'viewer',
    summary: 'Search orders and claims by anything',
    description:
      'Finds orders by their number or name (with or without `#`), external id or uuid, by a tracking number, by the e-mail ' +
      'address, name or zip code of the customer, and claims by their uuid or by the number that ' +
      'customers are told, such as `4F2A-91BC`. The name of a customer is compared without case, ' +
      'accents, apostrophes and hyphens: give the first or last name or its beginning, of ' +
      `${quickSearchLimits.shortestBeginning} letters or more, and if you like the beginnings of other words: \`rosa\`, \`fisch\`, ` +
      '`rosa f`, `fischer, rosa`. Of many names with the same beginning ' +
      `${quickSearchLimits.beginnings} are read, of many orders with the same name the newest ${quickSearchLimits.namesakes}. ` +
      `Returns up to ${quickSearchLimits.results} results, the newest order first. If there are more, those by name of a customer or ` +
      'by zip code are left out first.',
    query: Type.Object({
      q: Text(quickSearchLimits.textCharacters, { minLength: 1, description: 'What to look for.' }),
    }),
    response: Type.Array(SearchResult),
    errors: ['payload_too_large'],
  },
  updateOrderShipment: {
    method: 'PATCH',
    path: `${shopPath}/orders/{order_id}/shipments/{shipment_id}`,
    role: 'editor',
    summary: 'Update a shipment of an order',
    description:
      'Changes the tracking link or the products of a shipment. Fields that you leave out keep their values.',
    params: Type.Object({ order_id: Uuid(), shipment_id: Uuid() }),
    body: Shape('OrderShipmentUpdate', {
      tracking_url: Type.Optional(
        Nullable(Link({ description: `The link to the carrier's tracking page. ${shownLinks}` })),
      ),
      products: Type.Optional(
        Nullable(
          Type.Array(Product, {
            maxItems: 50,
            description:
              'Replaces the products of the shipment. An empty list removes all products. Null leaves them as they are.',
          }),
        ),
      ),
    }),
    nullIsAbsent: { except: ['tracking_url', ...nullInOrder.except], notWithin: nullInOrder.notWithin },
    response: Tracking,
    errors: ['order_not_found', 'shipment_not_found', 'order_erased', 'payload_too_large'],
  },
});

export type OrderUpsert = Static<typeof OrderUpsert>;
export type OrderFilters = Static<typeof OrderFilters>;
export type Attribution = Static<typeof Attribution>;
