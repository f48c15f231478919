import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ShopItem } from '#platform/access/shop-item.ts';
import { encrypt } from '#platform/secrets/credential-cipher.ts';
import { decryptOnce } from '#platform/secrets/decrypt-once.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { table, tableName } from '#platform/table/client.ts';
import { ConditionLost, write } from '#platform/table/conditional-writes.ts';
import { keyOf } from '#platform/table/keys.ts';

/** The secret that the shop's own system signs with, as it is stored. */
export interface SecretItem {
  ciphertext: Uint8Array;
  created_at: string;
}

type Place = Pick<ShopItem, 'slug' | 'uuid'>;

const contextOf = ({ uuid }: Place) => ({ shop: uuid, shop_system: 'webhook_secret' });

export const secretOf = (shop: Place, { ciphertext }: SecretItem): Promise<string> =>
  decryptOnce(ciphertext, contextOf(shop));

/** The shop's secret. The first to ask makes it; of several at once one does, and all get the same. */
export async function webhookSecret(shop: Place, now: Date): Promise<string> {
  const known = await readSecret(shop.slug);
  if (known) return secretOf(shop, known);
  const secret = randomBytes(32).toString('hex');
  const item: SecretItem = { ciphertext: await encrypt(secret, contextOf(shop)), created_at: now.toISOString() };
  try {
    await insertSecret(shop.slug, item);
    return secret;
  } catch (error) {
    if (!(error instanceof ConditionLost)) throw error;
    const first = await readSecret(shop.slug);
    if (!first) throw error;
    return secretOf(shop, first);
  }
}

async function readSecret(slug: string): Promise<SecretItem | undefined> {
  const [item] = await batchGet([keyOf.shopSystemSecret(slug)]);
  return item as SecretItem | undefined;
}

function insertSecret(slug: string, item: SecretItem): Promise<void> {
  const Item = { ...keyOf.shopSystemSecret(slug), ...item };
  return write(() =>
    table.send(new PutCommand({ TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' })),
  );
}
