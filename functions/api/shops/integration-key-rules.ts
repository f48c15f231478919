import { mask } from '#platform/access/credentials.ts';
import { integrationIds, integrations } from '#schemas/catalogues/integrations.ts';

type Masked = Record<string, string | null>;

/** What the listing may show of a credential. Kept beside the ciphertext, so that listing decrypts nothing. */
export function maskCredential(credential: object): Masked {
  return Object.fromEntries(Object.entries(credential).map(([name, value]) => [name, value && mask(value)]));
}

/** One entry for each integration: a text for those with a single key, else its parts; null where nothing is stored. */
export function maskedListing(stored: { integration: string; masked: Masked }[]): Record<string, unknown> {
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
