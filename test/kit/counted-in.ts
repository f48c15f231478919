import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { CountedList } from '#platform/table/list-counters.ts';
import type { RunningService } from './service.ts';

/** How many entries the stream has counted in a list: the sum of its finest counters. */
export async function countedIn(service: RunningService, { levels }: CountedList): Promise<number> {
  const { pk, item, names } = levels.at(-1)!;
  return (await itemsOf(service, pk))
    .filter(({ sk }) => sk.startsWith(`${item}#`))
    .flatMap((counters) => Object.entries(counters))
    .reduce((sum, [name, count]) => (names.includes(name.slice(0, -1)) ? sum + Number(count) : sum), 0);
}

export async function itemsOf({ table, tableName }: RunningService, pk: string): Promise<{ pk: string; sk: string }[]> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
  const items: { pk: string; sk: string }[] = [];
  const pages = paginateQuery({ client: table }, { TableName: tableName, ...query });
  for await (const { Items = [] } of pages) items.push(...(Items as typeof items));
  return items;
}
