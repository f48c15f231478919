import Type, { type Static } from 'typebox';
import { searchLimits, shipmentLimits } from '../catalogues/limits.ts';
import { directions } from '../catalogues/shipment-events.ts';
import { CarrierReference, Identifier, orderIdTypes, ShipmentRecord, staleness } from '../shapes/order-shapes.ts';
import {
  Choice,
  DateTime,
  Defaulted,
  Nothing,
  Nullable,
  paging,
  Shape,
  Text,
  TimeFrom,
  TimeTo,
} from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const shipmentSorts = ['updated_at', '-updated_at', 'created_at', '-created_at'] as const;

const ShipmentFilters = Type.Object({
  ...paging,
  tracking_number: Type.Optional(
    Text(255, { description: 'The number of a parcel. If several orders share the parcel, each has a shipment.' }),
  ),
  updated_from: Type.Optional(TimeFrom('The earliest `updated_at`, up to 90 days ago. Default: 30 days ago.')),
  updated_to: Type.Optional(TimeTo('The latest `updated_at`.')),
  created_from: Type.Optional(TimeFrom('The earliest `created_at`.')),
  created_to: Type.Optional(TimeTo('The latest `created_at`.')),
  sort: Defaulted(
    Choice(shipmentSorts, {
      description: 'The field to sort by. A minus sign means newest first.',
    }),
    '-updated_at',
  ),
  include_drafts: Defaulted(
    Type.Boolean({
      description: 'Whether to include drafts, which are shipments without a tracking number.',
    }),
    true,
  ),
});

const count = Type.Integer({ minimum: 0 });

/** An entry of the index has about 220 bytes. */
const shipmentsCounted = `${(searchLimits.reads * 4500).toLocaleString('en')} shipments`;

const ShipmentPage = Shape('ShipmentPage', {
  shipments: Type.Array(ShipmentRecord),
  pagination: Shape('Pagination', {
    page: count,
    per_page: count,
    total: Type.Integer({
      minimum: 0,
      description: 'The number of matching shipments on all pages. See the description of the operation.',
    }),
    total_pages: count,
    has_next: Type.Boolean(),
    has_previous: Type.Boolean(),
  }),
});

const ShipmentCreate = Shape('ShipmentCreate', {
  order_id: Identifier({ description: 'Identifies the order.' }),
  order_id_type: Choice(orderIdTypes, { description: 'Which identifier of the order `order_id` is.' }),
  tracking_number: Type.Optional(
    Nullable(Identifier({ description: "The carrier's number of the parcel. Without it, the shipment is a draft." })),
  ),
  carrier_reference: Type.Optional(
    Nullable(
      CarrierReference({
        description: 'The carrier of the parcel. Default: the service detects it from the tracking number.',
      }),
    ),
  ),
  tracking_placed_at: Type.Optional(
    Nullable(
      DateTime({ description: `When the parcel got its tracking number. Default: the current time. ${staleness}` }),
    ),
  ),
  direction: Defaulted(
    Choice(directions, {
      description: 'Who sends the parcel to whom. The default is a return from the customer to the merchant.',
    }),
    'customer_merchant',
  ),
  external_shipment_id: Type.Optional(
    Nullable(Identifier({ description: 'The id of the shipment in your own system.' })),
  ),
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
  carrier_reference: Nullable(Type.String({ description: 'The detected carrier. Null if no carrier matches.' })),
  candidates: Type.Array(
    Shape('CarrierCandidate', {
      carrier_reference: Type.String(),
      name: Type.String({ description: 'The name of the carrier.' }),
      checksum: Choice(['valid', 'invalid', 'none'], {
        description: 'Whether the check digit of the number is correct. `none`: the format has no check digit.',
      }),
      reasons: Type.Array(Type.String(), { description: 'Why the carrier has this rank.' }),
    }),
    { description: 'The possible carriers, best match first.' },
  ),
});

export const shipments = declare({
  searchShipments: {
    method: 'GET',
    path: `${shopPath}/shipments`,
    role: 'viewer',
    summary: 'Search shipments',
    description:
      'Returns the shipments that match all given filters, by default the most recently updated first. The pages have ' +
      `everything that was answered before, and so has \`total\` of up to ${searchLimits.countedShipments.toLocaleString('en')} shipments. Of more, it comes from counters: it can lack what ` +
      'came, and can still have what went, within the last seconds; `has_next` is exact all the same. ' +
      'To follow changes, sort by `updated_at` and move `updated_from` forward instead of `page`: to the last `updated_at` of a ' +
      'full page, and in the next round to two seconds before the last one that you saw. Turn the page only if all of it has ' +
      'one time, as after a bulk upsert. Who reads page after page gets each where the one before it ended, for a quarter of ' +
      'an hour: none is skipped. One that changes comes again at the end by `updated_at`, and at the beginning by `-updated_at`. If you sort by one time and ' +
      'filter by the other, the service looks at all shipments that changed since `updated_from` or `created_from`, whichever ' +
      `is later: one request counts those in up to ${searchLimits.reads} MB of an index, which is about ${shipmentsCounted}. ` +
      'If there are more, the response is 422 and says which range it can count. A range from `created_from` to ' +
      `\`created_to\` with up to ${searchLimits.fewShipments} shipments is always counted.`,
    query: ShipmentFilters,
    response: ShipmentPage,
    errors: ['payload_too_large'],
  },
  createShipment: {
    method: 'POST',
    path: `${shopPath}/shipments`,
    role: 'editor',
    summary: 'Create a shipment for an order',
    description:
      'Adds a shipment to an existing order. Without a tracking number, the shipment is a draft, and the service emits ' +
      '`ORDER_CREATED`. With a tracking number, the service emits `ORDER_PROCESSED`. If `shipment_updates` in ' +
      '`settings/carriers` is on (it is off by default), the service also asks for the updates of the carrier. The ' +
      `order must not have the tracking number yet, but up to ${shipmentLimits.ordersInOneParcel} orders can share a parcel and its number.`,
    body: ShipmentCreate,
    nullIsAbsent: {},
    response: ShipmentRecord,
    errors: ['order_not_found', 'shipment_exists', 'carrier_reference_invalid', 'payload_too_large'],
  },
  deleteShipment: {
    method: 'DELETE',
    path: `${shopPath}/orders/{order_id}/shipments/{shipment_id}`,
    role: 'editor',
    summary: 'Delete a shipment',
    description:
      'Deletes a shipment of an order: a parcel or a draft. If other orders share the parcel, they keep their shipments. The ' +
      'service ignores what the carrier still reports about a deleted shipment. An order keeps at least one shipment towards ' +
      'the customer: if you delete the last one, a new draft with its products and with the events of the order itself, such ' +
      'as `ORDER_CANCELLED`, takes its place. Otherwise `expected_number_of_shipments` becomes the number of shipments that ' +
      'are left, if it was greater. A deletion emits no event.',
    params: Type.Object({
      order_id: Identifier({ description: 'The uuid, the order number or the external id of the order.' }),
      shipment_id: Identifier({
        description: 'The tracking number or the uuid of the shipment. A draft has only a uuid.',
      }),
    }),
    response: Nothing,
    errors: ['order_not_found', 'shipment_not_found', 'payload_too_large'],
  },
  detectCarrier: {
    method: 'GET',
    path: `${shopPath}/carrier-detection`,
    role: 'viewer',
    summary: 'Detect the carrier of a tracking number',
    description:
      'Returns the carriers that may have issued a tracking number, best match first, and explains each rank.',
    query: Type.Object({
      tracking_number: Identifier(),
      tracking_company: Type.Optional(Text(255, { description: 'The name of the carrier, as the shop wrote it.' })),
      country_code: Type.Optional(Text(10, { description: 'The country of the delivery address.' })),
    }),
    response: Detection,
  },
});

export type ShipmentFilters = Static<typeof ShipmentFilters>;
export type ShipmentCreate = Static<typeof ShipmentCreate>;
