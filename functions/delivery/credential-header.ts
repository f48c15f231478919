import type { CredentialScheme } from '#shared/deliveries/integration-targets.ts';

/** A credential as it was stored: its parts, the secret one last. */
export type Credential = Record<string, string | null>;

/** The header that shows an integration who we are. */
export function credentialHeader(scheme: CredentialScheme, credential: Credential): Record<string, string> {
  const parts = partNames.flatMap((name) => credential[name] ?? []);
  const secret = parts.at(-1) ?? '';
  if (scheme === 'bearer') return { authorization: `Bearer ${secret}` };
  if (scheme === 'basic') return { authorization: `Basic ${Buffer.from(userAndPassword(parts)).toString('base64')}` };
  return { [scheme.slice('header:'.length).toLowerCase()]: secret };
}

const partNames = ['client_id', 'client_secret', 'username', 'password', 'api_key'];

/** A lone key is the username, with no password. */
const userAndPassword = (parts: readonly string[]) => (parts.length === 1 ? `${parts[0]}:` : parts.join(':'));
