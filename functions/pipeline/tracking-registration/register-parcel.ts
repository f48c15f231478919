import { loadSettings, takesUpdates } from '#domain/settings/stored-settings.ts';
import type { ParcelToTrack, RegistrationOutcome } from '#domain/tracking-providers/provider.ts';
import { decryptSecret, type ProviderItem, providerFor } from '#domain/tracking-providers/provider-store.ts';
import { providers as connectors } from '#domain/tracking-providers/providers.ts';
import {
  enqueueRegistrations,
  enqueueTrackingRequests,
  type ParcelMessage,
} from '#domain/tracking-providers/registration-queue.ts';
import type { Handled } from '#platform/message-batch.ts';
import type { Call } from '#platform/outgoing/call.ts';
import { sendAll } from '#platform/queue.ts';
import { attemptAfter, gaveUp, isOver, noAnswer, switchedOff } from './registration-rules.ts';
import { begin, type LoadedParcel, loadParcel, saveSubmission } from './submission-store.ts';

export interface Ports {
  call: Call;
  now(): Date;
  /** Those that are set, in their order. */
  providers: readonly ProviderItem[];
}

/**
 * Registers a parcel with the provider of its carrier, and writes onto the shipment what came of it. A repeated message
 * changes nothing: a registered parcel is not registered again, and a provider that knows it says so. Of two messages
 * about a parcel, such as those of its event and of a backlog, the second ends while the first one lasts.
 */
export async function registerParcel(message: BegunMessage, ports: Ports): Promise<Handled> {
  const [parcel, settings] = await Promise.all([loadParcel(message), loadSettings(message.shop_slug)]);
  // The shipment was deleted in the meantime.
  if (!parcel) return 'nothing_to_do';
  const { tracking_submission: before } = parcel.shipment;
  const item = providerFor(message.carrier_reference, ports.providers);
  if (!takesUpdates(settings)) {
    if (before?.status !== 'pending') return 'nothing_to_do';
    const at = ports.now().toISOString();
    return unasked(saveSubmission(parcel, { ...before, status: 'refused', reason: switchedOff, at }));
  }
  if (!item) return unasked(passOn(message, parcel));
  if (before?.status === 'submitted' && before.provider === item.provider) return 'nothing_to_do';
  if ((message.not_before ?? '') > ports.now().toISOString()) return unasked(sendLater(message, ports));
  if (!(await begin(parcel, message.begun_by, item.provider, ports.now()))) return 'nothing_to_do';
  await settle(message, parcel, item, await register(parcel.toTrack, item, ports), ports);
  return undefined;
}

type BegunMessage = ParcelMessage & Required<Pick<ParcelMessage, 'begun_by'>>;

/** No provider was asked, so this says nothing about other parcels. */
async function unasked(work: Promise<void>): Promise<Handled> {
  await work;
  return 'nothing_to_do';
}

/** The provider was deleted, so the parcel goes where parcels go that no provider takes. */
async function passOn(message: ParcelMessage, parcel: LoadedParcel): Promise<void> {
  const { shop_slug, shipment_id, tracking_number, carrier_reference } = message;
  await enqueueTrackingRequests([{ shop_slug, shipment_id, tracking_number, carrier_reference }]);
  if (parcel.shipment.tracking_submission?.status === 'pending') await saveSubmission(parcel, undefined);
}

async function register(parcel: ParcelToTrack, item: ProviderItem, { call, now }: Ports): Promise<RegistrationOutcome> {
  const [connector, api_key] = await Promise.all([connectors[item.provider](), decryptSecret(item, 'api_key')]);
  const { method, path, headers, body } = connector.registration(parcel, { api_key });
  const base = (item.base_url ?? connector.baseUrl).replace(/\/+$/, '');
  const answer = await call({ method, url: base + path, headers, body: Buffer.from(body) });
  if (answer.status === undefined || answer.failure !== undefined) return noAnswer(answer.failure);
  return connector.outcomeOf({
    status: answer.status,
    body: answer.body?.toString('utf8') ?? '',
    headers: textsOf(answer.headers ?? {}),
    received_at: now(),
  });
}

const textsOf = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

async function settle(
  message: ParcelMessage,
  parcel: LoadedParcel,
  { provider }: ProviderItem,
  outcome: RegistrationOutcome,
  ports: Ports,
): Promise<void> {
  const now = ports.now();
  const at = now.toISOString();
  const { status } = outcome;
  if (status === 'submitted') return saveSubmission(parcel, { provider, status, reason: null, at });
  const { reason } = outcome;
  if (status === 'refused') return saveSubmission(parcel, { provider, status, reason, at });
  const next = attemptAfter(message, outcome, now);
  if (isOver(next, now)) {
    await saveSubmission(parcel, { provider, status: 'refused', reason: gaveUp(reason), at });
    return giveUp(message);
  }
  // First the shipment: if the queue then fails, this message comes again, and nothing is done twice.
  await saveSubmission(parcel, { provider, status: 'pending', reason, at });
  await sendLater(next, ports);
}

const sendLater = (message: ParcelMessage, { now }: Ports): Promise<void> => enqueueRegistrations([message], now());

/** An operator finds it there, is told by an alarm, and can send it again from the start. */
function giveUp(message: ParcelMessage): Promise<void> {
  const { begun_by: _by, attempts: _, first_at: _first, not_before: _wait, ...parcel } = message;
  return sendAll([parcel], { variable: 'REGISTRATION_GIVEN_UP_QUEUE_URL', groupOf: ({ shop_slug }) => shop_slug });
}
