import Type, { type Static } from 'typebox';
import { figuresLimits } from '../catalogues/limits.ts';
import { Nullable, Shape } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Day = (description: string) => Type.String({ format: 'date', description });
const Rate = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));
const Hours = (description: string) => Nullable(Type.Number({ minimum: 0, description }));

/** What figures can be divided by. */
const figureDimensions = ['carrier', 'country', 'week'] as const;
export type FigureDimension = (typeof figureDimensions)[number];

const DeliveryTimes = Shape('DeliveryTimes', {
  carrier_reference: Nullable(
    Type.String({ description: 'The carrier. Null if it is unknown, or if `by` does not name it.' }),
  ),
  country: Nullable(
    Type.String({
      description: 'The country of delivery, in two letters. Null if it is unknown, or if `by` does not name it.',
    }),
  ),
  week: Nullable(
    Type.String({
      description: 'The week of handing over by ISO 8601, such as `2026-W46`. Null if `by` does not name it.',
    }),
  ),
  shipped: Count('Parcels that the carrier got: from its first scan on the way. A label alone is not shipped.'),
  delivered: Count('Those of them that were delivered.'),
  ended_otherwise: Count('Those that were lost, sent back or cancelled on the way.'),
  under_way: Count('Those that are still on their way.'),
  median_hours: Hours(
    'Half of the parcels are delivered within so many hours, to one decimal. Parcels under way count as not yet delivered ' +
      '(Kaplan–Meier, a curve for each weekday), so that a young week is not flattered; with `week` in `by`, the weeks before tell how a ' +
      'young one goes on. Parcels that ended otherwise stay undelivered. Null while half is not reached.',
  ),
  p90_hours: Hours('The same for nine of ten parcels.'),
  first_attempt_rate: Rate(
    'The share of parcels, of those whose delivery was attempted, that the first attempt delivered or brought to the collection point, to four decimals. Null without attempts.',
  ),
  promised: Shape(
    'KeptPromises',
    {
      n: Count('Delivered parcels whose carrier named a time.'),
      kept: Count('Those of them that came by the end of the first window that it named.'),
    },
    { description: 'Whether carriers keep what they promise.' },
  ),
  claims: Count('Claims about these parcels, without the deleted ones.'),
  rating: Shape(
    'DeliveryRating',
    {
      n: Count('Ratings by customers.'),
      mean: Nullable(
        Type.Number({
          minimum: 1,
          maximum: 5,
          description: 'Their mean, of 5 stars, to four decimals. Null without ratings.',
        }),
      ),
    },
    { description: 'What customers say about the delivery.' },
  ),
  definition: Type.Integer({
    description: 'The version of what these figures mean. If a definition changes, this number does too.',
  }),
});

const DayFigures = Shape('DayFigures', {
  day: Day('A day in UTC.'),
  orders: Count('Orders that were placed.'),
  shipped: Count('Parcels that carriers got.'),
  delivered: Count('Parcels that were delivered.'),
  claims: Count('Claims that were made, without the deleted ones.'),
  pages_opened: Count('Visits of tracking pages. Views within half an hour are one visit.'),
  mails_sent: Count('E-mails to customers.'),
  promotions_shown: Count('Orders whose tracking page showed a promotion for the first time.'),
  promotions_clicked: Count('Orders whose customer followed a promotion for the first time.'),
});

const days = {
  from: Type.Optional(
    Day(
      `The first day, in UTC. Default: ${figuresLimits.usualDays} days up to \`to\`. At most ${figuresLimits.days} days.`,
    ),
  ),
  to: Type.Optional(Day('The last day, in UTC. Default: today.')),
};

const analyticsPath = `${shopPath}/analytics` as const;

const countedLate = 'Counts follow a change within a minute. Simulations count nowhere.';

export const analytics = declare({
  getDeliveryTimes: {
    method: 'GET',
    path: `${analyticsPath}/delivery-times`,
    role: 'viewer',
    summary: 'How long deliveries take',
    description:
      'Returns how long parcels take and what becomes of them, by the day on which the carrier got them (UTC). ' +
      'The oldest week comes first, then the most parcels. Groups without parcels, claims and ratings are left out. ' +
      `With \`Accept: text/csv\` the same as CSV. ${countedLate}`,
    query: Type.Object({
      ...days,
      by: Type.Optional(
        Type.String({
          pattern: `^(${figureDimensions.join('|')})(,(${figureDimensions.join('|')}))*$`,
          maxLength: 60,
          description: 'What to divide by: `carrier`, `country`, `week`, or several with commas. Default: `carrier`.',
        }),
      ),
    }),
    response: Type.Array(DeliveryTimes),
    csv: true,
    errors: ['payload_too_large'],
  },
  getOverview: {
    method: 'GET',
    path: `${analyticsPath}/overview`,
    role: 'viewer',
    summary: 'What happened on each day',
    description: `Returns what happened in the shop, each on the day it happened (UTC), oldest first. With \`Accept: text/csv\` the same as CSV. ${countedLate}`,
    query: Type.Object(days),
    response: Type.Array(DayFigures),
    csv: true,
  },
});

export type DeliveryTimes = Static<typeof DeliveryTimes>;
export type DayFigures = Static<typeof DayFigures>;
