import Type, { type Static } from 'typebox';
import { privacyLimits as limits, orderTexts, retentionLimits } from '../catalogues/limits.ts';
import { Identifier } from '../shapes/order-shapes.ts';
import { Choice, DateTime, Defaulted, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const kinds = ['disclosure', 'erasure'] as const;
const statuses = ['running', 'done', 'failed'] as const;

const Kind = () =>
  Choice(kinds, { description: '`disclosure`: collect all that is stored. `erasure`: remove what is personal.' });

const Reference = () =>
  Nullable(
    Text(limits.referenceCharacters, {
      description: 'What you call the request, for example the number of a ticket. Name no person here: it stays.',
    }),
  );

const PrivacyRequestCreate = Shape('PrivacyRequestCreate', {
  kind: Kind(),
  email_id: Type.Optional(
    Nullable(
      Text(orderTexts.email_id, {
        minLength: 1,
        pattern: '\\S',
        description: 'The e-mail address of the customer, in any case.',
      }),
    ),
  ),
  external_customer_id: Type.Optional(
    Nullable(
      Text(orderTexts.external_customer_id, {
        minLength: 1,
        pattern: '\\S',
        description: 'The id of the customer in the shop system.',
      }),
    ),
  ),
  order_numbers: Type.Optional(
    Nullable(
      Type.Array(Identifier(), {
        maxItems: limits.orderNumbers,
        description: 'Numbers of orders of the customer. Those that the shop does not have are passed over.',
      }),
    ),
  ),
  dry_run: Defaulted(
    Type.Boolean({ description: 'Whether to only count what would be disclosed or erased. Nothing changes then.' }),
    false,
  ),
  reference: Type.Optional(Reference()),
});

const StoreCounts = Shape('PrivacyStoreCounts', {
  store: Type.String({
    description: 'Where the data lies, such as `orders`, `claims`, `deliveries` or `images`. Others can be added.',
  }),
  found: Type.Integer({ description: 'How many entries of the person are there.' }),
  erased: Type.Integer({
    description:
      'How many of them lost what is personal, or are gone. 0 with a disclosure. In a dry run: how many would.',
  }),
  kept: Type.Integer({ description: 'How many of them stay as they are.' }),
  kept_because: Nullable(Type.String({ description: 'Why they stay. Null if none stays.' })),
});

const PrivacyRequest = Shape('PrivacyRequest', {
  uuid: Uuid(),
  kind: Kind(),
  status: Choice(statuses, {
    description: '`failed`: the service could not go on. Send the request again: what is done stays done.',
  }),
  dry_run: Type.Boolean({ description: 'Whether it only counts.' }),
  reference: Reference(),
  created_at: DateTime(),
  done_at: Nullable(DateTime({ description: 'When it ended. Null while it runs.' })),
  orders: Type.Integer({ description: 'The orders that were found until now.' }),
  stores: Type.Array(StoreCounts, { description: 'What was found until now, by the place where it lies.' }),
  download_url: Nullable(
    Type.String({
      description: `Where the ZIP of a disclosure lies: for ${limits.downloadDays} days after it is done. The address works for an hour, and each response has a new one. Null otherwise.`,
    }),
  ),
  requested_by: Type.String({
    description:
      'Who asked: the name of the API key, or its id if it has no name; `shop_system` for the shop system, `retention` for the time limits of the shop, `ledger` for an operator who repeats erasures after a restore.',
  }),
});

const keptDays = (options: object) => Type.Integer({ ...options });
const longDays = { minimum: retentionLimits.minimumDays, maximum: retentionLimits.maximumDays };

const retentionFields = {
  orders_days: Nullable(
    keptDays({
      ...longDays,
      description:
        'Orders without a change for so many days are erased: the order, its parcels and its claims. Null: never.',
    }),
  ),
  claim_images_days: Nullable(
    keptDays({ ...longDays, description: 'Images of claims are removed after so many days. Null: with their order.' }),
  ),
  deliveries_days: keptDays({
    minimum: 1,
    maximum: retentionLimits.deliveriesDays,
    description: `Deliveries to endpoints and integrations are removed after so many days. Default: ${retentionLimits.deliveriesDays}.`,
  }),
};

const Retention = Shape('Retention', retentionFields);

const RetentionUpdate = Shape('RetentionUpdate', Type.Partial(Type.Object(retentionFields)).properties, {
  description: 'Fields that you leave out keep their values.',
});

const requestsPath = `${shopPath}/privacy/requests` as const;
const retentionPath = `${shopPath}/settings/retention` as const;

export const privacy = declare({
  createPrivacyRequest: {
    method: 'POST',
    path: requestsPath,
    role: 'admin',
    summary: 'Ask for a disclosure or an erasure',
    description: [
      'Finds the orders of a person by at least one of `email_id`, `external_customer_id` and `order_numbers`: those that any of',
      'them finds. It begins within a minute and runs in the background. Read the request to see how far it is. If the same',
      'request runs already, the response is that one.',
      '\n\nA disclosure makes one ZIP with `data.json` (every order, parcel, event, claim, delivery with its body, visit and run of',
      'the person, in the words of the API, for people to read) and the images of claims.',
      '\n\nAn erasure removes name, address, e-mail address, phone number, customer id, note attributes, addresses of browsers,',
      'URLs of the attribution and free texts from orders, parcels, events, claims with their images, deliveries, runs and visits.',
      'What waits to be sent is cancelled. Numbers, products, amounts, phases and times stay, so that counts stay true. The order then',
      'shows `erased_at`, its tracking page answers 404, and a request that would bring personal data back is refused with 409',
      '`order_erased`. It cannot be undone: send it with `dry_run` first to see what would go.',
    ].join(' '),
    body: PrivacyRequestCreate,
    response: PrivacyRequest,
  },
  listPrivacyRequests: {
    method: 'GET',
    path: requestsPath,
    role: 'admin',
    summary: 'List the requests for disclosures and erasures',
    description: 'Returns the requests of the shop, the newest first. None of them says who the person is.',
    query: Type.Object(paging),
    response: Type.Array(PrivacyRequest),
  },
  getPrivacyRequest: {
    method: 'GET',
    path: `${requestsPath}/{uuid}`,
    role: 'admin',
    summary: 'Get a request for a disclosure or an erasure',
    description: 'Returns how far the request is, what it found, and where the ZIP of a disclosure lies.',
    params: Type.Object({ uuid: Uuid() }),
    response: PrivacyRequest,
    errors: ['privacy_request_not_found'],
  },
  getRetention: {
    method: 'GET',
    path: retentionPath,
    role: 'viewer',
    summary: 'Get how long data is kept',
    description: 'Returns after how many days the service erases data by itself.',
    response: Retention,
  },
  updateRetention: {
    method: 'PATCH',
    path: retentionPath,
    role: 'admin',
    summary: 'Update how long data is kept',
    description:
      'Changes after how many days the service erases data by itself. What is too old then is erased in the background: a bounded ' +
      'number in a night, the oldest first. It cannot be undone.',
    body: RetentionUpdate,
    response: Retention,
    ifMatch: true,
  },
});

export type PrivacyRequestCreate = Static<typeof PrivacyRequestCreate>;
export type PrivacyRequest = Static<typeof PrivacyRequest>;
export type StoreCounts = Static<typeof StoreCounts>;
export type Retention = Static<typeof Retention>;
export type RetentionUpdate = Static<typeof RetentionUpdate>;
