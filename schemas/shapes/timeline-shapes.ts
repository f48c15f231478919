import Type, { type Static } from 'typebox';
import { skipReasons } from '../catalogues/emails.ts';
import { claimReasons, claimStatuses, withdrawalStatuses } from '../catalogues/enumerations.ts';
import { ratingLimits, timelineLimits } from '../catalogues/limits.ts';
import { phases } from '../catalogues/shipment-events.ts';
import { Choice, DateTime, Nullable, Shape, Uuid } from './shapes.ts';

/** What happened around an order, and what a search by anything finds. */

const timelineKinds = [
  'order',
  'shipment',
  'event',
  'delivery',
  'claim',
  'withdrawal',
  'automation_run',
  'tracking_submission',
  'page_view',
  'email',
  'rating',
] as const;

const TimelineDelivery = Shape('TimelineDelivery', {
  id: Uuid({ description: 'The id of the delivery.' }),
  target_kind: Choice(['webhook', 'integration', 'automation'], { description: 'What kind of receiver it has.' }),
  target: Type.String({
    description: 'The uuid of the webhook endpoint or the automation, or the id of the integration.',
  }),
  url: Nullable(Type.String({ description: 'The address of the webhook endpoint.' })),
  ref: Type.String({ description: 'The event that was sent.' }),
  event_group: Nullable(Type.String()),
  status: Choice(['pending', 'parked', 'delivered', 'failed', 'cancelled']),
  attempts: Type.Integer({ description: 'How often it was tried.' }),
  last_error: Nullable(
    Type.String({
      description: 'Why the last attempt of a delivery that has not arrived failed, such as `http_500` or `timeout`.',
    }),
  ),
  next_attempt_at: Nullable(DateTime({ description: 'When a delivery whose last attempt failed is tried again.' })),
});

const TimelineEmail = Shape('TimelineEmail', {
  delivery_id: Uuid({ description: 'The id of its delivery, in the log of the integration `email`.' }),
  ref: Type.String({ description: 'The event that it tells of.' }),
  event_group: Nullable(Type.String()),
  status: Choice(['pending', 'parked', 'delivered', 'failed', 'cancelled', 'skipped'], {
    description: 'What became of it, as in the log.',
  }),
  reason: Nullable(Choice(skipReasons, { description: 'Why it was `skipped`.' })),
  last_error: Nullable(Type.String({ description: 'Why it could not be sent.' })),
});

const TimelineClaim = Shape('TimelineClaim', {
  uuid: Uuid(),
  action: Choice(['created', 'updated', 'message', 'deleted']),
  by: Type.String({ description: 'Who did it: the id of an API key, or the name of another source.' }),
  by_name: Nullable(Type.String({ description: 'What people call the API key, as in the history of the claim.' })),
  reason: Choice(claimReasons),
  status: Choice(claimStatuses, { description: 'The present status of the claim.' }),
  changes: Type.Array(
    Shape('TimelineClaimChange', {
      field: Type.String(),
      from: Nullable(Type.String()),
      to: Nullable(Type.String()),
    }),
  ),
  comment: Nullable(Type.String()),
});

const TimelineWithdrawal = Shape('TimelineWithdrawal', {
  uuid: Uuid(),
  status: Choice(withdrawalStatuses, { description: 'The status after this step.' }),
  by: Type.String({ description: 'Who did it: `customer`, or the id of an API key.' }),
  by_name: Nullable(Type.String({ description: 'What people call the API key.' })),
  comment: Nullable(Type.String({ description: 'What the shop said.' })),
});

const TimelineRun = Shape('TimelineRun', {
  id: Uuid({ description: 'The id of the run.' }),
  automation_id: Uuid(),
  automation_name: Type.String(),
  ref: Type.String({ description: 'The event that started it.' }),
  status: Choice(['scheduled', 'pending', 'done', 'failed', 'skipped', 'tested']),
  reason: Nullable(Type.String()),
  due_at: DateTime(),
});

const notSentReasons = ['no_group', 'stale', 'switched_off', 'filtered'] as const;

export type NotSentReason = (typeof notSentReasons)[number];

const TimelineNotSent = Shape('TimelineNotSent', {
  ref: Type.String({ description: 'The event.' }),
  reason: Choice(notSentReasons, {
    description:
      'Why none of the present webhooks and integrations was told of it. `no_group`: it belongs to no event group. `stale`: it was at least ' +
      'as old as `stale_event_threshold` when it was recorded. `switched_off`: all triggers are off. `filtered`: no endpoint ' +
      'listens to it. All but the first are told by the ' +
      'present settings and receivers, which may have been others at the time of the event.',
  }),
});

/** Each kind has its own fields. The others are left out. */
const TimelineData = Shape('TimelineData', {
  order_number: Type.Optional(Type.String()),
  erased_by: Type.Optional(
    Nullable(
      Type.String({
        description:
          'Who asked for the erasure of personal data: the id of an API key, or the name of another source. Only the entry of an erasure has it.',
      }),
    ),
  ),
  shipment_id: Type.Optional(Uuid()),
  tracking_number: Type.Optional(Nullable(Type.String())),
  is_return: Type.Optional(Type.Boolean({ description: 'Whether the parcel goes to the merchant.' })),
  event_name: Type.Optional(Type.String()),
  phase: Type.Optional(Choice(phases)),
  location: Type.Optional(Nullable(Type.String({ description: 'City and country of the event.' }))),
  country_code: Type.Optional(
    Type.String({ description: 'The code of the country that `location` ends with, if the carrier told one.' }),
  ),
  provider: Type.Optional(Type.String({ description: 'The tracking provider.' })),
  status: Type.Optional(Type.String({ description: 'Of the submission to the tracking provider.' })),
  reason: Type.Optional(Nullable(Type.String())),
  view: Type.Optional(
    Choice(['visit', 'promotion_shown', 'promotion_followed'], {
      description: 'What happened on the tracking page.',
    }),
  ),
  campaign_id: Type.Optional(Uuid()),
  rating: Type.Optional(
    Shape(
      'TimelineRating',
      {
        stars: Type.Integer({ minimum: 1, maximum: ratingLimits.stars, description: 'From 1 to 5, the best.' }),
        text: Nullable(Type.String({ description: "The customer's own words." })),
      },
      { description: 'How the customer liked the delivery.' },
    ),
  ),
  delivery: Type.Optional(TimelineDelivery),
  email: Type.Optional(TimelineEmail),
  not_sent: Type.Optional(TimelineNotSent),
  claim: Type.Optional(TimelineClaim),
  withdrawal: Type.Optional(TimelineWithdrawal),
  run: Type.Optional(TimelineRun),
});

export const TimelineEntry = Shape('TimelineEntry', {
  at: DateTime({ description: 'When it happened.' }),
  kind: Choice(timelineKinds),
  title: Type.String({ description: 'What happened, as an English sentence.' }),
  data: TimelineData,
});

export const timelineDescription =
  'Returns what happened around an order, oldest first: the order and its parcels, what carriers reported, what was sent ' +
  'to whom and how that ended, e-mails to the customer or why none was sent, claims with their changes, a withdrawal from the contract, runs of automations, submissions to a tracking provider, ' +
  `views of the tracking page, and how the customer liked the delivery of a parcel. It has the newest ${timelineLimits.entries} entries. Deliveries are shown to admins only. ` +
  'That an event was sent to nobody, and why, is shown to everybody, as an entry of the kind `delivery` with `not_sent`. ' +
  'Deliveries and runs are those of events of the last 30 days, to receivers and of automations that still exist; of an ' +
  'order with very many events some may be missing. Of a deleted claim it only says when it was opened and deleted, without ' +
  'changes and comments. Views of the page that follow each other within half an hour are one entry.';

const searchMatches = [
  'uuid',
  'order_number',
  'order_name',
  'external_id',
  'tracking_number',
  'email',
  'customer_name',
  'zip_code',
  'claim',
] as const;

export const SearchResult = Shape('SearchResult', {
  kind: Choice(['order', 'claim']),
  matched: Choice(searchMatches, { description: 'What of the order or claim is the text.' }),
  order_id: Uuid(),
  order_number: Type.String(),
  order_name: Nullable(Type.String()),
  customer_name: Nullable(Type.String()),
  email_id: Nullable(Type.String()),
  city: Nullable(Type.String()),
  placed_at: DateTime(),
  phase: Choice(phases, { description: 'Of the parcel that changed last.' }),
  flag: Choice(['normal', 'delay', 'error'], { description: 'Whether one of the parcels is late or has a problem.' }),
  parcels: Type.Integer({ description: 'How many parcels the order has.' }),
  claim_uuid: Nullable(Uuid({ description: 'The claim, if the result is one.' })),
});

export type TimelineEntry = Static<typeof TimelineEntry>;
export type SearchResult = Static<typeof SearchResult>;
export type SearchMatch = (typeof searchMatches)[number];
