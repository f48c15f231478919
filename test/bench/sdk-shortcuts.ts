import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Plugin } from 'esbuild';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { superAdminKey } from '#platform/access/api-key.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getShopEvent } from './handler-time.ts';
import { fixed } from './statistics.ts';

/** What stands in platform/sdk-shortcuts.ts, with a module that leaves one of them out. */
const variants = {
  'all shortcuts': '',
  'without withoutLogger': 'export const withoutLogger = () => {};',
  'without withoutUserAgent': 'export const withoutUserAgent = () => {};',
  'without withFastConfig': 'export const withFastConfig = () => {};',
  'without Sha256': "export { Sha256 } from '@smithy/core/checksum';",
};
type VariantName = keyof typeof variants;
const names = Object.keys(variants) as VariantName[];

const rounds = 300;
const requestsInARound = 20;
const operator = { username: 'operator', secret: 'operator-secret-0001' };

/** The CPU time of a handler without one of the shortcuts, beside that with all of them. The table is a fixed answer. */
export async function benchShortcuts(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const worker = new Worker(new URL('./table-thread.ts', import.meta.url), { workerData: answer() });
  try {
    const [port] = await once(worker, 'message');
    Object.assign(process.env, {
      TABLE_NAME: 'table',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_SESSION_TOKEN: 'token'.repeat(60),
      POWERTOOLS_LOG_LEVEL: 'SILENT',
    });
    const serve = new Map<VariantName, () => Promise<void>>();
    for (const name of names) serve.set(name, await handlerOf(name, join(folder, name)));
    const times = new Map(names.map((name) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      // Forwards and backwards from each, so that none always has the colder caches.
      for (const i of names.keys()) {
        const name = names[(i * (round % 2 === 0 ? 1 : names.length - 1) + round) % names.length]!;
        times.get(name)!.push(await cpuTimeOf(serve.get(name)!));
      }
    }
    const floor = lowerQuartile(times.get('all shortcuts')!);
    console.table(
      Object.fromEntries(
        names.map((name) => {
          const time = lowerQuartile(times.get(name)!);
          return [name, { 'CPU, µs': fixed(time, 0), 'of the floor': fixed(time / floor, 3) }];
        }),
      ),
    );
  } finally {
    await worker.terminate();
    await rm(folder, { recursive: true });
  }
}

function answer(): string {
  const { item } = superAdminKey(operator, new Date());
  const at = new Date().toISOString();
  const shop = { ...keyOf.shop('bench'), slug: 'bench', uuid: 'bench', created_at: at, updated_at: at };
  return JSON.stringify({ Responses: { table: [item, shop].map((one) => marshall(one)) }, UnprocessedKeys: {} });
}

async function handlerOf(name: VariantName, folder: string): Promise<() => Promise<void>> {
  await bundleEntry('functions/api/shops/handler.ts', folder, { plugins: [leaving(variants[name])] });
  const { handler } = await import(pathToFileURL(join(folder, 'index.mjs')).href);
  return async () => {
    const { statusCode } = await handler(getShopEvent(operator), {});
    if (statusCode !== 200) throw new Error(`The handler answered ${statusCode}.`);
  };
}

/** An export of the module itself hides the one of the same name that it passes on. */
const leaving = (contents: string): Plugin => ({
  name: 'leaving-out',
  setup({ onResolve, onLoad }) {
    const file = join(import.meta.dirname, '../../functions/platform/sdk-shortcuts.ts');
    onResolve({ filter: /sdk-shortcuts\.ts$/ }, ({ namespace }) =>
      namespace === 'left-out' ? { path: file } : { path: file, namespace: 'left-out' },
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: `export * from './sdk-shortcuts.ts';${contents}`,
      resolveDir: '.',
      loader: 'ts',
    }));
  },
});

/** Of one request, in microseconds. */
async function cpuTimeOf(request: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  for (let i = 0; i < requestsInARound; i++) await request();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / requestsInARound;
}

/** Other processes only make a round slower, so the faster ones are the truer ones. */
const lowerQuartile = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 2]!;
