import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { type Fixture, fixtureTemplate, writeFixture } from './fixture.ts';

let folder: string;
let fixture: Fixture;
let dataDir: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-restart-'));
  const template = fixtureTemplate(join(folder, 'events'));
  delete template.Resources.QueueMapping;
  fixture = writeFixture(template);
});
beforeEach(() => {
  dataDir = mkdtempSync(join(folder, 'data-'));
});
afterAll(() => {
  fixture.remove();
  rmSync(folder, { recursive: true });
});

type Address = Pick<LocalStack, 'url' | 'outputs' | 'clientConfig'>;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function runStack(): Promise<{ child: ChildProcess; stack: Address }> {
  const child = spawn(process.execPath, [script('./run-stack.ts'), fixture.folder, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, stack: JSON.parse(line) as Address };
}

const put = async ({ url }: Address, id: string, note = 'plain') => {
  const body = JSON.stringify({ action: 'put', note });
  expect((await fetch(`${url}/items/${encodeURIComponent(id)}`, { method: 'PUT', body })).status).toBe(200);
};
const get = async ({ url }: Address, id: string) => (await fetch(`${url}/items/${encodeURIComponent(id)}`)).json();
const streamed = () => {
  const file = join(folder, 'events.stream');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

test('a stack that is killed has every acknowledged write and message at its next start', async () => {
  const { child, stack: first } = await runStack();
  const ids = Array.from({ length: 20 }, (_, index) => `ITEM#${index}`);
  for (const id of ids) await put(first, id);
  const sender = new SQSClient(first.clientConfig);
  await sender.send(new SendMessageCommand({ QueueUrl: first.outputs.QueueUrl, MessageBody: 'kept' }));
  sender.destroy();
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;

  const second = await startLocalStack({ assembly: fixture.folder, port: 0, dataDir });
  try {
    for (const id of ids) expect(await get(second, id)).toMatchObject({ pk: { S: id } });
    const client = new SQSClient(second.clientConfig);
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: second.outputs.QueueUrl!, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({ ApproximateNumberOfMessages: '1', VisibilityTimeout: '4' });
    client.destroy();
  } finally {
    await second.stop();
  }
});

test('a stream mapping continues at its position after a restart', async () => {
  const options = { assembly: fixture.folder, port: 0, dataDir };
  const first = await startLocalStack(options);
  await put(first, 'ITEM#before', 'event');
  await vi.waitFor(() => expect(streamed()).toContain('ITEM#before'), { timeout: 20_000 });
  await first.stop();
  const second = await startLocalStack(options);
  await put(second, 'ITEM#after', 'event');
  await vi.waitFor(() => expect(streamed()).toContain('ITEM#after'), { timeout: 20_000 });
  await second.stop();
  expect(
    streamed()
      .split('"eventID"')
      .filter((record) => record.includes('ITEM#before')),
  ).toHaveLength(1);
});

/** The fixture with an index of items by their kind, sorted by these attributes. */
function withIndex(...sortedBy: string[]) {
  const template = fixtureTemplate(join(folder, 'events'));
  const table = template.Resources.Table!.Properties! as { AttributeDefinitions: unknown[] } & Record<string, unknown>;
  table.AttributeDefinitions.push({ AttributeName: 'kind', AttributeType: 'S' });
  const range = sortedBy.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' }));
  const KeySchema = [{ AttributeName: 'kind', KeyType: 'HASH' }, ...range];
  table.GlobalSecondaryIndexes = [{ IndexName: 'kinds', KeySchema, Projection: { ProjectionType: 'ALL' } }];
  return writeFixture(template);
}

async function queryKinds(stack: LocalStack, condition: string, values: Record<string, string>): Promise<number> {
  const client = new DynamoDBClient(stack.clientConfig);
  const { Count = 0 } = await client.send(
    new QueryCommand({
      TableName: stack.outputs.TableName,
      IndexName: 'kinds',
      KeyConditionExpression: condition,
      ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }])),
    }),
  );
  client.destroy();
  return Count;
}

test('a new index of the template is added to an existing table, with its items, and one with other keys is made anew', async () => {
  const first = await startLocalStack({ assembly: fixture.folder, port: 0, dataDir });
  await put(first, 'ITEM#1', 'indexed');
  await first.stop();
  const startWith = async (changed: ReturnType<typeof withIndex>, query: [string, Record<string, string>]) => {
    const stack = await startLocalStack({ assembly: changed.folder, port: 0, dataDir });
    const count = await queryKinds(stack, ...query);
    await stack.stop();
    changed.remove();
    return count;
  };
  expect(await startWith(withIndex(), ['kind = :k', { ':k': 'indexed' }])).toBe(1);
  const sorted = ['kind = :k AND begins_with(pk, :p)', { ':k': 'indexed', ':p': 'ITEM#' }] as const;
  expect(await startWith(withIndex('pk'), [...sorted])).toBe(1);
});

test('a data folder serves one stack at a time, and a second one does not write to it', async () => {
  const options = { assembly: fixture.folder, port: 0, dataDir };
  const first = await startLocalStack(options);
  const synthesize = vi.fn(async () => fixture.folder);
  const second = startLocalStack({ ...options, assembly: synthesize });
  await expect(second).rejects.toThrow(`The data folder ${dataDir} is in use by another local stack`);
  expect(synthesize).not.toHaveBeenCalled();
  expect(statSync(join(dataDir, 'kms.key')).mode & 0o777).toBe(0o600);
  await first.stop();
});

test('a stopped stack leaves nothing that keeps its process alive', async () => {
  const program = `
    const { startLocalStack } = await import(${JSON.stringify(new URL('../../../lib/local/stack.ts', import.meta.url).href)});
    const stack = await startLocalStack({ assembly: ${JSON.stringify(fixture.folder)}, port: 0, dataDir: undefined });
    await fetch(stack.url + '/items/ITEM%231');
    await stack.stop();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
