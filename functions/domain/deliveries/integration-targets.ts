import { isGivenFor } from '#domain/settings/integration-key.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { IntegrationTarget, IntegrationTargets, VendorName } from '#schemas/catalogues/integration-targets.ts';
import {
  extrasOf,
  type IntegrationId,
  type NotifiedIntegration,
  notifiedIntegrations,
} from '#schemas/catalogues/integrations.ts';

/** What a shop has stored for an integration. */
export interface Connection {
  shop: Pick<ShopItem, 'shop_admin_url'>;
  settings: StoredSettings;
  key: { origin?: string | null } | undefined;
}

/** Where the events of an integration go. Without an address, or without a key for it, nothing is sent. */
export function integrationTarget(
  integration: NotifiedIntegration,
  connection: Connection,
): IntegrationTarget | undefined {
  return targetFault(integration, connection) ? undefined : addressOf(integration, connection);
}

/** Why the events of an integration go nowhere. Undefined if they have an address and a key for it. */
export function targetFault(
  integration: NotifiedIntegration,
  connection: Connection,
): 'no_address' | 'no_key' | 'key_for_other_server' | undefined {
  if (!addressOf(integration, connection)) return 'no_address';
  if (!connection.key) return 'no_key';
  const url = ownAddress(integration, connection);
  return url === undefined || isGivenFor(connection.key, url) ? undefined : 'key_for_other_server';
}

type Addresses = Omit<Connection, 'key'>;

/**
 * The address that the shop has set for an integration, and to which its key goes. An address of the deployment is the
 * operator's, so it does not count.
 */
export function addressOfShop(integration: IntegrationId, addresses: Addresses): string | undefined {
  if (integration === 'integration_7' || integration === 'shop_system_3')
    return addresses.shop.shop_admin_url ?? undefined;
  return ownAddress(integration as NotifiedIntegration, addresses);
}

/** The address comes from the shop if the integration allows that, otherwise from the deployment. */
function addressOf(integration: NotifiedIntegration, addresses: Addresses): IntegrationTarget | undefined {
  const configured = integrationTargets()[integration];
  const url = ownAddress(integration, addresses);
  if (url === undefined) return configured;
  return { ...configured, url: isShopSystem(configured) ? new URL(url).origin : url };
}

/** Each shop has its own address at its shop system. */
function ownAddress(integration: NotifiedIntegration, { shop, settings }: Addresses): string | undefined {
  const inSettings = settings.trigger_settings?.[integration]?.rest_endpoint;
  return isShopSystem(integrationTargets()[integration]) ? (shop.shop_admin_url ?? inSettings) : inSettings;
}

const isShopSystem = (target: IntegrationTarget | undefined): boolean => target?.dialect === 'shopify';

/** The integrations that the shop has stored a key for. */
export async function integrationsWithKey(slug: string): Promise<NotifiedIntegration[]> {
  const keys = await batchGet(notifiedIntegrations.map((id) => keyOf.integrationKey(slug, id)));
  return notifiedIntegrations.filter((_, i) => keys[i] !== undefined);
}

/** The integrations that can have an address in at least one shop. */
export function reachableIntegrations(): NotifiedIntegration[] {
  const configured = integrationTargets();
  return notifiedIntegrations.filter((id) => configured[id] !== undefined || extrasOf(id).includes('rest_endpoint'));
}

/** The integrations whose events go out in the form of a vendor. */
export function vendorsOfIntegrations(): { integration: NotifiedIntegration; vendor: VendorName }[] {
  const configured = integrationTargets();
  return notifiedIntegrations.flatMap((integration) => {
    const vendor = configured[integration]?.dialect ?? 'service';
    return vendor === 'service' ? [] : [{ integration, vendor }];
  });
}

function integrationTargets(): IntegrationTargets {
  return JSON.parse(process.env.INTEGRATION_TARGETS || '{}');
}
