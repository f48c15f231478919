import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { type Fixture, fixtureTemplate, writeFixture } from './fixture.ts';

let fixture: Fixture;
let records: string;
let stack: LocalStack;
const lines: string[] = [];

beforeAll(async () => {
  records = mkdtempSync(join(tmpdir(), 'local-records-'));
  const template = fixtureTemplate(join(records, 'events'));
  template.Resources.Items!.Properties!.Timeout = 3;
  fixture = writeFixture(template);
  stack = await startLocalStack({
    assembly: fixture.folder,
    port: 0,
    dataDir: undefined,
    environment: { ADDED: 'yes' },
    log: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await stack.stop();
  fixture.remove();
  rmSync(records, { recursive: true });
});

const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(stack.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
};

describe('the API', () => {
  test('runs the function of a route, which reaches the table', async () => {
    expect((await call('PUT', '/items/ITEM%231', { action: 'put', note: 'plain' })).status).toBe(200);
    const { body } = await call('GET', '/items/ITEM%231');
    expect(body).toEqual({ pk: { S: 'ITEM#1' }, sk: { S: 'item' }, kind: { S: 'plain' } });
  });

  test('answers an unknown path with the gateway response', async () => {
    const { status, headers, body } = await call('GET', '/nowhere');
    expect({ status, error: body.error }).toEqual({ status: 404, error: 'route' });
    expect(headers.get('x-request')).toBe(body.id);
  });

  test('answers a mock integration by itself', async () => {
    const { status, headers } = await call('DELETE', '/items/1');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, PUT' });
  });

  test('does not invoke a function without the right to do so', async () => {
    expect((await call('GET', '/forbidden')).status).toBe(500);
    expect(lines.join('\n')).toContain('no AWS::Lambda::Permission allows it');
  });

  test.each(['throw', 'malformed', 'crash', 'slow'])(
    'answers like the gateway to a function that fails by %s',
    async (id) => {
      expect(await call('GET', `/items/${id}`)).toMatchObject({ status: 500, body: { error: 'unexpected' } });
    },
  );

  test('serves on after a crash and after a timeout of a function', async () => {
    expect((await call('GET', '/items/ITEM%231')).status).toBe(200);
    expect(stack.logs('Items').join('\n')).toContain('Task timed out after 3.00 seconds');
  });

  test('refuses malformed percent-encoding', async () => {
    expect((await call('GET', '/items/%zz')).status).toBe(400);
  });

  test('refuses a body over 10 MB without waiting for it', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-length': 11 * 1024 * 1024 };
      const sent = request(`${stack.url}/echo/a`, { method: 'POST', headers }, (response) =>
        resolve(response.statusCode),
      );
      sent.on('error', reject).write('{');
    });
    expect(status).toBe(413);
  });

  test('sends the refusal even while the sender goes on sending', async () => {
    const chunked = async function* () {
      for (let sent = 0; sent < 12; sent++) yield Buffer.alloc(1024 * 1024);
    };
    const whole = await fetch(`${stack.url}/echo/a`, { method: 'POST', body: Buffer.alloc(11 * 1024 * 1024) });
    expect(whole.status).toBe(413);
    const body = ReadableStream.from(chunked());
    const parts = await fetch(`${stack.url}/echo/a`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(parts.status).toBe(413);
    expect((await call('GET', '/items/ITEM%231')).status).toBe(200);
  });

  test('refuses an event over the limit of 6 MB of Lambda', async () => {
    expect((await call('POST', '/echo/a', 'x'.repeat(7 * 1024 * 1024))).status).toBe(413);
  });

  test('passes the event of a REST proxy integration to the function', async () => {
    const response = await fetch(`${stack.url}/echo/a%20b/c?x=1&x=2&y=%26`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body: Buffer.from([0, 255]),
    });
    const { event, left, home } = (await response.json()) as {
      event: { requestContext: { requestId: string } };
      left: number;
      home: unknown;
    };
    expect(event).toMatchObject({
      resource: '/echo/{proxy+}',
      path: '/echo/a%20b/c',
      httpMethod: 'POST',
      pathParameters: { proxy: 'a b/c' },
      queryStringParameters: { x: '2', y: '&' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['&'] },
      stageVariables: null,
      isBase64Encoded: true,
      body: 'AP8=',
      requestContext: { stage: 'live', resourcePath: '/echo/{proxy+}', identity: { sourceIp: '127.0.0.1' } },
    });
    expect(event.requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(left).toBeGreaterThan(0);
    expect(home).toBeNull();
  });
});

describe('IAM', () => {
  test('refuses an action that the role does not have', async () => {
    const { body } = await call('PUT', '/items/ITEM%231', { action: 'scan' });
    expect(body.name).toBe('AccessDeniedException');
    expect(body.message).toMatch(
      /^User: arn:aws:sts::.*is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:/,
    );
    expect(lines.some((line) => line.startsWith('AccessDenied:'))).toBe(true);
  });

  test('refuses an item whose leading key the role does not have', async () => {
    expect((await call('GET', '/items/OTHER%231')).body.name).toBe('AccessDeniedException');
  });

  test('refuses a transaction with an action that the role does not have', async () => {
    const { body } = await call('PUT', '/items/ITEM%231', { action: 'transact' });
    expect(body.message).toContain('dynamodb:DeleteItem');
  });

  test('refuses an unknown access key', async () => {
    const client = new DynamoDBClient({
      ...stack.clientConfig,
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'x' },
    });
    const read = client.send(
      new GetItemCommand({ TableName: stack.outputs.TableName, Key: { pk: { S: 'a' }, sk: { S: 'b' } } }),
    );
    await expect(read).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    client.destroy();
  });
});

test('the recorder counts the requests of functions by the route that they serve', async () => {
  stack.usage.start();
  await call('PUT', '/items/ITEM%232', { action: 'put', note: 'plain' });
  await call('GET', '/items/ITEM%232');
  const used = stack.usage.take();
  expect(used).toMatchObject([
    { functionId: 'Items', route: 'PUT /items/{id}', action: 'PutItem', readUnits: 0, writeUnits: 1 },
    { functionId: 'Items', route: 'GET /items/{id}', action: 'GetItem', readUnits: 0.5, writeUnits: 0 },
  ]);
  expect(used[0]?.requestId).not.toBe(used[1]?.requestId);
  expect(stack.usage.take()).toEqual([]);
});

test('the recorder tells which keys the requests heat, if it is started for it', async () => {
  stack.usage.start({ heat: true });
  await call('PUT', '/items/ITEM%233', { action: 'put', note: 'plain' });
  await call('GET', '/items/ITEM%233');
  const [put, get] = stack.usage.take();
  expect(put?.heat).toEqual([{ place: 'table', key: 'ITEM#3', readUnits: 0, writeUnits: 1 }]);
  expect(get?.heat).toEqual([{ place: 'table', key: 'ITEM#3', readUnits: 0.5, writeUnits: 0 }]);
  stack.usage.start();
  await call('GET', '/items/ITEM%233');
  expect(stack.usage.take()[0]).not.toHaveProperty('heat');
});

describe('the operator', () => {
  test('encrypts secrets with KMS under their context', async () => {
    const client = new KMSClient(stack.clientConfig);
    const KeyId = stack.outputs.KeyId!;
    const Plaintext = Buffer.from('secret');
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { shop: 'a' } }),
    );
    const opened = await client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { shop: 'a' } }));
    expect(Buffer.from(opened.Plaintext!).toString()).toBe('secret');
    await expect(
      client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { shop: 'b' } })),
    ).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
    const dataKey = await client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }));
    expect(dataKey.Plaintext).toHaveLength(32);
    client.destroy();
  });

  test('reads and writes the bucket', async () => {
    const client = new S3Client(stack.clientConfig);
    const place = { Bucket: stack.outputs.BucketName!, Key: 'a/b c.txt' };
    await client.send(new PutObjectCommand({ ...place, Body: 'hello' }));
    expect(await (await client.send(new GetObjectCommand(place))).Body?.transformToString()).toBe('hello');
    client.destroy();
  });
});

type Batch = { Records: { body?: string; eventSource: string; dynamodb?: { NewImage: { pk: { S: string } } } }[] };

const delivered = (kind: 'queue' | 'stream'): Batch[] => {
  const file = join(records, `events.${kind}`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Batch);
};
const bodies = () => delivered('queue').flatMap(({ Records }) => Records.map(({ body }) => body));
const keys = () => delivered('stream').map(({ Records }) => Records.map(({ dynamodb }) => dynamodb?.NewImage.pk.S));

async function receiveOne(client: SQSClient, QueueUrl: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 2 }));
      return Messages![0]!.Body!;
    },
    { timeout: 40_000 },
  );
}

describe('a queue mapping', () => {
  test('deletes successful messages, and repeats failed ones until they are dead letters', async () => {
    const client = new SQSClient(stack.clientConfig);
    const Entries = ['good', 'poison', 'better'].map((MessageBody) => ({ Id: MessageBody, MessageBody }));
    await client.send(new SendMessageBatchCommand({ QueueUrl: stack.outputs.QueueUrl, Entries }));
    expect(await receiveOne(client, stack.outputs.DeadLettersUrl!)).toBe('poison');
    expect(bodies().filter((body) => body === 'poison')).toHaveLength(2);
    expect(bodies().filter((body) => body === 'good')).toHaveLength(1);
    expect(bodies().filter((body) => body === 'better')).toHaveLength(1);
    expect(delivered('queue')[0]!.Records[0]).toMatchObject({
      eventSource: 'aws:sqs',
      attributes: { ApproximateReceiveCount: '1' },
    });
    client.destroy();
  });

  test('delivers a message soon after it was sent', async () => {
    const client = new SQSClient(stack.clientConfig);
    await client.send(new SendMessageCommand({ QueueUrl: stack.outputs.QueueUrl, MessageBody: 'prompt' }));
    await vi.waitFor(() => expect(bodies()).toContain('prompt'), { timeout: 20_000 });
    client.destroy();
  });
});

describe('a stream mapping', () => {
  test('filters, bisects, and sends records that fail for good to the failure queue', async () => {
    const client = new DynamoDBClient(stack.clientConfig);
    const sqs = new SQSClient(stack.clientConfig);
    const put = (pk: string, kind: string) => ({
      Put: { TableName: stack.outputs.TableName!, Item: { pk: { S: pk }, sk: { S: 'item' }, kind: { S: kind } } },
    });
    const TransactItems = [put('E1', 'event'), put('P', 'plain'), put('poison', 'event'), put('E2', 'event')];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    const failure = JSON.parse(await receiveOne(sqs, stack.outputs.FailedBatchesUrl!));
    expect(failure).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: { batchSize: 1 },
    });
    await vi.waitFor(() => expect(keys()).toContainEqual(['E2']), { timeout: 20_000 });
    expect(keys().flat()).not.toContain('P');
    expect(keys()).toContainEqual(['poison']);
    client.destroy();
    sqs.destroy();
  });
});

test('a function can be invoked by its name', async () => {
  const event = { resource: '/echo/{proxy+}' };
  expect(await stack.invoke('Items', event)).toMatchObject({ statusCode: 200 });
  await expect(stack.invoke('Nobody', {})).rejects.toThrow('0 functions');
});

test('a port in use is reported in one line', async () => {
  const port = Number(new URL(stack.url).port);
  const second = startLocalStack({ assembly: fixture.folder, port, dataDir: undefined });
  await expect(second).rejects.toThrow(
    `Port ${port} is in use. Stop the program that uses it, or set PORT to another number.`,
  );
});

test('a mapping whose role may not read its source is refused', async () => {
  const template = fixtureTemplate(join(records, 'refused'));
  delete template.Resources.ReaderPolicy;
  const broken = writeFixture(template);
  const started = startLocalStack({ assembly: broken.folder, port: 0, dataDir: undefined });
  await expect(started).rejects.toThrow(/QueueMapping: the role of QueueReader does not allow sqs:ReceiveMessage/);
  broken.remove();
});
