import type { trackingProviderOperations } from '#schemas/families/tracking-providers.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import type { Answer, Api } from './client.ts';

export type Tour = Record<keyof typeof trackingProviderOperations | 'countAgain', Answer>;

const path = '/v1/tracking-providers';
const fake = fakeProviders.aftership;

/** The webhook of a provider, signed by it. */
export function postWebhook(api: Api, number: string, checkpoints: readonly unknown[], secret?: string) {
  const bytes = Buffer.from(JSON.stringify(fake.webhook(number, checkpoints)));
  return api('POST', `${path}/aftership/webhook`, { body: bytes, headers: fake.signed(bytes, secret) });
}

export const setProvider = (api: Api, key: string, fields: object = {}) =>
  api('PUT', `${path}/aftership`, {
    key,
    body: { api_key: fake.apiKey, webhook_secret: fake.webhookSecret, ...fields },
  });

/** A checkpoint with a code that the provider does not document. */
export const strangeCheckpoint = (code: string) => ({
  tag: 'Weighed',
  subtag: code,
  message: 'The shipment was weighed',
  checkpoint_time: '2026-03-03T02:05:00+01:00',
});

/** Every operation of the family once; a failure does not prevent the later ones. */
export async function tourOfTrackingProviders(api: Api, key: string): Promise<Tour> {
  const weighed = [strangeCheckpoint('Weighed_001'), ...fake.histories[0]!.checkpoints];
  return {
    setTrackingProvider: await setProvider(api, key, { carriers: ['ups'] }),
    listTrackingProviders: await api('GET', path, { key }),
    receiveProviderWebhook: await postWebhook(api, 'tour-of-providers', weighed),
    countAgain: await postWebhook(api, 'tour-of-providers', weighed),
    listUnmappedCodes: await api('GET', `${path}/aftership/unmapped`, { key }),
    deleteTrackingProvider: await api('DELETE', `${path}/aftership`, { key }),
  };
}
