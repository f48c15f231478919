import { type Answer, call } from '../../api/client.ts';
import { can } from '../../app/session.ts';
import { type Connection, keyOf, systemOf } from './shop-connection.ts';

/** What everybody sees of the connection, and what only an administrator does. */
export async function readSetup(signal: AbortSignal) {
  const [shop, registrations, keys, addresses] = await Promise.all([
    call('getShop', { signal }),
    call('listRegistrations', { query: { per_page: 50 }, signal }),
    can('listIntegrationKeys') ? call('listIntegrationKeys', { signal }) : undefined,
    can('getShopAddresses') ? call('getShopAddresses', { signal }) : undefined,
  ]);
  return { shop, registrations, keys, addresses };
}

export type Setup = Awaited<ReturnType<typeof readSetup>>;
export type Inbound = Answer<'getShopInbound'>;

export function connectionOf(
  { shop, registrations, keys, addresses }: Setup,
  inbound: Inbound | undefined,
  isAppSaved: boolean,
): Connection {
  const connection: Connection = {
    provider: shop.shop_provider,
    isConnected: inbound?.is_connected ?? false,
    isKeyOutdated: false,
    hasAddress: addresses && addresses.shop_admin_url !== null,
    registered: registrations,
    lastReceivedAt: inbound?.last_received_at ?? null,
    isAppSaved,
  };
  const system = systemOf(connection);
  const outdated: readonly string[] = keys?.set_again ?? [];
  return { ...connection, isKeyOutdated: system !== undefined && outdated.includes(keyOf[system]) };
}
