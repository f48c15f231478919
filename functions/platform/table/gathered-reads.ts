import DataLoader from 'dataloader';
import { batchGet, type Key, nameOf } from './reads.ts';

type Item = Record<string, unknown> | undefined;

/** What DynamoDB reads in one request. */
const maxBatchSize = 100;

const loader = new DataLoader<Key, Item, string>(
  (keys) => {
    // The loader's cache joins those who ask for the same item in one moment. What is asked for later is read anew.
    loader.clearAll();
    return batchGet(keys);
  },
  { cacheKeyFn: nameOf, maxBatchSize },
);

/** As batchGet; what several ask for in the same moment is read in one request. */
export const gatheredGet = (keys: readonly Key[]): Promise<Item[]> => Promise.all(keys.map((key) => loader.load(key)));
