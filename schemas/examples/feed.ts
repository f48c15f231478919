import type { feed } from '../families/feed.ts';
import type { ExamplesOf } from './example.ts';
import { ids } from './story.ts';

const next = 'WzMsMTc2MzQzMDAwMDAwMCw0LDAsMTc2MzQzMDAwMDAwMF0';

export const feedExamples = {
  getEventSettings: { response: { feed_enabled: true } },
  updateEventSettings: { body: { feed_enabled: true }, response: { feed_enabled: true } },
  listEvents: {
    query: { limit: 100, wait: 20 },
    response: {
      events: [{ id: ids.deliveredDelivery, at: '2026-11-16T09:30:00.512Z', erased: true, cursor: next }],
      next,
      at_end: true,
    },
  },
  getEventLedger: {
    query: { from: '2026-11-16' },
    response: [{ hour: '2026-11-16T09:00:00Z', count: 1, digest: '0'.repeat(64), delivered: null, settled: true }],
  },
} satisfies ExamplesOf<typeof feed>;
