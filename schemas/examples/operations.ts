import type { operations } from '../families/operations.ts';
import type { ExamplesOf } from './example.ts';

const queues = [
  'deliveries',
  'events',
  'counts',
  'parts',
  'tracking-requests',
  'registrations',
  'carrier-updates',
  'runs',
  'segments',
  'email-events',
];

export const operationsExamples = {
  getOperations: {
    response: {
      queues: queues.map((name) => ({ name, waiting: 0, given_up: 0 })),
      circuits: [],
      providers: [{ provider: 'aftership', last_webhook_at: '2026-11-16T09:10:12.480Z', unmapped: 1, refused: 0 }],
      streams: [
        { name: 'counts', age_seconds: 71 },
        { name: 'fan-out', age_seconds: 26 },
      ],
    },
  },
} satisfies ExamplesOf<typeof operations>;
