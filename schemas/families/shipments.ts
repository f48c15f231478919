import Type, { type Static } from 'typebox';
import { directions } from '../catalogues/shipment-events.ts';
import { CarrierReference, Identifier, orderIdTypes, ShipmentRecord } from '../shapes/order-shapes.ts';
import { Choice, DateTime, Nothing, Nullable, paging, Shape, Text } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

export const shipmentSorts = ['updated_at', '-updated_at', 'created_at', '-created_at'] as const;

const ShipmentFilters = Type.Object({
  ...paging,
  tracking_number: Type.Optional(Text(255)),
  updated_from: Type.Optional(DateTime({ description: '30 days ago, if absent; at most 90 days ago.' })),
  updated_to: Type.Optional(DateTime()),
  created_from: Type.Optional(DateTime()),
  created_to: Type.Optional(DateTime()),
  sort: Choice(shipmentSorts, { default: '-updated_at' }),
  include_drafts: Type.Boolean({ default: true }),
});

const count = Type.Integer({ minimum: 0 });

const ShipmentPage = Shape('ShipmentPage', {
  shipments: Type.Array(ShipmentRecord),
  pagination: Shape('Pagination', {
    page: count,
    per_page: count,
    total: count,
    total_pages: count,
    has_next: Type.Boolean(),
    has_previous: Type.Boolean(),
  }),
});

const ShipmentCreate = Shape('ShipmentCreate', {
  order_id: Identifier(),
  order_id_type: Choice(orderIdTypes),
  tracking_number: Type.Optional(Nullable(Identifier({ description: 'Absent: a draft.' }))),
  carrier_reference: Type.Optional(Nullable(CarrierReference({ description: 'Absent: found from the number.' }))),
  direction: Choice(directions, { default: 'customer_merchant' }),
  external_shipment_id: Type.Optional(Nullable(Identifier())),
  products: Type.Optional(
    Nullable(
      Type.Array(
        Shape('ShipmentProduct', {
          product_id: Type.Optional(Nullable(Text(255))),
          variant_id: Type.Optional(Nullable(Text(255))),
          quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
        }),
        { maxItems: 1000 },
      ),
    ),
  ),
});

const Detection = Shape('CarrierDetection', {
  carrier_reference: Nullable(Type.String()),
  candidates: Type.Array(
    Shape('CarrierCandidate', {
      carrier_reference: Type.String(),
      name: Type.String(),
      checksum: Choice(['valid', 'invalid', 'none']),
      reasons: Type.Array(Type.String()),
    }),
  ),
});

export const shipments = declare({
  searchShipments: {
    method: 'GET',
    path: `${shopPath}/shipments`,
    role: 'viewer',
    summary: 'Search shipments',
    query: ShipmentFilters,
    response: ShipmentPage,
    errors: ['payload_too_large'],
  },
  createShipment: {
    method: 'POST',
    path: `${shopPath}/shipments`,
    role: 'editor',
    summary: 'Create a shipment for an order',
    description: 'Without a tracking number it is a draft. A fulfilled one is submitted for tracking.',
    body: ShipmentCreate,
    response: ShipmentRecord,
    errors: ['order_not_found', 'shipment_exists', 'carrier_reference_invalid', 'payload_too_large'],
  },
  deleteShipment: {
    method: 'DELETE',
    path: `${shopPath}/orders/{order_id}/shipments/{shipment_id}`,
    role: 'editor',
    summary: 'Delete a shipment',
    description: '`order_id` is the uuid, the order number or the external id; `shipment_id` is the tracking number.',
    params: Type.Object({ order_id: Identifier(), shipment_id: Identifier() }),
    response: Nothing,
    errors: ['order_not_found', 'shipment_not_found'],
  },
  detectCarrier: {
    method: 'GET',
    path: `${shopPath}/carrier-detection`,
    role: 'viewer',
    summary: 'Explain which carrier a tracking number is taken for',
    description: 'Candidates in their rank, with the check digit that held and the other reasons.',
    query: Type.Object({
      tracking_number: Identifier(),
      tracking_company: Type.Optional(Text(255)),
      country_code: Type.Optional(Text(10)),
    }),
    response: Detection,
  },
});

export type ShipmentFilters = Static<typeof ShipmentFilters>;
export type ShipmentCreate = Static<typeof ShipmentCreate>;
