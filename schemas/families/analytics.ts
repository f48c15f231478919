import Type, { type Static } from 'typebox';
import { arrivalLimits, figuresLimits } from '../catalogues/limits.ts';
import { Choice, Nullable, Shape } from '../shapes/shapes.ts';
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

/** Who said when a parcel arrives: we, or the carrier. Ours comes first. */
const arrivalSources = ['prediction', 'carrier'] as const;

const ArrivalCalibration = Shape('ArrivalCalibration', {
  week: Type.String({ description: 'The week of handing over by ISO 8601, such as `2026-W46`.' }),
  source: Choice(arrivalSources, {
    description:
      'Who named the window: `prediction` is ours, the first one that was shown for a parcel, in days of the recipient; `carrier` is the first one that the carrier named.',
  }),
  carrier_reference: Nullable(Type.String({ description: 'The carrier. Null if it is unknown.' })),
  level: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `The share of deliveries that the windows are to hold: ${arrivalLimits.level} for ours. Null for the carrier's, which names none.`,
    }),
  ),
  n: Type.Integer({ minimum: 1, description: 'Delivered parcels with such a window.' }),
  covered: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'The share of them that were delivered within their window, to four decimals. A window of the carrier without a start begins when it was named. ' +
      'Unlike `promised.kept` of the delivery times, which asks for the end alone, a parcel that came too early is not covered.',
  }),
  mean_width_hours: Type.Number({
    minimum: 0,
    description: 'How wide the windows are on average, in hours, to one decimal. A day of ours is 24 hours.',
  }),
  under_way: Count(
    'Parcels of this carrier and week that are still on their way, with and without a window. The late ones are among them, so `covered` of a week with many of them is too high and not final.',
  ),
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
  getArrivalCalibration: {
    method: 'GET',
    path: `${analyticsPath}/arrival-calibration`,
    role: 'viewer',
    summary: 'Whether parcels arrive when it was said',
    description:
      'Returns how many parcels were delivered within the window that was said first, by the week in which the carrier got them (UTC), by carrier and by who said it. ' +
      'Windows of ours are to hold nine deliveries in ten: a much lower share means that they are too narrow, a much higher one that they could be narrower. ' +
      'The oldest week comes first, then the carriers by name, and of each ours before its own. Groups without a delivered parcel that had a window are left out. ' +
      `With \`Accept: text/csv\` the same as CSV. ${countedLate}`,
    query: Type.Object(days),
    response: Type.Array(ArrivalCalibration),
    csv: true,
  },
});

export type DeliveryTimes = Static<typeof DeliveryTimes>;
export type DayFigures = Static<typeof DayFigures>;
export type ArrivalCalibration = Static<typeof ArrivalCalibration>;
