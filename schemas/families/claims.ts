import Type, { type Static } from 'typebox';
import { claimReasons, claimStatuses, resolutionPreferences } from '../catalogues/enumerations.ts';
import { claimLimits } from '../catalogues/limits.ts';
import { Address, Identifier } from '../shapes/order-shapes.ts';
import {
  Choice,
  DateTime,
  Defaulted,
  Link,
  Nothing,
  Nullable,
  paging,
  Shape,
  Text,
  TimeFrom,
  TimeTo,
  Uuid,
} from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const claimSorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
const claimActions = ['created', 'updated', 'message', 'deleted'] as const;

const Reason = (options: object = {}) =>
  Choice(claimReasons, { description: 'Why the customer makes the claim.', ...options });
const Preference = () => Choice(resolutionPreferences, { description: 'What the customer would like to get.' });
const Status = (options: object = {}) => Choice(claimStatuses, { description: 'The status of the claim.', ...options });
const Description = () =>
  Nullable(Text(claimLimits.descriptionCharacters, { description: "The claim in the customer's own words." }));
const ImageUrls = (options: object = {}) => Defaulted(Type.Array(Link(), { maxItems: 20, ...options }), []);

const ClaimItem = Shape('ClaimItem', {
  sku: Type.Optional(Nullable(Text(255))),
  title: Type.Optional(Nullable(Text(claimLimits.titleCharacters))),
  quantity: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
  net_price: Type.Optional(
    Nullable(Type.Number({ description: 'The price of one item without tax, in the currency of the order.' })),
  ),
  image_urls: ImageUrls(),
});

const ClaimItems = (options: object = {}) => Defaulted(Type.Array(ClaimItem, { maxItems: 100, ...options }), []);

const StepUserInput = Shape('ClaimStepUserInput', {
  step_id: Text(255, { description: 'Identifies the step of the claim form.' }),
  user_input: Shape('ClaimUserInput', {
    input_type: Text(100, { description: 'The kind of input.' }),
    input_value: Text(5000, { description: 'What the customer entered.' }),
    translated_question: Type.Optional(
      Nullable(Text(2000, { description: "The question in the customer's language." })),
    ),
    translated_answer: Type.Optional(Nullable(Text(5000, { description: "The answer in the customer's language." }))),
  }),
});

const imageUrl =
  'Use the `url` of an uploaded image, or any other link. Responses show a private uploaded image with a signed URL that works for ten minutes.';

const ClaimCreate = Shape('ClaimCreate', {
  shipment_id: Type.Optional(Nullable(Uuid({ description: 'The uuid of the shipment.' }))),
  tracking_number: Type.Optional(
    Nullable(
      Identifier({
        description:
          'The tracking number of the shipment. Required if you do not send `shipment_id`. If several orders share the ' +
          'parcel, `order_number` says which of them the claim is about.',
      }),
    ),
  ),
  order_number: Type.Optional(
    Nullable(
      Identifier({
        description:
          'The number of the order that the shipment belongs to. Default: the newest order with the tracking number.',
      }),
    ),
  ),
  reason: Reason(),
  resolution_preference: Type.Optional(Nullable(Preference())),
  status: Type.Optional(
    Nullable(
      Choice(['pending'], { description: 'A claim begins as `pending`. You cannot create it with another status.' }),
    ),
  ),
  description: Type.Optional(Description()),
  customer_signature_image_url: Type.Optional(
    Nullable(Link({ description: `The signature of the customer. ${imageUrl}` })),
  ),
  selected_items: ClaimItems({ description: 'The products that the claim is about.' }),
  damaged_product_items: ClaimItems({ deprecated: true, description: 'Deprecated. Use `selected_items` instead.' }),
  image_urls: ImageUrls({ description: `Images that support the claim. ${imageUrl}` }),
  optional_image_urls: ImageUrls({ description: `Further images. ${imageUrl}` }),
  dropoff_permission: Type.Optional(
    Nullable(
      Type.Boolean({ description: 'Whether the customer allowed the carrier to leave the parcel at an agreed place.' }),
    ),
  ),
  step_user_input: Type.Optional(
    Nullable(
      Type.Array(StepUserInput, {
        maxItems: 100,
        description: 'What the customer entered in each step of the claim form.',
      }),
    ),
  ),
});

const ClaimUpdate = Shape('ClaimUpdate', {
  status: Type.Optional(
    Nullable(Status({ description: 'The new status. Null or absent: the status stays unchanged.' })),
  ),
  resolution_preference: Type.Optional(Nullable(Preference())),
  description: Type.Optional(Description()),
  comment: Type.Optional(
    Nullable(
      Text(claimLimits.commentCharacters, {
        description: 'Why the claim changes. Only the history shows it. A comment can also come without a change.',
      }),
    ),
  ),
});

export const Claim = Shape('Claim', {
  uuid: Uuid(),
  created_at: DateTime(),
  updated_at: DateTime(),
  deleted_at: Nullable(DateTime({ description: 'When the claim was deleted. Null if it was not deleted.' })),
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
    Type.Number({
      description:
        'The sub-total of the order. If the order has no sub-total, its total without shipping. Null if both are unknown.',
    }),
  ),
  claimed_amount: Nullable(
    Type.Number({
      description:
        'The price of the items that the claim names: their `net_price`, else their price in the order. Null if it names none, or if a price is not known.',
    }),
  ),
  currency: Nullable(Type.String({ description: 'The currency of the order and of all these prices.' })),
  weight_kg: Nullable(Type.Number({ description: 'The weight of the order in kilograms.' })),
  tracking_number: Nullable(Type.String({ description: 'Null while the shipment is a draft.' })),
  carrier_reference: Nullable(Type.String({ description: 'The carrier of the parcel.' })),
  scan_date: Nullable(DateTime({ description: 'When the carrier first had the parcel. Null before that.' })),
  message_count: Type.Integer({ description: 'How many messages shop and customer wrote to each other in the claim.' }),
  unanswered_since: Nullable(
    DateTime({
      description:
        'Since when the customer waits for an answer to a message. Null if the shop wrote last, or if the claim is closed.',
    }),
  ),
});

const MessageText = (options: object = {}) =>
  Text(claimLimits.messageCharacters, {
    minLength: 1,
    description: 'What was written, as it was written.',
    ...options,
  });

const ClaimMessage = Shape('ClaimMessage', {
  uuid: Uuid(),
  at: DateTime({ description: 'When it was written.' }),
  from: Choice(['shop', 'customer'], { description: 'Who wrote it.' }),
  author: Nullable(
    Type.String({
      description:
        'What people call the API key that wrote for the shop. Only users of the shop see it: customers see the name of the shop. Null for a customer.',
    }),
  ),
  text: MessageText(),
  image_urls: Type.Array(Type.String(), {
    description: 'A private uploaded image has a signed URL that works for ten minutes.',
  }),
});

const ClaimMessageCreate = Shape('ClaimMessageCreate', {
  text: MessageText({ pattern: '\\S', description: 'What the customer reads.' }),
  image_urls: ImageUrls({ description: `Images that belong to the message. ${imageUrl}` }),
});

const ClaimFilters = Type.Object({
  ...paging,
  order_id: Type.Optional(Uuid()),
  shipment_id: Type.Optional(Uuid()),
  resolution_preference: Type.Optional(Preference()),
  status: Type.Optional(Status()),
  reason: Type.Optional(Reason()),
  created_from: Type.Optional(TimeFrom('The earliest `created_at`.')),
  created_to: Type.Optional(TimeTo('The latest `created_at`.')),
  updated_from: Type.Optional(TimeFrom('The earliest `updated_at`.')),
  updated_to: Type.Optional(TimeTo('The latest `updated_at`.')),
  sort: Defaulted(
    Choice(claimSorts, {
      description: 'The field to sort by. A minus sign means newest first.',
    }),
    '-created_at',
  ),
});

const ClaimHistoryEntry = Shape('ClaimHistoryEntry', {
  at: DateTime({ description: 'When the change was made.' }),
  by: Type.String({
    description:
      'Who made the change: the id of an API key, or the name of another source, such as `customer` or `erasure`.',
  }),
  by_name: Nullable(
    Type.String({
      description:
        'What people call the API key: its name, or the end of its secret if it has none. The username of an operator. Of an erasure: who asked for it. Null for other sources and for changes of before keys had names.',
    }),
  ),
  action: Choice(claimActions),
  changes: Type.Array(
    Shape('ClaimChange', {
      field: Type.String({ description: 'The field that changed.' }),
      from: Nullable(Type.String({ description: 'The old value.' })),
      to: Nullable(Type.String({ description: 'The new value.' })),
    }),
  ),
  comment: Type.Optional(
    Type.String({ description: 'What whoever made the change said about it. Absent without a comment.' }),
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
    summary: 'Create a claim',
    description:
      'Creates a claim about a shipment, with the status `pending`. Identify the shipment by its uuid or its tracking ' +
      'number. The service emits `claims/created`. Responses always show the current data of the order and the shipment.',
    body: ClaimCreate,
    response: Claim,
    errors: ['shipment_not_found', 'order_erased', 'payload_too_large'],
  },
  searchClaims: {
    method: 'GET',
    path: claimsPath,
    role: 'viewer',
    summary: 'Search claims',
    description:
      'Returns the claims that match all given filters. Time filters include the given time. Deleted claims are not returned.',
    query: ClaimFilters,
    response: Shape('ClaimPage', { claims: Type.Array(Claim) }),
    errors: ['payload_too_large'],
  },
  getClaim: {
    method: 'GET',
    path: claimPath,
    role: 'viewer',
    summary: 'Get a claim',
    description: 'Returns one claim.',
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
      'Changes the given fields of a claim. Fields that you leave out keep their values. A `pending` claim can become ' +
      '`accepted`, `rejected` or `closed`. An `accepted` claim can become `closed`. A `rejected` claim can become `pending` ' +
      'or `closed`. A `closed` claim cannot change its status. The service emits `claims/updated` if a field of the claim changed.',
    ifMatch: true,
    params: claimParams,
    body: ClaimUpdate,
    response: Claim,
    errors: ['claim_not_found', 'claim_transition_invalid', 'order_erased', 'payload_too_large'],
  },
  deleteClaim: {
    method: 'DELETE',
    path: claimPath,
    role: 'editor',
    summary: 'Delete a claim',
    description: 'Deletes a claim. No operation returns it any more, but the service keeps it with its history.',
    params: claimParams,
    response: Nothing,
    errors: ['claim_not_found'],
  },
  listClaimHistory: {
    method: 'GET',
    path: `${claimPath}/history`,
    role: 'viewer',
    summary: 'List the history of a claim',
    description:
      'Returns all changes of a claim, newest first: who changed which field and when, with the old and the new value. Of a ' +
      'message it only says that one was written.',
    params: claimParams,
    query: Type.Object(paging),
    response: Type.Array(ClaimHistoryEntry),
    errors: ['claim_not_found'],
  },
  listClaimMessages: {
    method: 'GET',
    path: `${claimPath}/messages`,
    role: 'viewer',
    summary: 'List the messages of a claim',
    description: 'Returns what shop and customer wrote to each other in a claim, newest first.',
    params: claimParams,
    query: Type.Object(paging),
    response: Type.Array(ClaimMessage),
    errors: ['claim_not_found'],
  },
  createClaimMessage: {
    method: 'POST',
    path: `${claimPath}/messages`,
    role: 'editor',
    summary: 'Write to the customer of a claim',
    description:
      'Adds a message of the shop to a claim. The customer sees it on the tracking page under the name of the shop, and gets it by ' +
      'e-mail if the shop sends e-mails. It answers what the customer wrote: the claim does not wait for an answer any more. ' +
      'The service emits no `claims/updated` for it; a message of the customer emits one. ' +
      `A claim takes ${claimLimits.messages} messages; a closed one takes none.`,
    params: claimParams,
    body: ClaimMessageCreate,
    response: ClaimMessage,
    errors: ['claim_not_found', 'claim_closed', 'order_erased', 'payload_too_large'],
  },
});

export type Claim = Static<typeof Claim>;
export type ClaimCreate = Static<typeof ClaimCreate>;
export type ClaimUpdate = Static<typeof ClaimUpdate>;
export type ClaimFilters = Static<typeof ClaimFilters>;
export type ClaimHistoryEntry = Static<typeof ClaimHistoryEntry>;
export type ClaimMessage = Static<typeof ClaimMessage>;
export type ClaimMessageCreate = Static<typeof ClaimMessageCreate>;
export type ClaimStatus = (typeof claimStatuses)[number];
