import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from './client.ts';

type Query = Omit<QueryCommandInput, 'TableName'>;
type Item = Record<string, unknown>;

/** The pages of a query, one after the other, until its end or until the caller has enough. */
export async function* queryPages(query: Query): AsyncGenerator<Item[]> {
  let start = query.ExclusiveStartKey;
  do {
    const request = new QueryCommand({ ...query, TableName: tableName(), ExclusiveStartKey: start });
    const { Items = [], LastEvaluatedKey } = await table.send(request);
    yield Items;
    start = LastEvaluatedKey;
  } while (start);
}

export async function queryAll<T>(query: Query): Promise<T[]> {
  const items: Item[] = [];
  for await (const page of queryPages(query)) items.push(...page);
  return items as T[];
}
