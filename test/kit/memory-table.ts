import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { table, tableName } from '#platform/table/client.ts';
import { attributes, indexes } from '#schemas/catalogues/table.ts';
import { startTestDynamoDb } from './dynamodb.ts';

/** A real table in memory for functions that run in the process of the test. */
export interface MemoryTable {
  /** A new, empty one: from now on the functions use it. */
  renew(): Promise<void>;
  put(...items: object[]): Promise<void>;
  stop(): Promise<void>;
}

let tables = 0;

export async function startMemoryTable(): Promise<MemoryTable> {
  const engine = await startTestDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  return {
    renew: async () => {
      process.env.TABLE_NAME = `table-${++tables}`;
      await table.send(new CreateTableCommand(tableNamed(process.env.TABLE_NAME)));
    },
    put: async (...items) => {
      if (items.length === 1) await table.send(new PutCommand({ TableName: tableName(), Item: items[0] }));
      else for (const part of chunks(items, 25)) await table.send(batchOf(part));
    },
    stop: async () => {
      table.destroy();
      await engine.stop();
    },
  };
}

const batchOf = (items: readonly object[]) =>
  new BatchWriteCommand({ RequestItems: { [tableName()]: items.map((Item) => ({ PutRequest: { Item } })) } });

/** With the indexes that functions behind the API read. */
const tableNamed = (TableName: string) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: keys.flat().map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
  KeySchema: keySchema(keys[0]!),
  GlobalSecondaryIndexes: (['lists', 'activity'] as const).map((name) => ({
    IndexName: name,
    KeySchema: keySchema([indexes[name].partition, indexes[name].sort]),
    Projection: { ProjectionType: 'ALL' as const },
  })),
});

const keys: [string, string][] = [
  [attributes.partition, attributes.sort],
  [indexes.lists.partition, indexes.lists.sort],
  [indexes.activity.partition, indexes.activity.sort],
];

const keySchema = ([partition, sort]: [string, string]) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
