import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FunctionDefinition } from '#lib/local/functions/function-definition.ts';
import { openFunctionLogs } from '#lib/local/functions/function-logs.ts';
import { createFunctionPool, type FunctionPool, PayloadTooLarge } from '#lib/local/functions/function-pool.ts';
import { createPrincipals } from '#lib/local/iam/principals.ts';

let folder: string;
const pools: FunctionPool[] = [];
const shown: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-functions-'));
  writeFileSync(
    join(folder, 'index.mjs'),
    `import { appendFileSync, existsSync } from 'node:fs';
     let served = 0;
     export const handler = async ({ wait = 0, size = 0, print, gate }, context) => {
       if (print) console.log(print);
       if (gate) appendFileSync(gate + '.entered', '.');
       while (gate && !existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 5));
       await new Promise((resolve) => setTimeout(resolve, wait));
       return { served: ++served, time: Date.now(), text: 'x'.repeat(size), env: { ...process.env }, name: context.functionName };
     };`,
  );
  writeFileSync(join(folder, 'broken.mjs'), `throw new TypeError('cannot load');`);
  writeFileSync(join(folder, 'exits.mjs'), 'process.exit(1);');
  writeFileSync(
    join(folder, 'hungry.mjs'),
    'export const handler = () => { const all = []; for (;;) all.push([...Array(1000).keys()]); };',
  );
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  rmSync(folder, { recursive: true });
});

function poolOf(change: Partial<FunctionDefinition> = {}, dataDir?: string): FunctionPool {
  const definition: FunctionDefinition = {
    logicalId: 'Example',
    name: 'Stack-Example',
    arn: 'arn:aws:lambda:eu-central-1:000000000000:function:Stack-Example',
    region: 'eu-central-1',
    principalArn: 'arn:aws:sts::000000000000:assumed-role/Role/Stack-Example',
    folder,
    handler: 'index.handler',
    environment: { GIVEN: 'yes' },
    memorySize: 128,
    timeoutSeconds: 5,
    maximumConcurrency: 8,
    logGroup: 'group',
    statements: [],
    ...change,
  };
  const logs = openFunctionLogs(definition.logicalId, dataDir, (line) => shown.push(line));
  const pool = createFunctionPool(definition, { url: 'http://127.0.0.1:1', serve: () => {} }, createPrincipals(), logs);
  pools.push(pool);
  return pool;
}

interface Result {
  served: number;
  time: number;
  env: Record<string, string>;
  name: string;
}

describe('a function', () => {
  test('sees its own environment and credentials, and not those of the stack', async () => {
    process.env.OF_THE_PARENT = 'secret';
    const { env, name } = (await poolOf().invoke({})) as Result;
    delete process.env.OF_THE_PARENT;
    expect(name).toBe('Stack-Example');
    expect(env).toMatchObject({
      GIVEN: 'yes',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_LAMBDA_FUNCTION_NAME: 'Stack-Example',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
    });
    expect(env.AWS_ACCESS_KEY_ID).toMatch(/^AKIA/);
    expect(env.OF_THE_PARENT).toBeUndefined();
  });

  test('keeps its sandbox between invocations', async () => {
    const pool = poolOf();
    await pool.invoke({});
    expect(((await pool.invoke({})) as Result).served).toBe(2);
  });

  test('runs one invocation at a time in a sandbox, so that with one sandbox the others wait', async () => {
    const pool = poolOf({ maximumConcurrency: 1 });
    const results = (await Promise.all([1, 2, 3].map(() => pool.invoke({ wait: 20 })))) as Result[];
    expect(results.map(({ served }) => served)).toEqual([1, 2, 3]);
    expect(results[2]!.time - results[0]!.time).toBeGreaterThanOrEqual(38);
  });

  test('gets more sandboxes when invocations wait, also than this machine has cores if those wait too', async () => {
    const pool = poolOf({ maximumConcurrency: 3, timeoutSeconds: 25 });
    const gate = join(folder, 'gate');
    const all = Promise.all([1, 2, 3].map(() => pool.invoke({ gate })));
    await vi.waitFor(() => expect(readFileSync(`${gate}.entered`, 'utf8')).toHaveLength(3), { timeout: 20_000 });
    writeFileSync(gate, '');
    expect(((await all) as Result[]).map(({ served }) => served)).toEqual([1, 1, 1]);
  });

  test('with a high concurrency in its mapping runs many invocations in few sandboxes', async () => {
    const pool = poolOf();
    pool.widen(200);
    const gate = join(folder, 'wide');
    const invocations = Array.from({ length: 50 }, () => pool.invoke({ gate }) as Promise<Result>);
    await vi.waitFor(() => expect(readFileSync(`${gate}.entered`, 'utf8')).toHaveLength(50), { timeout: 20_000 });
    writeFileSync(gate, '');
    const results = await Promise.all(invocations);
    // Each sandbox counts its invocations.
    expect(results.filter(({ served }) => served === 1).length).toBeLessThanOrEqual(availableParallelism());
  });

  test('whose sandboxes are killed fails their invocations, and serves the next ones', async () => {
    const pool = poolOf();
    const gate = join(folder, 'killed');
    const invocation = pool.invoke({ gate });
    const failed = expect(invocation).rejects.toThrow(/Runtime exited/);
    await vi.waitFor(() => expect(readFileSync(`${gate}.entered`, 'utf8')).toHaveLength(1), { timeout: 20_000 });
    await pool.kill();
    await failed;
    expect(await pool.invoke({})).toMatchObject({ served: 1 });
  });

  test.each<[string, Partial<FunctionDefinition>, RegExp]>([
    ['that cannot be loaded', { handler: 'broken.handler' }, /cannot load/],
    ['that exits while it is loaded', { handler: 'exits.handler' }, /exited/],
    ['without its file', { handler: 'missing.handler' }, /Cannot find module 'missing'/],
    ['without its export', { handler: 'index.other' }, /index.other is undefined or not exported/],
    ['that takes more memory than it has', { handler: 'hungry.handler', memorySize: 32, timeoutSeconds: 20 }, /memory/],
  ])('%s fails its invocation', async (_what, change, message) => {
    await expect(poolOf(change).invoke({})).rejects.toThrow(message);
  });

  test('can neither receive nor return more than 6 MB', async () => {
    const pool = poolOf();
    await expect(pool.invoke({ text: 'x'.repeat(7 * 1024 * 1024) })).rejects.toThrow(PayloadTooLarge);
    await expect(pool.invoke({ size: 7 * 1024 * 1024 })).rejects.toThrow(/exceeded maximum allowed payload size/);
  });

  test('logs to its file, and an error is also printed, shortened', async () => {
    const pool = poolOf({}, folder);
    await pool.invoke({ print: JSON.stringify({ level: 'INFO', message: 'quiet' }) });
    await pool.invoke({ print: JSON.stringify({ level: 'ERROR', message: 'loud'.repeat(500) }) });
    await pool.stop();
    expect(readFileSync(join(folder, 'logs', 'Example.log'), 'utf8')).toMatch(/quiet.*\n.*loud/);
    expect(shown.filter((line) => line.includes('quiet'))).toEqual([]);
    expect(shown.find((line) => line.includes('loud'))?.length).toBeLessThan(500);
  });

  test('does not run after it was stopped', async () => {
    const pool = poolOf();
    await pool.stop();
    await expect(pool.invoke({})).rejects.toThrow('stopping');
  });
});
