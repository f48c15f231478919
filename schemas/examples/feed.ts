import type { feed } from '../families/feed.ts';
import type { ExamplesOf } from './example.ts';
import { deliveredEvent } from './outgoing-events.ts';
import { feedCursors, ids } from './story.ts';

const { ref, event_group } = deliveredEvent;

export const feedExamples = {
  getEventSettings: { response: { feed_enabled: true } },
  updateEventSettings: { body: { feed_enabled: true }, response: { feed_enabled: true } },
  listEvents: {
    query: { endpoint: ids.endpoint, ref: 'shipments/delivered', limit: 100, wait: 20 },
    response: {
      events: [
        {
          ...{ id: ids.deliveredDelivery, at: '2026-11-16T09:04:54.937Z', ref, event_group },
          ...{ subject_version: 3, simulation_id: null, payload: deliveredEvent },
          cursor: feedCursors.behindDelivered,
        },
        { id: ids.erasedDelivery, at: '2026-11-16T10:12:07.441Z', erased: true, cursor: feedCursors.behindErased },
      ],
      next: feedCursors.end,
      at_end: true,
    },
  },
  getEventLedger: {
    query: { endpoint: ids.endpoint, from: '2026-11-16T08:30:00Z', to: '2026-11-16T09:30:00Z' },
    response: [
      {
        hour: '2026-11-16T09:00:00Z',
        count: 1,
        // Of the event that is delivered. With another one in the hour, their sum.
        digest: 'ce363b580e10d2829209ad07b5248f85b6a4becab22709aeaf8d6eede98270e5',
        delivered: 1,
        settled: false,
      },
    ],
  },
} satisfies ExamplesOf<typeof feed>;
