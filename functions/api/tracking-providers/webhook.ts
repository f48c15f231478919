import { eventsOf } from '#domain/tracking-providers/checkpoint-rules.ts';
import { decryptSecret, readProvider } from '#domain/tracking-providers/provider-store.ts';
import { providers } from '#domain/tracking-providers/providers.ts';
import { noteRefusedWebhook, noteWebhook } from '#domain/tracking-providers/webhook-marks.ts';
import { cause } from '#platform/correlation.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { CheckSignature } from '#platform/http/signature.ts';
import { sendAll } from '#platform/queue.ts';
import { type TrackingProviderName, trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import type { trackingProviderOperations } from '#schemas/families/tracking-providers.ts';
import { historiesOf } from './histories.ts';
import { countUnmapped } from './unmapped-codes.ts';

/** The provider authenticates in its own way, with the secret that the operator has set. */
export const checkProviderSignature: CheckSignature = async ({ headers, params, rawBody }) => {
  const name = trackingProviders.find((known) => known === params.provider);
  // The validation that follows refuses the path.
  if (!name) return { signed: { headers, settings: {} } };
  const item = await readProvider(name);
  if (!item) throw new ServiceError('tracking_provider_not_found');
  const [provider, secret] = await Promise.all([providers[name](), decryptSecret(item, 'webhook_secret')]);
  if (!provider.isGenuine({ headers, rawBody }, secret)) {
    await noteRefusedWebhook(name, new Date());
    throw new ServiceError('signature_invalid');
  }
  return { signed: { headers, settings: item } };
};

/** Nothing is written to orders here: the provider expects its answer at once, and the queue can wait. */
export const receiveProviderWebhook: Implementation<
  (typeof trackingProviderOperations)['receiveProviderWebhook']
> = async ({ params, body, now }) => {
  const name: TrackingProviderName = params.provider;
  const provider = await providers[name]();
  const received = { reported_at: now.toISOString() };
  const reports = provider.reportsIn(body).map((report) => ({ ...received, ...report }));
  const reported = reports.map((report) => eventsOf(report, provider.codes));
  const histories = reported
    .flatMap(({ events }) => historiesOf(events))
    .map((history) => ({ ...history, ...cause() }));
  await Promise.all([
    noteWebhook(name, now),
    sendAll(histories, { variable: 'CARRIER_UPDATES_QUEUE_URL', groupOf: () => name }),
    countUnmapped(
      name,
      reported.flatMap(({ unmapped }) => unmapped),
      now,
    ),
  ]);
  return null;
};
