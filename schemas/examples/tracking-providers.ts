import type { trackingProviderOperations } from '../families/tracking-providers.ts';
import type { ExamplesOf } from './example.ts';
import { firstNumber, hosts } from './story.ts';

const params = { provider: 'aftership' } as const;

/** Invented, and long enough that the list shows its last four characters. */
export const providerSecrets = { api_key: 'invented-key-of-the-operator', webhook_secret: 'invented-webhook-secret' };

export const trackingProviderExamples = {
  setTrackingProvider: {
    params,
    body: { ...providerSecrets, priority: 10, carriers: ['dhl', 'dpd'] },
    response: null,
  },
  listTrackingProviders: {
    response: [
      {
        provider: 'aftership',
        api_key: '****ator',
        webhook_secret: '****cret',
        base_url: null,
        priority: 10,
        carriers: ['dhl', 'dpd'],
        webhook_url: `${hosts.service}/v1/tracking-providers/aftership/webhook`,
      },
    ],
  },
  receiveProviderWebhook: {
    params,
    body: {
      event: 'tracking_update',
      msg: {
        tracking_number: firstNumber,
        slug: 'dhl',
        checkpoints: [
          {
            slug: 'dhl',
            tag: 'InTransit',
            subtag: 'InTransit_003',
            message: 'The shipment has been processed in the parcel center',
            checkpoint_time: '2026-11-15T21:40:00+01:00',
            city: 'Hamburg',
            country_iso3: 'DEU',
          },
          {
            slug: 'dhl',
            tag: 'Weighed',
            subtag: 'Weighed_001',
            message: 'The shipment was weighed',
            checkpoint_time: '2026-11-15T21:45:00+01:00',
          },
        ],
      },
    },
    response: null,
  },
  listUnmappedCodes: {
    params,
    query: { per_page: 10 },
    response: [
      {
        code: 'Weighed_001',
        text: 'The shipment was weighed',
        count: 1,
        last_at: '2026-11-16T09:10:12.480Z',
      },
    ],
  },
  deleteTrackingProvider: { params, response: null },
} satisfies ExamplesOf<typeof trackingProviderOperations>;
