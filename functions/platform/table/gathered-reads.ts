import DataLoader from 'dataloader';
import { batchGet, type Key, keyText } from './reads.ts';

type Item = Record<string, unknown> | undefined;

// No cache: it would forget a key whose read has failed while another read of it waits, and then take the key twice.
const loader = new DataLoader<Key, Item>(getDistinct, { cache: false });

/** Several may ask for the same item, and DynamoDB refuses a request that names a key twice. */
async function getDistinct(keys: readonly Key[]): Promise<Item[]> {
  const distinct = new Map(keys.map((key) => [keyText(key), key]));
  const items = await batchGet([...distinct.values()]);
  const found = new Map([...distinct.keys()].map((name, i) => [name, items[i]]));
  return keys.map((key) => found.get(keyText(key)));
}

/** Like `batchGet`, but concurrent calls share one request. */
export const gatheredGet = (keys: readonly Key[]): Promise<Item[]> => Promise.all(keys.map((key) => loader.load(key)));
