import Type, { type Static } from 'typebox';
import { eventFilters } from '../catalogues/event-filters.ts';
import { feedLimits } from '../catalogues/limits.ts';
import { Choice, DateTime, Defaulted, Nullable, Shape, Text, TimeFrom, TimeTo, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const eventsPath = `${shopPath}/events` as const;
const settingsPath = `${shopPath}/settings/events` as const;

const anyEvent = {
  id: Uuid({
    description:
      'The id of the event. With `endpoint` it is the `webhook-id` of the delivery that the endpoint gets, so you can compare.',
  }),
  at: DateTime({
    description: 'When the event entered the feed. `triggered_at` in its payload says when it happened.',
  }),
  cursor: Text(200, { description: 'Whoever goes on `after` it gets what follows this event.' }),
};

const FeedEvent = Shape('FeedEvent', {
  ...anyEvent,
  ref: Type.Optional(Type.String({ description: 'What happened, as in the payload.' })),
  event_group: Type.Optional(Nullable(Type.String({ description: 'The group of the event.' }))),
  subject_version: Type.Optional(
    Nullable(
      Type.Integer({
        description: 'As in the header `webhook-subject-version`: higher with each change of the same parcel or claim.',
      }),
    ),
  ),
  simulation_id: Type.Optional(
    Nullable(Uuid({ description: 'The simulation that made the event. Null if it is real.' })),
  ),
  payload: Type.Optional(
    Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What webhooks are sent. Null if it is too large for an answer: then read the order.',
        },
      ),
    ),
  ),
  erased: Type.Optional(
    Type.Literal(true, { description: 'The order was erased. Only the id and the time of the event are left.' }),
  ),
});

const FeedPage = Shape('FeedPage', {
  events: Type.Array(FeedEvent, { maxItems: feedLimits.page, description: 'In the order of the feed.' }),
  next: Text(200, { description: 'The cursor for the next request, also if there are no events.' }),
  at_end: Type.Boolean({ description: 'Whether there was nothing more.' }),
});

const LedgerHour = Shape('LedgerHour', {
  hour: DateTime({ description: 'The hour, as deliveries carry it in the header `webhook-hour`.' }),
  count: Type.Integer({ minimum: 0, description: 'How many events the hour has.' }),
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The sum of the SHA-256 of their ids, as they are written here, modulo 2^256, in hexadecimal digits.',
  }),
  delivered: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Of an endpoint: how many of them it has answered with success so far. Else null.',
    }),
  ),
  settled: Type.Boolean({
    description:
      'Whether the hour is counted to its end, some minutes after it. An event that was held up for longer joins the hour that its ' +
      'delivery carries, so even a settled hour can grow: what you were sent is always counted.',
  }),
});

const FeedSettings = Shape('EventSettings', {
  feed_enabled: Type.Boolean({ description: 'Whether the shop has a feed of its events, and a ledger.' }),
});

const FeedSettingsUpdate = Shape('EventSettingsUpdate', {
  feed_enabled: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether the shop has a feed of its events. Null leaves it unchanged.' })),
  ),
});

export const feed = declare({
  getEventSettings: {
    method: 'GET',
    path: settingsPath,
    role: 'viewer',
    summary: 'Get the settings of the feed of events',
    description: 'Returns whether the shop has a feed of its events. The default is off.',
    response: FeedSettings,
  },
  updateEventSettings: {
    method: 'PATCH',
    path: settingsPath,
    role: 'admin',
    summary: 'Switch the feed of events on or off',
    description:
      `Switches the feed of events on or off. On, it has every event from that moment on, for ${feedLimits.days} days. Off, nothing is ` +
      'written and nothing can be read. Switching it on again begins a new feed: older cursors are expired.',
    body: FeedSettingsUpdate,
    response: FeedSettings,
    ifMatch: true,
  },
  listEvents: {
    method: 'GET',
    path: eventsPath,
    role: 'admin',
    summary: 'Read every event, in order',
    description:
      'Returns the events of the shop in the order in which they entered its feed. Follow `next`, and you get every event once, ' +
      'whatever failed in between; all readers get the same order. An event is in the feed within 10 seconds and stays for ' +
      `${feedLimits.days} days. Of an order that was erased, the id and the time of its events stay.\n\n` +
      'Events that only one integration or only e-mails are for are not in it. Test events are not in it.',
    query: Type.Object({
      after: Type.Optional(
        Text(200, { description: 'A cursor: `next` of the last answer. Default: the oldest event that is kept.' }),
      ),
      from: Type.Optional(
        TimeFrom('Where to begin if there is no `after`. In the future: only what comes from now on.'),
      ),
      limit: Defaulted(
        Type.Integer({ minimum: 1, maximum: feedLimits.page, description: 'How many events to return at most.' }),
        feedLimits.defaultPage,
      ),
      wait: Defaulted(
        Type.Integer({
          minimum: 0,
          maximum: feedLimits.waitSeconds,
          description:
            'For how many seconds to wait if there is nothing new. It answers as soon as something comes. If ' +
            `${feedLimits.waiting} requests of the shop wait already, it answers at once.`,
        }),
        0,
      ),
      endpoint: Type.Optional(Uuid({ description: 'Only what this endpoint is sent.' })),
      ref: Type.Optional(
        Choice(eventFilters, {
          description: 'Only these events, by the filters of endpoints: `shipments/delivered`, `claims`, …',
        }),
      ),
    }),
    response: FeedPage,
    errors: ['feed_off', 'cursor_expired', 'webhook_not_found'],
  },
  getEventLedger: {
    method: 'GET',
    path: `${eventsPath}/ledger`,
    role: 'admin',
    summary: 'Prove that nothing is missing',
    description:
      'Returns how many events each hour has, and a digest of their ids. Add up the SHA-256 of the `webhook-id`s that you got, by ' +
      'their `webhook-hour`, modulo 2^256: if your sum is the same, you have all of them. If not, the feed with the same ' +
      '`endpoint` says which are missing. Compare hours that are `settled`: others are still counted, about a minute behind. An ' +
      'hour without events is not in the list.',
    query: Type.Object({
      from: Type.Optional(
        TimeFrom('Only hours from the one on in which this time is. Default: the oldest that is kept.'),
      ),
      to: Type.Optional(TimeTo('Only hours up to the one in which this time is. Default: the newest.')),
      endpoint: Type.Optional(
        Uuid({ description: 'What this endpoint is sent. Default: all events of the shop, by the ids of the feed.' }),
      ),
    }),
    response: Type.Array(LedgerHour, { maxItems: 24 * feedLimits.days + 2, description: 'Oldest first.' }),
    errors: ['feed_off', 'webhook_not_found'],
  },
});

export type EventSettings = Static<typeof FeedSettings>;
