import type { analytics } from '../families/analytics.ts';
import type { ExamplesOf } from './example.ts';

/** Before anything happened: what the service answers for a later day depends on the hour at which the story is played. */
const day = '2026-11-12';

export const analyticsExamples = {
  getDeliveryTimes: {
    query: { by: 'carrier,country' },
    response: [
      {
        carrier_reference: 'dhl',
        country: 'DE',
        week: null,
        shipped: 1,
        delivered: 1,
        ended_otherwise: 0,
        under_way: 0,
        // Nobody knows yet how long the others of the day take.
        median_hours: null,
        p90_hours: null,
        first_attempt_rate: 1,
        promised: { n: 0, kept: 0 },
        claims: 1,
        rating: { n: 0, mean: null },
        definition: 1,
      },
    ],
  },
  getOverview: {
    query: { from: day, to: day },
    response: [
      {
        day,
        orders: 0,
        shipped: 0,
        delivered: 0,
        claims: 0,
        pages_opened: 0,
        mails_sent: 0,
        promotions_shown: 0,
        promotions_clicked: 0,
      },
    ],
  },
  // The parcel of the story had no window: none of ours before thirty others arrived, and none of its carrier.
  getArrivalCalibration: { response: [] },
} satisfies ExamplesOf<typeof analytics>;
