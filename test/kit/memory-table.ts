import type { Projection } from '@aws-sdk/client-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { table } from '#platform/table/client.ts';
import type { Key } from '#platform/table/reads.ts';
import { attributes, indexes } from '#schemas/catalogues/table.ts';
import { blockingRequests } from './blocking-requests.ts';
import { testDynamoDb } from './dynamodb.ts';

export type Item = Record<string, NativeAttributeValue> & Key;

export type WireItem = Record<string, { S?: string }>;

const TableName = 'table';
const otherEndpoint = testDynamoDb();
const engine = await startDynamoDb({ file: ':memory:' });
const perform = otherEndpoint ? blockingRequests(otherEndpoint) : engine.perform;

Object.assign(process.env, {
  TABLE_NAME: TableName,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  ...(otherEndpoint && { AWS_ENDPOINT_URL_DYNAMODB: otherEndpoint }),
});

// Without a connection a request takes a fraction of a millisecond.
const inProcess = {
  async handle({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) {
    const reply = engine.answer(headers['x-amz-target']!, JSON.parse(new TextDecoder().decode(body)));
    return { response: { statusCode: reply.status, headers: reply.headers, body: reply.body } };
  },
};
if (!otherEndpoint) table.config.requestHandler = inProcess as never;

/**
 * The one table of the tests that run functions in their own process: the local stack's DynamoDB in memory, with every
 * index. A test puts items into it, calls a handler, and looks at it.
 */
export const memoryTable = {
  /** Empties the table, and makes it the table of the functions. */
  renew(): void {
    process.env.TABLE_NAME = TableName;
    if (exists) request('DeleteTable', { TableName });
    request('CreateTable', definition());
    exists = true;
  },
  put(...items: object[]): void {
    for (const item of items) request('PutItem', { TableName, Item: toWire(item) });
  },
  read({ pk, sk }: Key): Item | undefined {
    const { Item } = request('GetItem', { TableName, Key: toWire({ pk, sk }), ConsistentRead: true });
    return Item && fromWire(Item);
  },
  /** As in a record of the stream: bytes are base64 text. */
  readWire({ pk, sk }: Key): WireItem | undefined {
    return request('GetItem', { TableName, Key: toWire({ pk, sk }), ConsistentRead: true }).Item;
  },
  remove({ pk, sk }: Key): void {
    request('DeleteItem', { TableName, Key: toWire({ pk, sk }) });
  },
  /** All items whose partition keys begin so, by their keys. */
  all(partition = ''): Item[] {
    const found = pagesOf('Scan', { TableName, ConsistentRead: true })
      .map(fromWire)
      .filter(({ pk }) => pk.startsWith(partition));
    return found.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  },
  /** All items as they are sent, by their keys: bytes are base64 text, as in a record of the stream. */
  wireItems(): Map<string, WireItem> {
    const found: WireItem[] = pagesOf('Scan', { TableName, ConsistentRead: true });
    return new Map(found.map((item) => [`${item.pk!.S} ${item.sk!.S}`, item]));
  },
  putWire(Item: WireItem): void {
    request('PutItem', { TableName, Item });
  },
  stop: () => engine.stop(),
};

let exists = false;

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

const toWire = (item: object) =>
  JSON.parse(
    JSON.stringify(
      marshall(item, { removeUndefinedValues: true }),
      function (this: Record<string, unknown>, name, value) {
        const bytes = this[name];
        return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
      },
    ),
  );

const fromWire = (item: object): Item =>
  unmarshall(
    JSON.parse(JSON.stringify(item), (name, value) =>
      name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
    ),
  ) as Item;

const request = (operation: string, content: object) =>
  perform(`DynamoDB_20120810.${operation}`, content) as Record<string, never>;

function pagesOf(operation: string, content: object): Record<string, never>[] {
  const { Items, LastEvaluatedKey } = request(operation, content) as Record<string, never[] | undefined>;
  const rest = LastEvaluatedKey ? pagesOf(operation, { ...content, ExclusiveStartKey: LastEvaluatedKey }) : [];
  return [...(Items ?? []), ...rest];
}

function definition(): object {
  const keys = [attributes, ...Object.values(indexes)].flatMap(({ partition, sort }) => [partition, sort]);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(keys)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(attributes),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, index]) => ({
      IndexName,
      KeySchema: keySchema(index),
      Projection: projectionOf(index.projection),
    })),
  };
}

const keySchema = ({ partition, sort }: { partition: string; sort: string }) => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];

function projectionOf(projection: 'all' | readonly string[]): Projection {
  if (projection === 'all') return { ProjectionType: 'ALL' };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projection] };
}
