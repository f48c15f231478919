import type { analytics } from '../families/analytics.ts';
import type { ExamplesOf } from './example.ts';

const today = '2026-11-16';

export const analyticsExamples = {
  getDeliveryTimes: {
    query: { from: '2026-11-09', to: today, by: 'carrier,country' },
    response: [
      {
        carrier_reference: 'dhl',
        country: 'DE',
        week: null,
        shipped: 1,
        delivered: 1,
        ended_otherwise: 0,
        under_way: 0,
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
    query: { from: today, to: today },
    response: [
      {
        day: today,
        orders: 1,
        shipped: 1,
        delivered: 1,
        claims: 1,
        pages_opened: 0,
        mails_sent: 0,
        promotions_shown: 0,
        promotions_clicked: 0,
      },
    ],
  },
} satisfies ExamplesOf<typeof analytics>;
