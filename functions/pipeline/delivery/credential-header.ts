import type { CredentialScheme } from '#domain/deliveries/integration-targets.ts';

/** A credential as it was stored: its parts, the secret one last. */
export type Credential = Record<string, string | null>;

/** The header that shows an integration who we are. */
export function credentialHeader(scheme: CredentialScheme, credential: Credential): Record<string, string> {
  const parts = partNames.flatMap((name) => credential[name] ?? []);
  const secret = inHeader(parts.at(-1) ?? '');
  if (scheme === 'bearer') return { authorization: `Bearer ${secret}` };
  if (scheme === 'basic') return { authorization: `Basic ${Buffer.from(userAndPassword(parts)).toString('base64')}` };
  return { [scheme.slice('header:'.length).toLowerCase()]: secret };
}

/** Headers hold bytes, and a text stands for them letter by letter: what is beyond ASCII goes as UTF-8. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

const partNames = ['client_id', 'client_secret', 'username', 'password', 'api_key'];

/** A lone key is the username, with no password. */
const userAndPassword = (parts: readonly string[]) => (parts.length === 1 ? `${parts[0]}:` : parts.join(':'));
