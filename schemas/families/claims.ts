import Type, { type Static } from 'typebox';
import { Address, Identifier } from '../shapes/order-shapes.ts';
import { Choice, DateTime, Nothing, Nullable, paging, Shape, Text, Url, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

export const claimReasons = [
  'partial_damage',
  'damage',
  'investigation',
  'support',
  'return',
  'dissatisfied_with_product',
  'wrong_product',
  'missing_product',
] as const;
export const resolutionPreferences = ['reorder', 'refund', 'keep_with_reward'] as const;
export const claimStatuses = ['pending', 'accepted', 'rejected', 'closed'] as const;
export const claimSorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export const claimActions = ['created', 'updated', 'deleted'] as const;

const Reason = (options: object = {}) => Choice(claimReasons, options);
const Preference = () => Choice(resolutionPreferences);
const Status = (options: object = {}) => Choice(claimStatuses, options);
const Description = () => Nullable(Text(5000));
const ImageUrls = (options: object = {}) => Type.Array(Url(), { maxItems: 20, default: [], ...options });

const ClaimItem = Shape('ClaimItem', {
  sku: Type.Optional(Nullable(Text(255))),
  title: Type.Optional(Nullable(Text(1000))),
  quantity: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
  net_price: Type.Optional(Nullable(Type.Number())),
  image_urls: ImageUrls(),
});

const ClaimItems = (options: object = {}) => Type.Array(ClaimItem, { maxItems: 100, default: [], ...options });

const StepUserInput = Shape('ClaimStepUserInput', {
  step_id: Text(255),
  user_input: Shape('ClaimUserInput', {
    input_type: Text(100),
    input_value: Text(5000),
    translated_question: Type.Optional(Nullable(Text(2000))),
    translated_answer: Type.Optional(Nullable(Text(5000))),
  }),
});

const imageUrl = 'Of an image that was uploaded before, or of any other: the first is shown signed, for a short time.';

const ClaimCreate = Shape('ClaimCreate', {
  shipment_id: Type.Optional(Nullable(Uuid())),
  tracking_number: Type.Optional(Nullable(Identifier({ description: 'Needed where there is no `shipment_id`.' }))),
  reason: Reason(),
  resolution_preference: Type.Optional(Nullable(Preference())),
  description: Type.Optional(Description()),
  customer_signature_image_url: Type.Optional(Nullable(Url({ description: imageUrl }))),
  selected_items: ClaimItems(),
  damaged_product_items: ClaimItems({ deprecated: true, description: 'Use `selected_items`.' }),
  image_urls: ImageUrls({ description: `Evidence. ${imageUrl}` }),
  optional_image_urls: ImageUrls(),
  dropoff_permission: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether the customer let the parcel be left at a designated spot.' })),
  ),
  step_user_input: Type.Optional(Nullable(Type.Array(StepUserInput, { maxItems: 100 }))),
});

const ClaimUpdate = Shape('ClaimUpdate', {
  status: Type.Optional(Nullable(Status({ description: 'Absent or null: stays as it is.' }))),
  resolution_preference: Type.Optional(Nullable(Preference())),
  description: Type.Optional(Description()),
});

export const Claim = Shape('Claim', {
  uuid: Uuid(),
  created_at: DateTime(),
  updated_at: DateTime(),
  deleted_at: Nullable(DateTime()),
  order_id: Uuid(),
  shipment_id: Uuid(),
  shop_id: Uuid(),
  order_number: Type.String(),
  shop_slug: Type.String(),
  reason: Reason(),
  resolution_preference: Nullable(Preference()),
  status: Status(),
  description: Nullable(Type.String()),
  customer_signature_image_url: Nullable(Type.String()),
  selected_items: Type.Array(ClaimItem),
  damaged_product_items: Type.Array(ClaimItem),
  image_urls: Type.Array(Type.String()),
  optional_image_urls: Type.Array(Type.String()),
  dropoff_permission: Nullable(Type.Boolean()),
  step_user_input: Nullable(Type.Array(StepUserInput)),
  address: Nullable(Address),
  net_invoice_amount: Nullable(
    Type.Number({ description: "The order's sub-total; else its total less shipping. Null where neither is known." }),
  ),
  weight_kg: Nullable(Type.Number({ description: "The order's weight." })),
  tracking_number: Nullable(Type.String({ description: 'Null while the shipment is a draft.' })),
  carrier_reference: Nullable(Type.String()),
  scan_date: Nullable(DateTime({ description: 'When the carrier first had the parcel in hand; null before.' })),
});

const ClaimFilters = Type.Object({
  ...paging,
  order_id: Type.Optional(Uuid()),
  shipment_id: Type.Optional(Uuid()),
  resolution_preference: Type.Optional(Preference()),
  status: Type.Optional(Status()),
  reason: Type.Optional(Reason()),
  created_from: Type.Optional(DateTime()),
  created_to: Type.Optional(DateTime()),
  updated_from: Type.Optional(DateTime()),
  updated_to: Type.Optional(DateTime()),
  sort: Choice(claimSorts, { default: '-created_at' }),
});

const ClaimHistoryEntry = Shape('ClaimHistoryEntry', {
  at: DateTime(),
  by: Type.String({ description: 'The id of the API key, or what else made the change.' }),
  action: Choice(claimActions),
  changes: Type.Array(
    Shape('ClaimChange', {
      field: Type.String(),
      from: Nullable(Type.String()),
      to: Nullable(Type.String()),
    }),
  ),
});

const claimsPath = `${shopPath}/claims` as const;
const claimPath = `${claimsPath}/{uuid}` as const;
const claimParams = Type.Object({ uuid: Uuid() });

export const claims = declare({
  createClaim: {
    method: 'POST',
    path: claimsPath,
    role: 'editor',
    summary: 'Create a claim about a shipment',
    description:
      'The shipment is named by its uuid or by its tracking number. The claim begins as `pending`. What it shows of its ' +
      'order and shipment is read when it is shown. Emits `claims/created`.',
    body: ClaimCreate,
    response: Claim,
    errors: ['shipment_not_found', 'payload_too_large'],
  },
  searchClaims: {
    method: 'GET',
    path: claimsPath,
    role: 'viewer',
    summary: 'Search claims',
    description: 'Filters must all match; times are inclusive. Deleted claims are not listed.',
    query: ClaimFilters,
    response: Shape('ClaimPage', { claims: Type.Array(Claim) }),
    errors: ['payload_too_large'],
  },
  getClaim: {
    method: 'GET',
    path: claimPath,
    role: 'viewer',
    summary: 'Get a claim',
    params: claimParams,
    response: Claim,
    errors: ['claim_not_found'],
  },
  updateClaim: {
    method: 'PUT',
    path: claimPath,
    role: 'editor',
    summary: 'Update a claim',
    description:
      'What is absent stays as it is. From `pending` a claim moves to `accepted`, `rejected` or `closed`; from `accepted` ' +
      'to `closed`; from `rejected` to `pending` or `closed`; `closed` is final. Emits `claims/updated`, unless nothing changes.',
    params: claimParams,
    body: ClaimUpdate,
    response: Claim,
    errors: ['claim_not_found', 'claim_transition_invalid', 'payload_too_large'],
  },
  deleteClaim: {
    method: 'DELETE',
    path: claimPath,
    role: 'editor',
    summary: 'Delete a claim',
    description: 'It is kept with its history, but no longer shown.',
    params: claimParams,
    response: Nothing,
    errors: ['claim_not_found'],
  },
  listClaimHistory: {
    method: 'GET',
    path: `${claimPath}/history`,
    role: 'viewer',
    summary: 'List what happened to a claim',
    description: 'Newest first: who changed what, from what, and when.',
    params: claimParams,
    query: Type.Object(paging),
    response: Type.Array(ClaimHistoryEntry),
    errors: ['claim_not_found'],
  },
});

export type Claim = Static<typeof Claim>;
export type ClaimCreate = Static<typeof ClaimCreate>;
export type ClaimUpdate = Static<typeof ClaimUpdate>;
export type ClaimFilters = Static<typeof ClaimFilters>;
export type ClaimHistoryEntry = Static<typeof ClaimHistoryEntry>;
export type ClaimStatus = (typeof claimStatuses)[number];
