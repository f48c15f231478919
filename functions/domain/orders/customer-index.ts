import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { customerPlace, partitionOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { quickSearchLimits } from '#schemas/catalogues/limits.ts';
import { areBeginnings, foldedWords } from './customer-name.ts';

/** The orders of customers with this name, newest first. */
export async function findCustomers(slug: string, name: string): Promise<string[]> {
  const words = foldedWords(name);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  // People say "Mara Lindqvist" or "Lindqvist, Mara".
  const readings = [
    { last, others: words.slice(0, -1) },
    ...(words.length > 1 && first !== last ? [{ last: first, others: words.slice(1) }] : []),
  ];
  const found = await Promise.all(readings.map(({ last, others }) => ordersOf(slug, last, others)));
  return found.flat();
}

async function ordersOf(slug: string, lastWord: string, beginnings: readonly string[]): Promise<string[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partitionOf.ordersByCustomer(slug, lastWord), { index: 'names' }),
      ScanIndexForward: false,
      Limit: beginnings.length === 0 ? quickSearchLimits.results : quickSearchLimits.namesakes,
    }),
  );
  return Items.map(({ name_sk }) => customerPlace(String(name_sk)))
    .filter(({ others }) => areBeginnings(beginnings, others))
    .slice(0, quickSearchLimits.results)
    .map(({ orderId }) => orderId);
}
