import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import {
  encryptSecret,
  type ProviderItem,
  type ProviderSecret,
  readProviders,
} from '#domain/tracking-providers/provider-store.ts';
import { mask } from '#platform/access/api-key.ts';
import { ServiceError, valueError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { checkAddress } from '#platform/outgoing/address-guard.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit, put, remove } from '#platform/table/writes.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { TrackingProvider, trackingProviderOperations } from '#schemas/families/tracking-providers.ts';

type Operations = typeof trackingProviderOperations;

export const listTrackingProviders: Implementation<Operations['listTrackingProviders']> = async ({ serviceUrl }) =>
  (await readProviders()).map((item) => toResponse(item, serviceUrl));

export const setTrackingProvider: Implementation<Operations['setTrackingProvider']> = async (request) => {
  const { params, body, now } = request;
  const { provider } = params;
  const { base_url = null, priority = 100, carriers = [] } = body;
  checkCarriers(carriers);
  await checkAddress('base_url', base_url);
  const seal = (name: ProviderSecret) => encryptSecret(provider, name, body[name]);
  const [api_key, webhook_secret] = await Promise.all([seal('api_key'), seal('webhook_secret')]);
  await putProvider({
    provider,
    api_key,
    webhook_secret,
    masked: { api_key: mask(body.api_key), webhook_secret: mask(body.webhook_secret) },
    base_url,
    priority,
    carriers: [...new Set(carriers)],
    updated_at: now.toISOString(),
  });
  return null;
};

export const deleteTrackingProvider: Implementation<Operations['deleteTrackingProvider']> = async ({ params }) => {
  const key = keyOf.trackingProvider(params.provider);
  await commit([{ ...remove(key, 'attribute_exists(pk)'), refusal: 'tracking_provider_not_found' }]);
  return null;
};

const toResponse = (item: ProviderItem, serviceUrl: string): TrackingProvider => {
  const { provider, masked, base_url, priority, carriers } = item;
  const webhook_url = `${serviceUrl}/v1/tracking-providers/${provider}/webhook`;
  return { provider, ...masked, base_url, priority, carriers, webhook_url };
};

function checkCarriers(carriers: readonly string[]): void {
  const errors = carriers.flatMap((carrier, i): FieldError[] =>
    isCarrierReference(carrier) ? [] : [valueError(['body', 'carriers', i], 'must be a known carrier reference')],
  );
  if (errors.length > 0) throw new ServiceError('carrier_reference_invalid', { errors });
}

const putProvider = (item: ProviderItem): Promise<void> =>
  commit([put({ ...keyOf.trackingProvider(item.provider), ...item })]);
