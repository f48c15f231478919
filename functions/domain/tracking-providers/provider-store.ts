import { decryptOnce, encrypt } from '#platform/secrets/cipher.ts';
import { keyOf, trackingProvidersPartition } from '#platform/table/keys.ts';
import { allItemsIn, getItem } from '#platform/table/reads.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';

/** A provider as the operator set it. */
export interface ProviderItem {
  provider: TrackingProviderName;
  /** The secrets, encrypted. */
  api_key: Uint8Array;
  webhook_secret: Uint8Array;
  /** What a list may show of them, so that it decrypts nothing. */
  masked: Record<ProviderSecret, string>;
  /** Null: the public address of the provider. */
  base_url: string | null;
  priority: number;
  /** Empty: all carriers. */
  carriers: string[];
  updated_at: string;
}

export type ProviderSecret = 'api_key' | 'webhook_secret';

export const readProvider = (name: TrackingProviderName): Promise<ProviderItem | undefined> =>
  getItem(keyOf.trackingProvider(name));

/** Every provider that is set, the one to use first at the beginning. */
export async function readProviders(): Promise<ProviderItem[]> {
  const items = await allItemsIn<ProviderItem>(trackingProvidersPartition);
  return items.sort((a, b) => a.priority - b.priority || (a.provider < b.provider ? -1 : 1));
}

type Choosable = Pick<ProviderItem, 'carriers'>;

/** The provider that watches the parcels of a carrier. `providers` are in their order. */
export const providerFor = <P extends Choosable>(carrier: string | null, providers: readonly P[]): P | undefined =>
  providers.find(({ carriers }) => carriers.length === 0 || (carrier !== null && carriers.includes(carrier)));

/** The context names which of the two secrets it is, so that a function can be allowed to decrypt one of them. */
const contextOf = (provider: TrackingProviderName, secret: ProviderSecret) => ({ provider, tracking_provider: secret });

export const encryptSecret = (provider: TrackingProviderName, secret: ProviderSecret, value: string) =>
  encrypt(value, contextOf(provider, secret));

export const decryptSecret = (item: ProviderItem, secret: ProviderSecret): Promise<string> =>
  decryptOnce(item[secret], contextOf(item.provider, secret));
