import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { digest } from '#platform/access/api-key.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { useInThisProcess } from './lambda-environment.ts';
import { fixed, median } from './statistics.ts';

const rounds = 400;

/** One operation through its bundled handler, beside the one SDK call that it makes, on the same table. */
export async function benchHandler(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const service = await startService();
  try {
    await bundleEntry('functions/api/shops/handler.ts', folder);
    const { table, tableName, operator } = service;
    await table.send(new PutCommand({ TableName: tableName, Item: { ...keyOf.shop('bench'), slug: 'bench' } }));
    useInThisProcess(service);
    const { handler } = await import(pathToFileURL(join(folder, 'index.mjs')).href);
    const Keys = [keyOf.apiKey(operator.username, digest(operator).tokenId), keyOf.shop('bench')];
    const request = { RequestItems: { [tableName]: { Keys, ConsistentRead: true } } };

    const times = { raw: [] as number[], served: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.raw.push(await timed(() => table.send(new BatchGetCommand(request))));
      times.served.push(await timed(() => handler(getShopEvent(operator), {})));
    }
    const [floor, time] = [median(times.raw), median(times.served)];
    console.table({
      'raw BatchGetItem': { 'median, ms': fixed(floor, 2), 'of the floor': '1.00' },
      'getShop handler': { 'median, ms': fixed(time, 2), 'of the floor': fixed(time / floor, 2) },
    });
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const getShopEvent = ({ username, secret }: RunningService['operator']) => ({
  resource: '/v1/shops/{slug}',
  httpMethod: 'GET',
  headers: { Authorization: `Basic ${btoa(`${username}:${secret}`)}` },
  pathParameters: { slug: 'bench' },
  queryStringParameters: null,
  body: null,
  requestContext: { requestId: 'bench' },
});
