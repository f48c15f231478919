import { mask } from '#platform/access/api-key.ts';

/** The stored key of an integration. */
export interface IntegrationKeyItem {
  integration: string;
  kind: string;
  ciphertext: Uint8Array;
  masked: Record<string, string | null>;
  updated_at: string;
  /** Of the address that the shop had set when the key was given. Null if the shop had set none. */
  origin: string | null;
  /** What the shop's own system has given to its app. A key that the merchant sets does not replace it. */
  app?: AppKey;
}

interface AppKey {
  ciphertext: Uint8Array;
  /** The address that it came with and is for. The merchant cannot change that. */
  shop_url: string;
}

type StoredKey = Partial<Pick<IntegrationKeyItem, 'origin'>>;

export const originOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).origin);

/** What a list may show of a credential. It is stored beside the ciphertext, so that a list decrypts nothing. */
export function maskedCredential(credential: object): IntegrationKeyItem['masked'] {
  return Object.fromEntries(Object.entries(credential).map(([name, value]) => [name, value && mask(value)]));
}

/**
 * Whether a key may be sent to an address that the shop has set. Otherwise whoever may change the address could point
 * it at a server of their own, and read the key that the API shows only masked. The origin is stored with the key and
 * compared when the key is used, so it does not matter in which order the two change.
 */
export const isGivenFor = (key: StoredKey, url: string): boolean => key.origin === originOf(url);
