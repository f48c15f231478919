import Type, { type TSchema } from 'typebox';
import { claimRefs, withdrawalGroups, withdrawalRefs } from '../catalogues/event-filters.ts';
import { claimGroups, eventGroups, phases, shipmentEventNames } from '../catalogues/shipment-events.ts';
import { Claim } from '../families/claims.ts';
import { Order, Tracking } from './order-shapes.ts';
import { Choice, DateTime, Nullable, Shape, Uuid } from './shapes.ts';
import { withdrawalFields } from './withdrawal-shapes.ts';

/** The payloads that the service sends to endpoints and integrations. Only the description uses these shapes. */

const text = () => Type.String();
const textIfKnown = (options: object = {}) => Type.Optional(Type.String({ ...options }));
const dayMonthYear = 'A date in the form day.month.year, such as `24.12.2026`.';
const shipmentGroups = eventGroups.filter((group) => !(claimGroups as readonly string[]).includes(group));

const ShipmentEventData = Shape('ShipmentEventData', {
  shipment_id: Uuid(),
  carrier_reference: Nullable(text()),
  event_name: Choice(shipmentEventNames),
  phase: Choice(phases),
  tracking_number: Nullable(text()),
  tracking_url: Nullable(text()),
  updated_at: DateTime(),
  event_group: Choice(shipmentGroups),
  order_number: text(),
  order_name: textIfKnown(),
  zip_code: textIfKnown(),
  shipping_address: textIfKnown({ description: 'The delivery address in one line.' }),
  total_order_value: Type.Optional(Type.Number()),
  order_currency: textIfKnown(),
  order_status_url: textIfKnown(),
  external_customer_id: textIfKnown(),
  external_order_id: textIfKnown(),
  preferred_delivery_date: textIfKnown({ description: dayMonthYear }),
  customer_first_name: textIfKnown(),
  customer_last_name: textIfKnown(),
  customer_country: textIfKnown(),
  expected_delivery_date: textIfKnown({ description: dayMonthYear }),
  pick_up_address: textIfKnown({ description: 'The address of the collection point in one line.' }),
  pick_up_until: textIfKnown({ description: dayMonthYear }),
  neighbour_name: textIfKnown({ description: 'The neighbour who took in the parcel.' }),
  requested_delivery_date: textIfKnown({ description: dayMonthYear }),
  number_of_shipments: Type.Optional(Type.Integer({ description: 'How many shipments the order has.' })),
  other_tracking_numbers: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The tracking numbers of the other parcels of the order. Present when one of several parcels is in transit.',
    }),
  ),
  internal_trigger: Type.Optional(
    Shape('FiredTrigger', { id: text(), name: text() }, { description: 'The internal trigger that sent the event.' }),
  ),
  test: Type.Optional(Type.Boolean({ description: 'True if the event is a test event.' })),
});

const ClaimEventData = Shape('ClaimEventData', {
  claim_id: Uuid(),
  event_name: Choice(['created', 'updated']),
  created_at: DateTime(),
  updated_at: DateTime(),
  event_group: Choice(claimGroups),
  resolution_preference: Claim.properties.resolution_preference,
  reason: Claim.properties.reason,
  status: Claim.properties.status,
  description: Claim.properties.description,
  customer_signature_image_url: Claim.properties.customer_signature_image_url,
  selected_items: Claim.properties.selected_items,
  image_urls: Claim.properties.image_urls,
  optional_image_urls: Claim.properties.optional_image_urls,
});

const WithdrawalEventData = Shape('WithdrawalEventData', {
  ...withdrawalFields,
  event_name: Choice(['declared', 'settled']),
  event_group: Choice(withdrawalGroups),
});

const EventContext = Shape(
  'EventContext',
  {
    order: Shape('EventOrder', { ...Order.properties, order_status_url: Nullable(text()) }),
    customer: Shape('EventCustomer', {
      external_id: Nullable(text()),
      email: Nullable(text()),
      first_name: Nullable(text()),
      last_name: Nullable(text()),
      full_name: Nullable(text()),
      phone: Nullable(text()),
    }),
    shipments: Type.Array(Tracking),
    claims: Type.Array(Claim, {
      description:
        'Nobody can open the URLs of private images directly. To see an image, get the claim: it shows signed URLs.',
    }),
  },
  { description: 'The state at the time of the event. Later changes do not appear here.' },
);

export const ShipmentEventPayload = Shape(
  'ShipmentEventPayload',
  envelopeOf(
    'shipments',
    Type.String({
      description:
        'The event in the form `shipments/{phase}/{event_name}`. A new return has the phase `return_created`.',
    }),
    Choice(shipmentGroups),
    ShipmentEventData,
  ),
);

export const ClaimEventPayload = Shape(
  'ClaimEventPayload',
  envelopeOf('claims', Choice(claimRefs), Choice(claimGroups), ClaimEventData),
);

export const WithdrawalEventPayload = Shape(
  'WithdrawalEventPayload',
  envelopeOf('withdrawals', Choice(withdrawalRefs), Choice(withdrawalGroups), WithdrawalEventData),
);

function envelopeOf<const S extends string, R extends TSchema, G extends TSchema, D extends TSchema>(
  source: S,
  ref: R,
  group: G,
  data: D,
) {
  return {
    source: Choice([source]),
    ref,
    version: Type.Integer({ description: 'The version of the payload. Always 1.' }),
    triggered_at: DateTime({ description: 'When the event was triggered. It is the same in every attempt.' }),
    event_group: group,
    event_data: data,
    context: EventContext,
    shop_slug: text(),
    shop_id: Uuid(),
  };
}
