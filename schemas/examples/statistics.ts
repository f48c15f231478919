import { phases } from '../catalogues/shipment-events.ts';
import type { statistics } from '../families/statistics.ts';
import type { ExamplesOf } from './example.ts';
import { ids } from './story.ts';

const today = '2026-11-16';

const noParcels = Object.fromEntries(phases.map((phase) => [phase, 0])) as Record<(typeof phases)[number], number>;

const none = { count: 0, has_more: false, parcels: [] };

const target = <const K extends string>(kind: K, id: string) => ({ target: id, kind, p50_ms: 70, p95_ms: 98 });

export const statisticsExamples = {
  getStatistics: {
    query: { days: 1 },
    response: {
      from: today,
      to: today,
      parcels: { by_phase: { ...noParcels, delivered: 1, order_processed: 2 } },
      orders: { days: [{ day: today, count: 0 }] },
      claims: { by_status: { pending: 1, accepted: 0, rejected: 0, closed: 0 } },
      deliveries: {
        days: [{ day: today, delivered: 2, failed: 2, attempts_failed: 30, p50_ms: 57, p95_ms: 97 }],
        targets: [
          { ...target('webhook', ids.endpoint), delivered: 1, failed: 1, attempts_failed: 15 },
          { ...target('integration', 'integration_1'), delivered: 0, failed: 1, attempts_failed: 15 },
          { ...target('automation', ids.automation), delivered: 1, failed: 0, attempts_failed: 0 },
        ],
      },
    },
  },
  getTargetStatistics: {
    params: { target: ids.endpoint },
    query: { days: 1 },
    response: {
      target: ids.endpoint,
      from: today,
      to: today,
      days: [{ day: today, delivered: 1, failed: 1, attempts_failed: 15, p50_ms: 70, p95_ms: 98 }],
    },
  },
  getAttention: {
    query: { idle_days: 5 },
    response: {
      no_movement: none,
      failed_delivery: none,
      lost: none,
      damaged: none,
      exception: none,
      claims: {
        count: 1,
        has_more: false,
        claims: [
          {
            uuid: ids.claim,
            order_id: ids.order,
            order_number: '10482',
            customer_name: 'Mara Lindqvist',
            reason: 'partial_damage',
            status: 'pending',
            created_at: '2026-11-16T09:05:30.000Z',
            unanswered_since: null,
          },
        ],
      },
    },
  },
} satisfies ExamplesOf<typeof statistics>;
