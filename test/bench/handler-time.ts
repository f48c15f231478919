import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { startLocalStack } from '#lib/local/stack.ts';
import { synthesize } from '#lib/synthesize.ts';
import { superAdminKey } from '#shared/api-key-item.ts';
import { keyOf, placeIn } from '#shared/keys.ts';
import { fixed, median } from './statistics.ts';

const rounds = 400;
const credentials = { username: 'bench', secret: 'bench-secret-000001' };
const uuid = '01930000-0000-7000-8000-000000000000';

/** One operation through its bundled handler, beside the one SDK call that it makes, on the same table. */
export async function benchHandler(folder: string): Promise<void> {
  const stack = await startLocalStack({
    assembly: await synthesize(join(folder, 'stack')),
    port: 0,
    dataDir: undefined,
  });
  try {
    const TableName = stack.outputs.TableName!;
    const table = DynamoDBDocumentClient.from(new DynamoDBClient(stack.clientConfig));
    const { item } = superAdminKey(credentials, new Date());
    const shop = { ...keyOf.shop('bench'), ...placeIn.shops(uuid), uuid, slug: 'bench', name: 'Bench', language: 'en' };
    for (const Item of [item, shop]) await table.send(new PutCommand({ TableName, Item }));

    const { endpoint, region, credentials: aws } = stack.clientConfig;
    Object.assign(process.env, {
      TABLE_NAME: TableName,
      AWS_REGION: region,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: aws.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.secretAccessKey,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      POWERTOOLS_METRICS_NAMESPACE: 'bench',
    });
    const { handler } = await import(pathToFileURL(join(folder, 'bundles/shops/index.mjs')).href);
    const Keys = [{ pk: item.pk, sk: item.sk }, keyOf.shop('bench')];
    const raw = () =>
      table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
    const served = () => handler(getShopEvent(), {});

    const times = { raw: [] as number[], served: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.raw.push(await timed(raw));
      times.served.push(await timed(served));
    }
    const [floor, time] = [median(times.raw), median(times.served)];
    console.table({
      'raw BatchGetItem': { 'median, ms': fixed(floor, 2), 'of the floor': '1.00' },
      'getShop handler': { 'median, ms': fixed(time, 2), 'of the floor': fixed(time / floor, 2) },
    });
    table.destroy();
  } finally {
    await stack.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const getShopEvent = () => ({
  resource: '/v1/shops/{slug}',
  httpMethod: 'GET',
  headers: { Authorization: `Basic ${btoa(`${credentials.username}:${credentials.secret}`)}` },
  pathParameters: { slug: 'bench' },
  queryStringParameters: null,
  body: null,
  requestContext: { requestId: 'bench' },
});
