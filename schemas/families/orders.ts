import Type, { type Static } from 'typebox';
import { orderLimits } from '../catalogues/limits.ts';
import {
  Address,
  attributionFields,
  expectedNumberOfShipments,
  Identifier,
  Order,
  OrderInput,
  OrderPlacement,
  orderIdTypes,
  Product,
  Tracking,
  TrackingInput,
} from '../shapes/order-shapes.ts';
import { Choice, DateTime, Link, Nothing, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const identification = {
  id: Identifier(),
  id_type: Choice(orderIdTypes, { default: 'order_number' }),
};

const OrderUpsert = Shape('OrderUpsert', {
  ...identification,
  order: Type.Optional(OrderInput),
  trackings: Type.Array(TrackingInput, { maxItems: orderLimits.trackingsInOneUpsert }),
});

const Attribution = Shape('Attribution', { ...identification, ...attributionFields });

const OrderFilters = Type.Object({
  ...paging,
  email_id: Type.Optional(Text(320)),
  external_id: Type.Optional(Text(255)),
  order_name: Type.Optional(Text(255)),
  order_number: Type.Optional(Text(255)),
  uuid: Type.Optional(Uuid()),
  zip_code: Type.Optional(Text(50)),
  order_placed_from: Type.Optional(DateTime()),
  order_placed_to: Type.Optional(DateTime()),
  shipment_updated_since: Type.Optional(DateTime()),
});

const orderParams = Type.Object({ order_id: Uuid() });

export const orders = declare({
  upsertOrder: {
    method: 'PUT',
    path: `${shopPath}/orders`,
    role: 'editor',
    summary: 'Upsert an order, or fulfil it',
    description:
      'With `order` it creates or updates the order; with `trackings` it fulfils it. A tracking takes the next draft ' +
      'shipment, beyond the drafts it adds one; a tracking number that the shop knows is ignored. Sending the same ' +
      'again changes nothing.',
    body: OrderUpsert,
    response: Nothing,
    errors: ['order_not_found', 'order_exists', 'carrier_reference_invalid', 'payload_too_large'],
  },
  placeOrder: {
    method: 'POST',
    path: `${shopPath}/orders`,
    role: 'editor',
    summary: 'Place an order',
    description: 'An order number that exists is ignored: a retry is safe.',
    body: OrderPlacement,
    response: Nothing,
    errors: ['order_exists'],
  },
  searchOrders: {
    method: 'GET',
    path: `${shopPath}/orders`,
    role: 'viewer',
    summary: 'Search orders',
    description:
      'Newest first, by `order_placed_at`. With `shipment_updated_since` and no e-mail, name or zip code: the oldest ' +
      'change first, so that reading on finds what has changed since. Filters must all match. Pages that one API key ' +
      'reads one after the other neither skip nor repeat an order, also while orders come in.',
    query: OrderFilters,
    response: Type.Array(Order),
    errors: ['payload_too_large'],
  },
  fulfilOrders: {
    method: 'PUT',
    path: `${shopPath}/orders/bulk`,
    role: 'editor',
    summary: 'Fulfil orders in bulk',
    description: 'Each item stands alone: those that cannot be done are listed in one 422, the others are done.',
    body: Type.Array(OrderUpsert, { maxItems: orderLimits.upsertsInOneCall }),
    response: Nothing,
    errors: ['payload_too_large'],
  },
  upsertAttribution: {
    method: 'PUT',
    path: `${shopPath}/orders/analytics`,
    role: 'editor',
    summary: 'Upsert the tracking attribution of an order',
    description: 'Overwrites every attribution field, with null where it is absent; other analytics fields stay.',
    body: Attribution,
    response: Nothing,
    errors: ['order_not_found'],
  },
  updateOrder: {
    method: 'PATCH',
    path: `${shopPath}/orders/{order_id}`,
    role: 'editor',
    summary: 'Update an order',
    description: 'The address is replaced as a whole.',
    params: orderParams,
    body: Shape('OrderUpdate', {
      address: Type.Optional(Address),
      expected_number_of_shipments: Type.Optional(expectedNumberOfShipments()),
    }),
    response: Order,
    errors: ['order_not_found'],
  },
  updateOrderShipment: {
    method: 'PATCH',
    path: `${shopPath}/orders/{order_id}/shipments/{shipment_id}`,
    role: 'editor',
    summary: 'Update a shipment of an order',
    params: Type.Object({ order_id: Uuid(), shipment_id: Uuid() }),
    body: Shape('OrderShipmentUpdate', {
      tracking_url: Type.Optional(Nullable(Link())),
      products: Type.Optional(Nullable(Type.Array(Product, { maxItems: 50 }))),
    }),
    response: Tracking,
    errors: ['order_not_found', 'shipment_not_found', 'payload_too_large'],
  },
});

export type OrderUpsert = Static<typeof OrderUpsert>;
export type OrderFilters = Static<typeof OrderFilters>;
export type Attribution = Static<typeof Attribution>;
