import { type Declared, each, either, kept, personal } from '#platform/personal-data.ts';
import type { ClaimCreate } from '#schemas/families/claims.ts';
import type { Claim, Message } from './claim-rules.ts';
import type { PageClaim, StoredHistoryEntry } from './claim-store.ts';

/** What of a claim is about its customer. */

type ClaimItem = Claim['selected_items'][number];

const claimItemData: Declared<ClaimItem> = {
  sku: kept,
  title: kept,
  quantity: kept,
  net_price: kept,
  image_urls: personal('image', []),
};

const givenData = {
  shipment_id: kept,
  tracking_number: kept,
  order_number: kept,
  reason: kept,
  resolution_preference: kept,
  status: kept,
  description: personal('free_text', null),
  customer_signature_image_url: personal('image', null),
  selected_items: each(claimItemData),
  damaged_product_items: each(claimItemData),
  image_urls: personal('image', []),
  optional_image_urls: personal('image', []),
  dropoff_permission: kept,
  step_user_input: personal('free_text', null),
} satisfies Declared<ClaimCreate>;

export const claimData: Declared<Claim> = {
  ...givenData,
  uuid: kept,
  created_at: kept,
  updated_at: kept,
  deleted_at: kept,
  order_id: kept,
  carrier_reference: kept,
  simulation_id: kept,
  erased_at: kept,
  message_count: kept,
  unanswered_since: kept,
  cohort: kept,
};

type ClaimChange = StoredHistoryEntry['changes'][number];

export const historyData: Declared<StoredHistoryEntry> = {
  at: kept,
  by: kept,
  by_name: kept,
  action: kept,
  changes: each(
    either<ClaimChange>(
      ({ field }) => field === 'description',
      { field: kept, from: personal('free_text', null), to: personal('free_text', null) },
      { field: kept, from: kept, to: kept },
    ),
  ),
  comment: personal('free_text'),
};

/** An erasure removes messages whole. */
export const messageData: Declared<Message> = {
  uuid: kept,
  at: kept,
  from: kept,
  author: kept,
  text: personal('free_text', ''),
  image_urls: personal('image', []),
};

/** The copy on the tracking page, which goes with the page. */
export const pageClaimData: Declared<PageClaim> = {
  uuid: kept,
  reason: kept,
  status: kept,
  created_at: kept,
  description: personal('free_text', null),
  message_count: kept,
};
