import Type, { type Static } from 'typebox';
import { trackingProviderLimits } from '../catalogues/limits.ts';
import { trackingProviders } from '../catalogues/tracking-providers.ts';
import { CarrierReference } from '../shapes/order-shapes.ts';
import { CallableUrl, Choice, DateTime, Nothing, Nullable, paging, Shape } from '../shapes/shapes.ts';
import { declare } from './operation.ts';

const { carriers, unmappedCodes, codeLength, textLength } = trackingProviderLimits;

const Secret = (description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 400, description, ...options });

const Priority = (options: object = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Of several providers that take a carrier, the one with the lowest number is used.',
    ...options,
  });

const Carriers = (options: object = {}) =>
  Type.Array(CarrierReference(), {
    maxItems: carriers,
    description: 'The carriers whose parcels are registered with the provider. An empty list means all carriers.',
    ...options,
  });

const TrackingProviderInput = Shape('TrackingProviderInput', {
  // A header carries it.
  api_key: Secret(
    'The key of your account with the provider, in printable ASCII. The service registers parcels with it.',
    {
      pattern: '^[ -~]*$',
    },
  ),
  webhook_secret: Secret(
    'The secret by which the service recognises the webhooks of the provider: the one that the provider signs with, or that you tell it.',
  ),
  base_url: Type.Optional(
    Nullable(CallableUrl({ description: 'Replaces the public address of the provider. It must be a public address.' })),
  ),
  priority: Type.Optional(Priority({ default: 100 })),
  carriers: Type.Optional(Carriers({ default: [] })),
});

const TrackingProvider = Shape('TrackingProvider', {
  provider: Choice(trackingProviders),
  api_key: Type.String({ description: 'Only the last four characters.' }),
  webhook_secret: Type.String({ description: 'Only the last four characters.' }),
  base_url: Nullable(Type.String({ description: 'Null: the public address of the provider.' })),
  priority: Priority(),
  carriers: Carriers(),
  webhook_url: Type.String({ description: 'The address to enter at the provider for its webhooks.' }),
});

const UnmappedCode = Shape('UnmappedCode', {
  code: Type.String({ description: `The code as the provider sent it, up to ${codeLength} characters.` }),
  text: Type.String({ description: `What the provider last wrote beside it, up to ${textLength} characters.` }),
  count: Type.Integer({ description: 'How often it came. A history that is sent again counts again.' }),
  last_at: DateTime({ description: 'When it last came.' }),
});

const providersPath = '/v1/tracking-providers';
const providerPath = `${providersPath}/{provider}` as const;
const params = Type.Object({ provider: Choice(trackingProviders) });

/** Not described further: each provider has its own form, and the connector takes from it what it understands. */
const ProviderWebhook = Type.Object({}, { title: 'ProviderWebhook', additionalProperties: true });

export const trackingProviderOperations = declare({
  listTrackingProviders: {
    method: 'GET',
    path: providersPath,
    role: 'superadmin',
    summary: 'List the tracking providers',
    description: 'Returns the tracking providers that are set, by priority. Their secrets are masked.',
    response: Type.Array(TrackingProvider),
  },
  setTrackingProvider: {
    method: 'PUT',
    path: providerPath,
    role: 'superadmin',
    summary: 'Set a tracking provider',
    description: [
      'Sets or replaces a provider that watches parcels. From now on, each parcel that gets its tracking number in a shop with',
      '`shipment_updates` on is registered with the first provider that takes its carrier. `tracking_submission` of the',
      'shipment says what came of it. Without a provider, the service writes the parcel to its queue of tracking requests.',
      'Enter `webhook_url` at the provider, so that its updates come in.',
    ].join(' '),
    params,
    body: TrackingProviderInput,
    response: Nothing,
    errors: ['carrier_reference_invalid'],
  },
  deleteTrackingProvider: {
    method: 'DELETE',
    path: providerPath,
    role: 'superadmin',
    summary: 'Remove a tracking provider',
    description:
      'Removes the provider and its secrets. Parcels that wait to be registered with it go to the next provider. The service ' +
      'no longer takes its webhooks.',
    params,
    response: Nothing,
    errors: ['tracking_provider_not_found'],
  },
  listUnmappedCodes: {
    method: 'GET',
    path: `${providerPath}/unmapped`,
    role: 'superadmin',
    summary: 'List codes without an event',
    description:
      'Returns the codes that the provider sent and that the service does not know, the most frequent first. An unknown ' +
      'sub-status beside a known status recorded the event of the status. Every other unknown code changed no ' +
      `shipment. The service keeps up to ${unmappedCodes} codes of each provider.`,
    params,
    query: Type.Object(paging),
    response: Type.Array(UnmappedCode),
    errors: ['tracking_provider_not_found'],
  },
  receiveProviderWebhook: {
    method: 'POST',
    path: `${providerPath}/webhook`,
    role: 'signed',
    signer: 'provider',
    summary: 'Receive a webhook of a provider',
    description: [
      'Receives a webhook of a tracking provider, in the form of the provider. The service checks the signature over the raw',
      'body, then queues what the webhook reports. Each checkpoint becomes an event once, however often and in which order',
      'it comes. A code that the service does not know is listed under `unmapped`. It changes nothing, unless it is a sub-status',
      'beside a known status: then the event of the status is recorded.',
    ].join(' '),
    params,
    body: ProviderWebhook,
    response: Nothing,
    errors: ['tracking_provider_not_found'],
  },
});

export type TrackingProvider = Static<typeof TrackingProvider>;
export type UnmappedCode = Static<typeof UnmappedCode>;
