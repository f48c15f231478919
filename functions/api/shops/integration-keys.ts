import type { Implementation } from '#platform/http/request.ts';
import { encrypt } from '#platform/secrets/credential-cipher.ts';
import { lostMeans } from '#platform/table/conditional-writes.ts';
import { type IntegrationId, integrations } from '#schemas/catalogues/integrations.ts';
import type { IntegrationKeys, shops } from '#schemas/families/shops.ts';
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
