import { randomBytes } from 'node:crypto';
import { decryptOnce, encryptWithDataKey } from '#platform/secrets/cipher.ts';
import type { Endpoint, EndpointSecret } from './endpoint.ts';

/**
 * The kind of owner is part of the encryption context: a function that may decrypt secrets of one kind cannot decrypt
 * those of another kind.
 */
type SecretHolder = 'webhook' | 'automation';

type SecretOwner = Pick<Endpoint, 'shop_slug' | 'uuid'> & { holder?: SecretHolder };
type Holder = SecretOwner & Pick<Endpoint, 'secrets'>;

const contextOf = ({ shop_slug, uuid, holder = 'webhook' }: SecretOwner) => ({ shop: shop_slug, [holder]: uuid });

/** The format of the Standard Webhooks specification, so its libraries accept the secret as it is. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export const encryptSecret = (secret: string, owner: SecretOwner): Promise<Uint8Array> =>
  encryptWithDataKey(secret, contextOf(owner));

/** The secrets that sign now, the current one first. */
export function secretsInForce(endpoint: Holder, now: Date): Promise<string[]> {
  return Promise.all(
    endpoint.secrets.filter((secret) => isInForce(secret, now)).map((secret) => plaintextOf(secret, endpoint)),
  );
}

export const isInForce = ({ expires_at }: Pick<EndpointSecret, 'expires_at'>, now: Date): boolean =>
  expires_at === null || Date.parse(expires_at) > now.getTime();

/** The secret that the API shows to the merchant. */
export const currentSecret = (endpoint: Holder): Promise<string> => plaintextOf(endpoint.secrets[0]!, endpoint);

/** By the endpoint as it was read: a batch of deliveries reads it once and signs many times. */
const decrypted = new WeakMap<SecretOwner, Map<EndpointSecret, Promise<string>>>();

function plaintextOf(secret: EndpointSecret, owner: SecretOwner): Promise<string> {
  const ofPlace = decrypted.get(owner) ?? new Map<EndpointSecret, Promise<string>>();
  decrypted.set(owner, ofPlace);
  const known = ofPlace.get(secret);
  if (known) return known;
  const plaintext = decryptOnce(secret.ciphertext, contextOf(owner));
  ofPlace.set(secret, plaintext);
  plaintext.catch(() => ofPlace.delete(secret));
  return plaintext;
}

/** The secrets of before the last rotations that still sign. */
export function olderSecrets(endpoint: Holder, now: Date): Promise<{ secret: string; expires_at: string }[]> {
  const older = endpoint.secrets.filter((secret) => secret.expires_at !== null && isInForce(secret, now));
  return Promise.all(
    older.map(async (one) => ({ secret: await plaintextOf(one, endpoint), expires_at: one.expires_at! })),
  );
}
