/** A stored credential. Its secret part is the last one. */
export type Credential = Record<string, string | null>;

/** The order of the parts of a credential. */
export const credentialParts = ['client_id', 'client_secret', 'username', 'password', 'api_key'];

/** A header holds one byte per character, so text beyond ASCII is sent as its UTF-8 bytes. */
export const inHeader = (text: string): string => Buffer.from(text).toString('latin1');

export const secretOf = (credential: Credential): string =>
  inHeader(credentialParts.flatMap((name) => credential[name] ?? []).at(-1) ?? '');

/** What must not be kept if a vendor repeats it. Some vendors take both parts of a credential in one text. */
export function secretsOf(credential: Credential): string[] {
  const { client_id, client_secret, username, password, api_key } = credential;
  const parts = [client_secret, password, api_key].flatMap((part) => part ?? []);
  return [...parts, `${client_id ?? username ?? ''}:${client_secret ?? password ?? ''}`];
}
