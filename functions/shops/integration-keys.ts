import { type IntegrationId, integrations } from '#schemas/integrations.ts';
import type { IntegrationKeys, shops } from '#schemas/shops.ts';
import { lostMeans } from '#shared/conditional-writes.ts';
import { encrypt } from '#shared/credential-cipher.ts';
import type { Implementation } from '#shared/request.ts';
import { maskCredential, maskedListing } from './integration-key-rules.ts';
import { deleteKeyOf, integrationKeysOf, putKey } from './integration-key-store.ts';

export const listIntegrationKeys: Implementation<typeof shops.listIntegrationKeys> = async ({ shop }) =>
  maskedListing(await integrationKeysOf(shop.slug)) as IntegrationKeys;

export const setIntegrationKey: Implementation<typeof shops.setIntegrationKey> = async (request) => {
  const { shop, params, body, now } = request;
  const integration = params.integration as IntegrationId;
  const ciphertext = await encrypt(JSON.stringify(body), { shop: shop.uuid, integration });
  await putKey(shop.slug, {
    integration,
    kind: integrations[integration].credential,
    ciphertext,
    masked: maskCredential(body),
    updated_at: now.toISOString(),
  });
  return null;
};

export const deleteIntegrationKey: Implementation<typeof shops.deleteIntegrationKey> = async ({ shop, params }) => {
  await lostMeans('partner_key_not_found', deleteKeyOf(shop.slug, params.integration));
  return null;
};
