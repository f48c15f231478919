import type { Static } from 'typebox';
import type { ClaimEventPayload, ShipmentEventPayload, WithdrawalEventPayload } from '../shapes/event-payloads.ts';
import { claim } from './claims.ts';
import { deliveredParcel, newAddress, updatedOrder, updatedSecondParcel } from './order.ts';
import { firstNumber, hosts, ids, imageUrl, slug, trackingUrl } from './story.ts';
import { declaredWithdrawal } from './withdrawals.ts';

/** The events of the story that the shop's endpoint receives. */

const shipments = [deliveredParcel, updatedSecondParcel];

const context = {
  order: { ...updatedOrder, trackings: shipments },
  customer: {
    external_id: 'C-20771',
    email: 'mara.lindqvist@example.com',
    first_name: 'Mara',
    last_name: 'Lindqvist',
    full_name: newAddress.name,
    phone: newAddress.phone,
  },
  shipments,
  claims: [],
};

export const deliveredEvent = {
  source: 'shipments',
  ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
  version: 1,
  triggered_at: '2026-11-16T09:04:54.800Z',
  event_group: 'shipment_delivered',
  event_data: {
    shipment_id: ids.firstParcel,
    carrier_reference: 'dhl',
    event_name: 'SUCCESSFULLY_DELIVERED',
    phase: 'delivered',
    tracking_number: firstNumber,
    tracking_url: trackingUrl(firstNumber),
    updated_at: '2026-11-16T09:04:54.800Z',
    event_group: 'shipment_delivered',
    order_number: '10482',
    order_name: '#10482',
    zip_code: newAddress.zip_code,
    shipping_address: 'Lindenweg 12, c/o Café Möwe, 20095 Hamburg, Germany',
    total_order_value: 333.8,
    order_currency: 'EUR',
    order_status_url: `${hosts.shop}/orders/10482`,
    external_customer_id: 'C-20771',
    external_order_id: '5120938471',
    customer_first_name: 'Mara',
    customer_last_name: 'Lindqvist',
    customer_country: 'Germany',
    number_of_shipments: 2,
  },
  context,
  shop_slug: slug,
  shop_id: ids.shop,
} satisfies Static<typeof ShipmentEventPayload>;

export const createdClaimEvent = {
  source: 'claims',
  ref: 'claims/created',
  version: 1,
  triggered_at: claim.created_at,
  event_group: 'claim_created',
  event_data: {
    claim_id: ids.claim,
    event_name: 'created',
    created_at: claim.created_at,
    updated_at: claim.updated_at,
    event_group: 'claim_created',
    resolution_preference: claim.resolution_preference,
    reason: claim.reason,
    status: claim.status,
    description: claim.description,
    customer_signature_image_url: null,
    selected_items: claim.selected_items,
    image_urls: [imageUrl],
    optional_image_urls: [],
  },
  context: { ...context, claims: [{ ...claim, image_urls: [imageUrl] }] },
  shop_slug: slug,
  shop_id: ids.shop,
} satisfies Static<typeof ClaimEventPayload>;

export const declaredWithdrawalEvent = {
  source: 'withdrawals',
  ref: 'withdrawals/declared',
  version: 1,
  triggered_at: declaredWithdrawal.declared_at,
  event_group: 'withdrawal_declared',
  event_data: { ...declaredWithdrawal, event_name: 'declared', event_group: 'withdrawal_declared' },
  context,
  shop_slug: slug,
  shop_id: ids.shop,
} satisfies Static<typeof WithdrawalEventPayload>;
