import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from './client.ts';
import type { Key } from './reads.ts';

/** An item whose attributes, besides its keys, are numbers. */
export type CounterItem = Key & Record<string, string | number>;

/**
 * Reads items with many numbers, page by page. The SDK walks through each attribute of a response three times: to parse it, to hold it
 * against the shape of the response, and to make a plain value of it. A shop with a million parcels has four hundred
 * thousand counters in 90 days, which takes it more than half a second. So what it gets to see is a response without items,
 * and these are parsed here: a third of the time.
 */
export async function* queryCounters(query: Query): AsyncGenerator<CounterItem[]> {
  let start: WireItem | undefined;
  do {
    const page = await queryPage(query, start);
    yield page.Items.map(plain);
    start = page.LastEvaluatedKey;
  } while (start);
}

type Query = Omit<QueryCommandInput, 'TableName'>;
type WireValue = { N?: string; S?: string };
type WireItem = Record<string, WireValue>;

interface Page {
  Items: WireItem[];
  LastEvaluatedKey?: WireItem;
}

interface Response {
  statusCode: number;
  body: unknown;
}

async function queryPage(query: Query, start: WireItem | undefined): Promise<Page> {
  let page: Page | undefined;
  const command = new QueryCommand({ ...query, TableName: tableName(), ExclusiveStartKey: start && plain(start) });
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as Response;
      // The SDK knows what to do about an error.
      if (response.statusCode !== 200) return result;
      page = JSON.parse(await textOf(response.body)) as Page;
      return { ...result, response: Object.assign(response, { body: noItems }) };
    },
    // Next to the connection, before the SDK's own. The library puts the steps of a command into its request twice.
    { step: 'deserialize', priority: 'low', name: 'takeItems', override: true },
  );
  await table.send(command);
  return page!;
}

const noItems = new TextEncoder().encode('{}');

async function textOf(body: unknown): Promise<string> {
  const bytes = body instanceof Uint8Array ? body : await table.config.streamCollector(body);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function plain(item: WireItem): CounterItem {
  const values: Record<string, string | number> = {};
  for (const name in item) {
    const { N, S = '' } = item[name]!;
    values[name] = N === undefined ? S : Number(N);
  }
  return values as CounterItem;
}
