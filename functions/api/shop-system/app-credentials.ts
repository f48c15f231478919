import { type IntegrationKeyItem, maskedCredential, originOf } from '#domain/settings/integration-key.ts';
import { invalidValue } from '#platform/errors.ts';
import { decryptOnce, encrypt } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { type Action, put, remove, update } from '#platform/table/writes.ts';
import type { ShopKey } from './shop-secret.ts';

const integration = 'shop_system_2';

/** Of the shop's API. The shop gives them to the app that it installs. */
interface Credentials {
  client_id: string;
  client_secret: string;
}

/** What KMS encrypts at once. */
const maxBytes = 4096;

/**
 * They are the key of the integration. They belong to the address that they came with: it is encrypted with them, so they go
 * nowhere else.
 */
export async function putAppCredentials(
  { slug, uuid }: ShopKey,
  credentials: Credentials,
  shop_url: string,
  now: Date,
): Promise<Action> {
  const plaintext = JSON.stringify({ ...credentials, shop_url });
  if (Buffer.byteLength(plaintext) > maxBytes) throw invalidValue(['body', 'secretKey'], 'is too long');
  const ciphertext = await encrypt(plaintext, { shop: uuid, integration });
  const item: IntegrationKeyItem = {
    integration,
    kind: 'client',
    ciphertext,
    masked: maskedCredential(credentials),
    updated_at: now.toISOString(),
    origin: originOf(shop_url),
    app: { ciphertext, shop_url },
  };
  return put({ ...keyOf.integrationKey(slug, integration), ...item });
}

/** A key that the merchant has set since stays. */
export async function removeAppCredentials({ slug }: ShopKey): Promise<Action[]> {
  const key = keyOf.integrationKey(slug, integration);
  const stored = await getItem<IntegrationKeyItem>(key);
  if (!stored?.app) return [];
  const isStill = 'ciphertext = :ciphertext AND app.ciphertext = :app';
  const values = { ':ciphertext': stored.ciphertext, ':app': stored.app.ciphertext };
  if (Buffer.compare(stored.ciphertext, stored.app.ciphertext) === 0) return [remove(key, isStill, values)];
  const change = { UpdateExpression: 'REMOVE app', ConditionExpression: isStill, ExpressionAttributeValues: values };
  return [update(key, change)];
}

/** Undefined if no app is installed. A key that the merchant has set belongs to no address, and is not used. */
export async function appCredentialsOf({
  slug,
  uuid,
}: ShopKey): Promise<{ shopUrl: string; credentials: Credentials } | undefined> {
  const stored = await getItem<IntegrationKeyItem>(keyOf.integrationKey(slug, integration));
  if (!stored?.app) return undefined;
  const plaintext = await decryptOnce(stored.app.ciphertext, { shop: uuid, integration });
  const { shop_url: shopUrl, ...credentials } = JSON.parse(plaintext) as Credentials & { shop_url: string };
  return { shopUrl, credentials };
}
