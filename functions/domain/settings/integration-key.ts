/** The stored key of an integration. */
export interface IntegrationKeyItem {
  integration: string;
  kind: string;
  ciphertext: Uint8Array;
  masked: Record<string, string | null>;
  updated_at: string;
  /** Of the address that the shop had set when the key was given. Null if the shop had set none. */
  origin: string | null;
}

type StoredKey = Partial<Pick<IntegrationKeyItem, 'origin'>>;

export const originOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).origin);

/**
 * Whether a key may be sent to an address that the shop has set. Otherwise whoever may change the address could point
 * it at a server of their own, and read the key that the API shows only masked. The origin is stored with the key and
 * compared when the key is used, so it does not matter in which order the two change.
 */
export const isGivenFor = (key: StoredKey, url: string): boolean => key.origin === originOf(url);
