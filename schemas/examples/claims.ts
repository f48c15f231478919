import type { Claim, ClaimMessage, claims } from '../families/claims.ts';
import type { ExamplesOf } from './example.ts';
import { newAddress } from './order.ts';
import { firstNumber, ids, imageUrl, keyName, signedImageUrl, slug } from './story.ts';

export const claim = {
  uuid: ids.claim,
  created_at: '2026-11-16T09:05:16.910Z',
  updated_at: '2026-11-16T09:05:16.910Z',
  deleted_at: null,
  order_id: ids.order,
  shipment_id: ids.firstParcel,
  order_number: '10482',
  reason: 'partial_damage',
  resolution_preference: 'reorder',
  status: 'pending',
  description: 'A seam at the left sleeve is torn.',
  customer_signature_image_url: null,
  selected_items: [{ sku: 'FJORD-GRN-M', title: 'Rain jacket Fjord', quantity: 1, net_price: 125.97, image_urls: [] }],
  damaged_product_items: [],
  image_urls: [signedImageUrl],
  optional_image_urls: [],
  dropoff_permission: null,
  step_user_input: null,
  shop_id: ids.shop,
  shop_slug: slug,
  address: newAddress,
  net_invoice_amount: 328.9,
  claimed_amount: 125.97,
  currency: 'EUR',
  weight_kg: 1.73,
  tracking_number: firstNumber,
  carrier_reference: 'dhl',
  scan_date: '2026-11-16T06:05:00.000Z',
  message_count: 0,
  unanswered_since: null,
} satisfies Claim;

/** What the shop writes to the customer. */
export const claimMessage = {
  uuid: ids.claimMessage,
  at: '2026-11-16T09:05:58.310Z',
  from: 'shop',
  author: keyName,
  text: 'We send you a new jacket today. You can keep the other one.',
  image_urls: [],
} satisfies ClaimMessage;

const acceptedClaim = { ...claim, status: 'accepted', updated_at: '2026-11-16T09:05:53.760Z' } satisfies Claim;

export const claimExamples = {
  createClaim: {
    body: {
      tracking_number: firstNumber,
      reason: 'partial_damage',
      resolution_preference: 'reorder',
      description: 'A seam at the left sleeve is torn.',
      selected_items: [{ sku: 'FJORD-GRN-M', title: 'Rain jacket Fjord', quantity: 1, net_price: 125.97 }],
      image_urls: [imageUrl],
    },
    response: claim,
  },
  getClaim: { params: { uuid: ids.claim }, response: claim },
  searchClaims: { query: { status: 'pending', reason: 'partial_damage' }, response: { claims: [claim] } },
  updateClaim: { params: { uuid: ids.claim }, body: { status: 'accepted' }, response: acceptedClaim },
  listClaimHistory: {
    params: { uuid: ids.claim },
    response: [
      {
        at: '2026-11-16T09:05:53.760Z',
        by: ids.apiKey,
        by_name: keyName,
        action: 'updated',
        changes: [{ field: 'status', from: 'pending', to: 'accepted' }],
      },
      { at: '2026-11-16T09:05:16.910Z', by: ids.apiKey, by_name: keyName, action: 'created', changes: [] },
    ],
  },
  createClaimMessage: {
    params: { uuid: ids.claim },
    body: { text: 'We send you a new jacket today. You can keep the other one.' },
    response: claimMessage,
  },
  listClaimMessages: { params: { uuid: ids.claim }, response: [claimMessage] },
  deleteClaim: { params: { uuid: ids.claim }, response: null },
} satisfies ExamplesOf<typeof claims>;
