import type { Theme } from './theme.ts';
import { batches, largeBatches } from './themes/batches.ts';
import { capacity } from './themes/capacity.ts';
import { conditions } from './themes/conditions.ts';
import { expressions } from './themes/expressions.ts';
import { binaryKeys, keys, numberKeys, textKeys } from './themes/keys.ts';
import { paths } from './themes/paths.ts';
import { indexes, largePages, queries, scans } from './themes/queries.ts';
import { streams, streamViews, tables } from './themes/tables.ts';
import { largeTransactions, transactions } from './themes/transactions.ts';
import { updates } from './themes/updates.ts';
import { validation } from './themes/validation.ts';
import { numbers, sets, sizes } from './themes/values.ts';

export const themes: Theme[] = [
  keys,
  textKeys,
  binaryKeys,
  numberKeys,
  conditions,
  expressions,
  updates,
  paths,
  numbers,
  sets,
  sizes,
  queries,
  indexes,
  scans,
  largePages,
  batches,
  largeBatches,
  transactions,
  largeTransactions,
  validation,
  tables,
  ...streamViews,
  streams,
  capacity,
];
