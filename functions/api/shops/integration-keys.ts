import { addressOfShop } from '#domain/deliveries/integration-targets.ts';
import { type IntegrationKeyItem, isGivenFor, maskedCredential, originOf } from '#domain/settings/integration-key.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import { encrypt } from '#platform/secrets/cipher.ts';
import { integrationKeyPrefix, keyOf, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { commit, remove, setAttributes, update } from '#platform/table/writes.ts';
import { type IntegrationId, integrationIds, integrations } from '#schemas/catalogues/integrations.ts';
import type { IntegrationKeys, shops } from '#schemas/families/shops.ts';

export const listIntegrationKeys: Implementation<typeof shops.listIntegrationKeys> = async ({ shop }) => {
  const [keys, settings] = await Promise.all([integrationKeysOf(shop.slug), loadSettings(shop.slug)]);
  const toSetAgain = keys
    .filter((key) => {
      const address = addressOfShop(key.integration as IntegrationId, { shop, settings });
      return address !== undefined && !isGivenFor(key, address);
    })
    .map(({ integration }) => integration);
  return { ...maskedListing(keys), ...(toSetAgain.length > 0 && { set_again: toSetAgain }) } as IntegrationKeys;
};

export const setIntegrationKey: Implementation<typeof shops.setIntegrationKey> = async (request) => {
  const { shop, params, body, now } = request;
  const integration = params.integration as IntegrationId;
  const hasAddressInSettings = (integrations[integration].extras as readonly string[]).includes('rest_endpoint');
  const settings = hasAddressInSettings ? await loadSettings(shop.slug) : {};
  const ciphertext = await encrypt(JSON.stringify(body), { shop: shop.uuid, integration });
  await putKey(shop.slug, {
    integration,
    kind: integrations[integration].credential,
    ciphertext,
    masked: maskedCredential(body),
    updated_at: now.toISOString(),
    origin: originOf(addressOfShop(integration, { shop, settings })),
  });
  return null;
};

export const deleteIntegrationKey: Implementation<typeof shops.deleteIntegrationKey> = async ({ shop, params }) => {
  const key = keyOf.integrationKey(shop.slug, params.integration);
  await commit([{ ...remove(key, 'attribute_exists(pk)'), refusal: 'partner_key_not_found' }]);
  return null;
};

/** One entry for each integration: a text if it has a single key, otherwise its parts; null if nothing is stored. */
function maskedListing(stored: Pick<IntegrationKeyItem, 'integration' | 'masked'>[]): Record<string, unknown> {
  const byId = new Map(stored.map(({ integration, masked }) => [integration, masked]));
  return Object.fromEntries(
    integrationIds.map((id) => {
      const parts = partsOf[integrations[id].credential].map((part) => [part, byId.get(id)?.[part] ?? null]);
      return [id, parts.length === 1 ? parts[0]![1] : Object.fromEntries(parts)];
    }),
  );
}

const partsOf = {
  api_key: ['api_key'],
  client: ['client_id', 'client_secret'],
  basic: ['username', 'password'],
} as const;

/** The newest key replaces the previous one as a whole. What the shop's system has given to its app stays beside it. */
const putKey = (slug: string, key: IntegrationKeyItem): Promise<void> =>
  commit([update(keyOf.integrationKey(slug, key.integration), setAttributes({ ...key }))]);

function integrationKeysOf(slug: string): Promise<IntegrationKeyItem[]> {
  return allItemsIn(shopPartition(slug), { prefix: integrationKeyPrefix });
}
