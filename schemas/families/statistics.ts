import Type, { type Static } from 'typebox';
import { emailTarget } from '../catalogues/emails.ts';
import { claimReasons, claimStatuses } from '../catalogues/enumerations.ts';
import { notifiedIntegrations } from '../catalogues/integrations.ts';
import { attentionLimits, figuresLimits, silenceLimits, statisticsLimits } from '../catalogues/limits.ts';
import { phases, shipmentEventNames } from '../catalogues/shipment-events.ts';
import { Choice, DateTime, Defaulted, Nullable, Shape, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

/** One count for each name. */
const CountOfEach = <const T extends readonly string[]>(title: string, names: T) =>
  Type.Unsafe<Record<T[number], number>>(Shape(title, Object.fromEntries(names.map((name) => [name, Count()]))));

const Day = Type.String({ format: 'date', description: 'A day in UTC.' });

const results = {
  delivered: Count('Deliveries that the target accepted.'),
  failed: Count('Deliveries that were given up.'),
  attempts_failed: Count('Attempts that failed, also those of deliveries that arrived later.'),
  p50_ms: Nullable(
    Type.Integer({
      description: 'Half of the attempts took no longer than this, within a fifth. Null without attempts.',
    }),
  ),
  p95_ms: Nullable(Type.Integer({ description: '95 % of the attempts took no longer than this, within a fifth.' })),
};

const uuidPattern = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const DeliveryTarget = Type.String({
  maxLength: 36,
  pattern: `^(${uuidPattern}|${[...notifiedIntegrations, emailTarget].join('|')})$`,
  description: 'The uuid of an endpoint, the name of an integration, or `email`.',
});

const DeliveriesOfDay = Shape('DeliveriesOfDay', { day: Day, ...results });

const Days = Defaulted(
  Type.Integer({
    minimum: 1,
    maximum: statisticsLimits.days,
    description: 'How many days to show, up to today.',
  }),
  statisticsLimits.usualDays,
);

const TargetStatistics = Shape('TargetStatistics', {
  target: Type.String({ description: 'The uuid of the endpoint, or the name of the integration.' }),
  from: Day,
  to: Day,
  days: Type.Array(DeliveriesOfDay, { maxItems: statisticsLimits.days, description: 'Every day, oldest first.' }),
});

const Statistics = Shape('Statistics', {
  from: Day,
  to: Day,
  parcels: Shape('ParcelStatistics', { by_phase: CountOfEach('ParcelsByPhase', phases) }),
  orders: Shape('OrderStatistics', {
    days: Type.Array(Shape('OrdersOfDay', { day: Day, count: Count('Orders that were placed on this day.') })),
  }),
  claims: Shape('ClaimStatistics', { by_status: CountOfEach('ClaimsByStatus', claimStatuses) }),
  deliveries: Nullable(
    Shape(
      'DeliveryStatistics',
      {
        days: Type.Array(DeliveriesOfDay),
        targets: Type.Array(
          Shape('DeliveriesOfTarget', {
            target: Type.String({
              description: 'The uuid of an endpoint or an automation, the name of an integration, or `email`.',
            }),
            kind: Choice(['webhook', 'integration', 'automation', 'email']),
            ...results,
          }),
          { description: 'Over all days. The target with the most failed deliveries is first.' },
        ),
      },
      { description: 'Null for callers who are not admins of the shop.' },
    ),
  ),
});

const customerName = Nullable(
  Type.String({ description: 'The name of the delivery address. Null if the order has none.' }),
);

const parcelFields = {
  order_id: Uuid(),
  order_number: Type.String(),
  customer_name: customerName,
  shipment_id: Uuid(),
  tracking_number: Nullable(Type.String()),
  carrier_reference: Nullable(Type.String()),
  phase: Choice(phases),
  event_name: Choice(shipmentEventNames, { description: 'The last event.' }),
  event_time: DateTime(),
};

const AttentionParcels = (description: string) =>
  Shape(
    'AttentionParcels',
    {
      count: Count(`How many there are, ${attentionLimits.counted} at most.`),
      has_more: Type.Boolean({ description: 'Whether there are more than were counted.' }),
      parcels: Type.Array(Shape('AttentionParcel', parcelFields), { maxItems: attentionLimits.shown }),
    },
    { description },
  );

const Attention = Shape('Attention', {
  no_movement: AttentionParcels(
    'Under way, and silent: without an event that says where they are for longer than is usual for their carrier and ' +
      'country. One that moves again leaves the list by itself. The longest wait is first. Of many parcels under way one ' +
      'request looks at a part only, the longest waits first; then `has_more` is true, and there may be more.',
  ),
  failed_delivery: AttentionParcels('The carrier could not deliver. The newest is first.'),
  lost: AttentionParcels('Lost or destroyed. The newest is first.'),
  damaged: AttentionParcels('Reported as damaged. The newest is first.'),
  exception: AttentionParcels('Other problems that somebody must solve. The newest is first.'),
  claims: Shape(
    'AttentionClaims',
    {
      count: Count(`How many there are, ${attentionLimits.counted} at most.`),
      has_more: Type.Boolean(),
      claims: Type.Array(
        Shape('AttentionClaim', {
          uuid: Uuid(),
          order_id: Uuid(),
          order_number: Type.String(),
          customer_name: customerName,
          reason: Choice(claimReasons),
          status: Choice(claimStatuses),
          created_at: DateTime(),
          unanswered_since: Nullable(
            DateTime({ description: 'Since when the customer waits for an answer to a message. Null if none waits.' }),
          ),
        }),
        { maxItems: attentionLimits.shown },
      ),
    },
    {
      description:
        'Claims that wait for a decision (`pending`), and claims in which a message of the customer waits for an answer. The ' +
        'longest wait is first.',
    },
  ),
});

export const statistics = declare({
  getStatistics: {
    method: 'GET',
    path: `${shopPath}/statistics`,
    role: 'viewer',
    summary: 'Get the counts of a shop',
    description:
      'Returns how many parcels are in each phase and how many claims have each status now, the orders of the last days, ' +
      'and for admins the results of deliveries. The counts follow a change within a minute. They are kept beside the data: ' +
      'after a fault of the service they may be off by what happened then. They begin when a shop first changes something ' +
      'after the service has learned to count. Days are in UTC. An order counts for the day on which it was placed, if it was ' +
      `created within ${figuresLimits.keptDays} days of that. Simulated orders do not count.`,
    query: Type.Object({ days: Days }),
    response: Statistics,
  },
  getTargetStatistics: {
    method: 'GET',
    path: `${shopPath}/statistics/deliveries/{target}`,
    role: 'admin',
    summary: 'Get the counts of one endpoint or integration',
    description:
      'Returns for each of the last days how many deliveries to the target arrived or were given up, how many attempts ' +
      'failed and how long they took. A target that got nothing, or that does not exist, has zeros.',
    params: Type.Object({ target: DeliveryTarget }),
    query: Type.Object({ days: Days }),
    response: TargetStatistics,
  },
  getAttention: {
    method: 'GET',
    path: `${shopPath}/attention`,
    role: 'viewer',
    summary: 'Find what needs somebody',
    description:
      'Returns the parcels that do not move or have a problem, and the claims that nobody has decided or answered. It shows up to ' +
      `${attentionLimits.shown} of each kind, from the last ${attentionLimits.days} days. A parcel is in one list at most. ` +
      'A parcel that has not changed since the service learned to look for this is missing until its next event.\n\n' +
      `A parcel under way does not move if it has been silent for longer than ${silenceLimits.percent} of 100 delivered parcels of its carrier ` +
      `to its country ever were, of those that the shop handed over in the last ${silenceLimits.learnedDays} days. While fewer than ` +
      `${silenceLimits.knownParcels} of them are known, it does not move after ${silenceLimits.usualDays} days. What is learned is used within ten minutes. ` +
      'Silence counts in whole days, from the end of the day of the last event.',
    query: Type.Object({
      idle_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          // A parcel whose last event is older is in no list.
          maximum: attentionLimits.days - 1,
          description:
            'A parcel under way does not move if it has had no event for this many days, whatever its carrier and country. ' +
            'Without it, what the parcels of the shop have taught decides.',
        }),
      ),
    }),
    response: Attention,
  },
});

export type StatisticsResponse = Static<typeof Statistics>;
export type AttentionResponse = Static<typeof Attention>;
