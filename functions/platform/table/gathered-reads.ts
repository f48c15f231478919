import DataLoader from 'dataloader';
import { batchGet, type Key, nameOf } from './reads.ts';

type Item = Record<string, unknown> | undefined;

/** DynamoDB reads this many items in one request. */
const maxBatchSize = 100;

const loader = new DataLoader<Key, Item, string>(
  (keys) => {
    // The cache of the loader only combines concurrent reads of the same item. Later reads must see the current item.
    loader.clearAll();
    return batchGet(keys);
  },
  { cacheKeyFn: nameOf, maxBatchSize },
);

/** Like `batchGet`, but concurrent calls share one request. */
export const gatheredGet = (keys: readonly Key[]): Promise<Item[]> => Promise.all(keys.map((key) => loader.load(key)));
