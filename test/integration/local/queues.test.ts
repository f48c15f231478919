import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AwsError } from '#lib/local/aws/aws-error.ts';
import { listen } from '#lib/local/gateway/http-server.ts';
import { readBody } from '#lib/local/gateway/request-body.ts';
import { Queue } from '#lib/local/queues/queue.ts';
import { noJournal } from '#lib/local/queues/queue-journal.ts';
import { openSqs, type Sqs } from '#lib/local/queues/sqs.ts';

interface Started {
  url: string;
  stop(): Promise<unknown>;
}

/** Our queues at an HTTP address, as in the local stack. */
async function served(sqs: Sqs): Promise<Started> {
  const server = await listen(async (request, response) => {
    const input = JSON.parse(String(await readBody(request, 10_000_000)));
    const operation = String(request.headers['x-amz-target']).split('.')[1]!;
    const answer = await sqs.perform(operation, input).then(
      (body) => ({ status: 200, body }),
      ({ name, message, status }: AwsError) => ({ status, body: { __type: name, message } }),
    );
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answer.body));
  }, 0);
  return { url: `http://127.0.0.1:${server.port}`, stop: server.close };
}

async function fauxqs(): Promise<Started> {
  const app = buildApp({ logger: false });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
}

const clientOf = (endpoint: string) =>
  new SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });

/** An emulator of other authors must pass the same tests, so that they are not only our own misunderstanding. */
describe.each([
  ['our queues', () => served(openSqs(undefined))],
  ['the queues of fauxqs', fauxqs],
])('%s', (_name, start) => {
  let started: Started;
  let client: SQSClient;
  let queues = 0;
  beforeAll(async () => {
    started = await start();
    client = clientOf(started.url);
  });
  afterAll(async () => {
    client.destroy();
    await started.stop();
  });

  async function newQueue(Attributes: Record<string, string> = {}): Promise<string> {
    const created = await client.send(new CreateQueueCommand({ QueueName: `queue-${++queues}`, Attributes }));
    return created.QueueUrl!;
  }
  const send = (QueueUrl: string, MessageBody: string, more: object = {}) =>
    client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
  const receive = async (QueueUrl: string, more: object = {}): Promise<Message[]> => {
    const names = { MessageSystemAttributeNames: ['All' as const], MessageAttributeNames: ['All'] };
    return (await client.send(new ReceiveMessageCommand({ QueueUrl, ...names, ...more }))).Messages ?? [];
  };
  const hide = (QueueUrl: string, { ReceiptHandle }: Message, VisibilityTimeout: number) =>
    client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));

  test('deliver a message with its attributes, hide it, and forget it after its deletion', async () => {
    const url = await newQueue();
    const MessageAttributes = {
      word: { DataType: 'String', StringValue: 'text' },
      bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2, 255]) },
    };
    await send(url, 'hello', { MessageAttributes });
    const [message] = await receive(url);
    expect(message).toMatchObject({ Body: 'hello', Attributes: { ApproximateReceiveCount: '1' }, MessageAttributes });
    expect(await receive(url)).toEqual([]);
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message!.ReceiptHandle }));
    const counts = await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }));
    expect(counts.Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  test('show a returned message again, and count its receives', async () => {
    const url = await newQueue();
    await send(url, 'again');
    const [first] = await receive(url);
    await hide(url, first!, 0);
    const [second] = await receive(url);
    expect(second).toMatchObject({ Body: 'again', Attributes: { ApproximateReceiveCount: '2' } });
    expect(second!.MessageId).toBe(first!.MessageId);
    expect(second!.ReceiptHandle).not.toBe(first!.ReceiptHandle);
  });

  test('wake a waiting receiver when a message arrives', async () => {
    const url = await newQueue();
    const waiting = receive(url, { WaitTimeSeconds: 10 });
    await send(url, 'at last');
    expect((await waiting).map(({ Body }) => Body)).toEqual(['at last']);
  });

  test('wake a waiting receiver when a message becomes visible again', async () => {
    const url = await newQueue({ VisibilityTimeout: '1' });
    await send(url, 'late');
    await receive(url);
    const [again] = await receive(url, { WaitTimeSeconds: 10 });
    expect(again).toMatchObject({ Body: 'late', Attributes: { ApproximateReceiveCount: '2' } });
  });

  test('keep a delayed message back for its time', async () => {
    const url = await newQueue();
    await send(url, 'delayed', { DelaySeconds: 1 });
    expect(await receive(url)).toEqual([]);
    expect(await receive(url, { WaitTimeSeconds: 10 })).toHaveLength(1);
  });

  test('move a message that was received too often to the dead-letter queue', async () => {
    const dead = await newQueue();
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['QueueArn'] }),
    );
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes!.QueueArn, maxReceiveCount: 2 });
    const url = await newQueue({ RedrivePolicy });
    const { MessageId } = await send(url, 'poison');
    for (let round = 0; round < 2; round++) await hide(url, (await receive(url))[0]!, 0);
    expect(await receive(url)).toEqual([]);
    expect(await receive(dead)).toMatchObject([{ Body: 'poison', MessageId }]);
  });
});

describe('our queues', () => {
  const hours = 3600;
  let now = 0;
  const input = (more: object = {}) => ({ QueueUrl: 'http://sqs/1/q', ...more });

  async function newSqs(Attributes: Record<string, string> = {}): Promise<Sqs> {
    now = 1_000_000;
    const sqs = openSqs(undefined, () => now);
    await sqs.perform('CreateQueue', { QueueName: 'q', Attributes });
    return sqs;
  }

  async function received(sqs: Sqs, more: object = {}): Promise<Record<string, string>[]> {
    const { Messages = [] } = (await sqs.perform('ReceiveMessage', input(more))) as { Messages?: never[] };
    return Messages;
  }

  test('keep a message hidden for up to 12 hours after its receipt in total, and no longer', async () => {
    const sqs = await newSqs();
    await sqs.perform('SendMessage', input({ MessageBody: 'a' }));
    const [message] = await received(sqs, { VisibilityTimeout: 2 * hours });
    now += hours * 1000;
    const change = (VisibilityTimeout: number) =>
      sqs.perform('ChangeMessageVisibility', input({ ReceiptHandle: message!.ReceiptHandle, VisibilityTimeout }));
    await change(11 * hours);
    await expect(change(11 * hours + 1)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining('beyond the limit [43200 seconds]'),
    });
  });

  test('process a batch entry by entry', async () => {
    const sqs = await newSqs();
    const Entries = [
      { Id: 'good', MessageBody: 'good' },
      { Id: 'bad', MessageBody: 'bad', DelaySeconds: 901 },
    ];
    expect(await sqs.perform('SendMessageBatch', input({ Entries }))).toMatchObject({
      Successful: [{ Id: 'good' }],
      Failed: [{ Id: 'bad', SenderFault: true, Code: 'InvalidParameterValue' }],
    });
    expect((await received(sqs, { MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual(['good']);
  });

  test('refuse only those changes of a batch that exceed 12 hours', async () => {
    const sqs = await newSqs();
    const Sent = ['1', '2'].map((Id) => ({ Id, MessageBody: Id }));
    await sqs.perform('SendMessageBatch', input({ Entries: Sent }));
    const messages = await received(sqs, { MaxNumberOfMessages: 10 });
    now += 1000;
    const Entries = messages.map(({ ReceiptHandle }, i) => ({
      Id: String(i),
      ReceiptHandle,
      VisibilityTimeout: i === 0 ? 10 : 12 * hours,
    }));
    expect(await sqs.perform('ChangeMessageVisibilityBatch', input({ Entries }))).toMatchObject({
      Successful: [{ Id: '0' }],
      Failed: [{ Id: '1', Code: 'InvalidParameterValue' }],
    });
  });

  test('refuse to change a message that is visible again, and delete one by its newest receipt only', async () => {
    const sqs = await newSqs({ VisibilityTimeout: '30' });
    await sqs.perform('SendMessage', input({ MessageBody: 'a' }));
    const [first] = await received(sqs);
    now += 31_000;
    const change = { ReceiptHandle: first!.ReceiptHandle, VisibilityTimeout: 10 };
    await expect(sqs.perform('ChangeMessageVisibility', input(change))).rejects.toThrow('not in flight');
    const [second] = await received(sqs);
    await sqs.perform('DeleteMessage', input({ ReceiptHandle: first!.ReceiptHandle }));
    now += 31_000;
    expect(await received(sqs)).toHaveLength(1);
    expect(second!.MessageId).toBe(first!.MessageId);
  });

  test('drop an undeleted message after the retention period', async () => {
    const sqs = await newSqs({ MessageRetentionPeriod: '120' });
    await sqs.perform('SendMessage', input({ MessageBody: 'a' }));
    now += 121_000;
    expect(await received(sqs)).toEqual([]);
  });

  test('deliver the group of a message, and refuse a group name that SQS refuses', async () => {
    const sqs = await newSqs();
    const send = (MessageGroupId: string) => sqs.perform('SendMessage', input({ MessageBody: 'a', MessageGroupId }));
    await send('g'.repeat(128));
    const [message] = await received(sqs, { MessageSystemAttributeNames: ['MessageGroupId'] });
    expect(message!.Attributes).toEqual({ MessageGroupId: 'g'.repeat(128) });
    for (const name of ['g'.repeat(129), '', 'two words', 'grün'])
      await expect(send(name)).rejects.toThrow('MessageGroupId');
  });

  test.each<[string, string, object, string]>([
    ['a message without a body', 'SendMessage', { MessageBody: '' }, 'MissingParameter'],
    [
      'a body with a character that XML does not have',
      'SendMessage',
      { MessageBody: '\u0000' },
      'InvalidMessageContents',
    ],
    ['a body over 1 MiB', 'SendMessage', { MessageBody: 'a'.repeat(1024 * 1024 + 1) }, 'InvalidParameterValue'],
    ['a delay over 15 minutes', 'SendMessage', { MessageBody: 'a', DelaySeconds: 901 }, 'InvalidParameterValue'],
    ['an empty batch', 'SendMessageBatch', { Entries: [] }, 'EmptyBatchRequest'],
    [
      'a batch of eleven entries',
      'DeleteMessageBatch',
      { Entries: Array.from({ length: 11 }, (_, i) => ({ Id: String(i) })) },
      'TooManyEntriesInBatchRequest',
    ],
    [
      'a batch with the same id twice',
      'DeleteMessageBatch',
      { Entries: [{ Id: '1' }, { Id: '1' }] },
      'BatchEntryIdsNotDistinct',
    ],
    [
      'a batch over 1 MiB in total',
      'SendMessageBatch',
      { Entries: ['1', '2'].map((Id) => ({ Id, MessageBody: 'a'.repeat(600_000) })) },
      'BatchRequestTooLong',
    ],
    ['a receive of eleven messages', 'ReceiveMessage', { MaxNumberOfMessages: 11 }, 'InvalidParameterValue'],
    ['a queue that does not exist', 'SendMessage', { QueueUrl: 'x', MessageBody: 'a' }, 'QueueDoesNotExist'],
    ['an operation that they lack', 'StartMessageMoveTask', {}, 'UnsupportedOperation'],
    ['an operation that every object has', 'constructor', {}, 'UnsupportedOperation'],
    ['entries that are no list', 'SendMessageBatch', { Entries: {} }, 'SerializationException'],
    ['an entry that is nothing', 'DeleteMessageBatch', { Entries: [null] }, 'SerializationException'],
    ['an entry without an id', 'SendMessageBatch', { Entries: [{ MessageBody: 'a' }] }, 'InvalidBatchEntryId'],
    ['a deletion without a receipt', 'DeleteMessage', {}, 'MissingParameter'],
    ['a change without a receipt', 'ChangeMessageVisibility', { VisibilityTimeout: 0 }, 'MissingParameter'],
    ['a wait of a year', 'ReceiveMessage', { WaitTimeSeconds: 31_536_000 }, 'InvalidParameterValue'],
    ['names that are no list', 'ReceiveMessage', { MessageAttributeNames: 5 }, 'SerializationException'],
    [
      'an attribute of a message that is nothing',
      'SendMessage',
      { MessageBody: 'a', MessageAttributes: { a: null } },
      'SerializationException',
    ],
    [
      'a time that is no number',
      'SetQueueAttributes',
      { Attributes: { VisibilityTimeout: 'soon' } },
      'InvalidAttributeValue',
    ],
    ['a policy that is none', 'SetQueueAttributes', { Attributes: { RedrivePolicy: '{' } }, 'InvalidAttributeValue'],
    ['a FIFO queue', 'CreateQueue', { QueueName: 'f', Attributes: { FifoQueue: 'true' } }, 'UnsupportedOperation'],
  ])('refuse %s', async (_what, operation, more, name) => {
    const sqs = await newSqs();
    await expect(sqs.perform(operation, input(more))).rejects.toMatchObject({ name });
  });
});

describe('queues in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'local-queues-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are the same after a restart: waiting, hidden and dead messages, and the counts of receives', async () => {
    let now = 1_000_000;
    const open = () => openSqs(join(folder, 'queues.sqlite'), () => now);
    const first = open();
    await first.perform('CreateQueue', { QueueName: 'dead' });
    const { deadLetterTargetArn } = { deadLetterTargetArn: first.queue('dead').arn };
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 });
    await first.perform('CreateQueue', { QueueName: 'live', Attributes: { RedrivePolicy, VisibilityTimeout: '30' } });
    const send = (MessageBody: string) => first.perform('SendMessage', { QueueUrl: 'live', MessageBody });
    await send('dead');
    await first.perform('ReceiveMessage', { QueueUrl: 'live' });
    now += 31_000;
    await first.perform('ReceiveMessage', { QueueUrl: 'live' });
    await send('hidden');
    await first.perform('ReceiveMessage', { QueueUrl: 'live' });
    await send('waiting');
    first.stop();

    const second = open();
    const bodies = async (QueueUrl: string) => {
      const { Messages = [] } = (await second.perform('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })) as {
        Messages?: { Body: string }[];
      };
      return Messages.map(({ Body }) => Body);
    };
    expect(await bodies('live')).toEqual(['waiting']);
    expect(await bodies('dead')).toEqual(['dead']);
    expect(second.queue('live').counts()).toEqual({ waiting: 0, inFlight: 2, delayed: 0 });
    now += 31_000;
    expect(await bodies('live')).toEqual([]); // both were received as often as allowed
    expect((await bodies('dead')).sort()).toEqual(['dead', 'hidden', 'waiting']);
    second.stop();
  });

  test('forget the receipt of a message that is dead, after a restart too', async () => {
    let now = 1_000_000;
    const file = join(folder, 'receipts.sqlite');
    const first = openSqs(file, () => now);
    await first.perform('CreateQueue', { QueueName: 'dead' });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: first.queue('dead').arn, maxReceiveCount: 1 });
    await first.perform('CreateQueue', { QueueName: 'live', Attributes: { RedrivePolicy } });
    await first.perform('SendMessage', { QueueUrl: 'live', MessageBody: 'dead' });
    const ReceiptHandle = first.receive(first.queue('live'), (waiting) => [...waiting])[0]!.receipt;
    now += 31_000;
    await first.perform('ReceiveMessage', { QueueUrl: 'live' });
    first.stop();

    const second = openSqs(file, () => now);
    await second.perform('DeleteMessage', { QueueUrl: 'dead', ReceiptHandle });
    expect(second.queue('dead').counts().waiting).toBe(1);
    second.stop();
  });
});

test('a queue whose journal fails is as it was before', () => {
  let now = 1_000_000;
  let isFull = false;
  const update = () => {
    if (isFull) throw new Error('The disk is full.');
  };
  const queue = new Queue('q', 'arn', {}, [], { journal: { ...noJournal, update }, now: () => now });
  const receive = () =>
    queue.receive(
      (waiting) => [...waiting],
      () => undefined,
    );
  queue.send([{ body: 'a' }]);
  isFull = true;
  expect(receive).toThrow('full');
  isFull = false;
  const [received] = receive();
  expect(received).toMatchObject({ receives: 1 });
  isFull = true;
  expect(() => queue.changeVisibility(received!.receipt!, 0)).toThrow('full');
  expect(queue.counts()).toEqual({ waiting: 0, inFlight: 1, delayed: 0 });
  now += 29_999;
  isFull = false;
  expect(receive()).toEqual([]);
});

test('a queue that names itself for its dead letters keeps them', () => {
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: 'arn', maxReceiveCount: 1 });
  const queue = new Queue('q', 'arn', { RedrivePolicy }, [], { journal: noJournal, now: Date.now });
  queue.send([{ body: 'a' }]);
  const receive = () =>
    queue.receive(
      (waiting) => [...waiting],
      () => queue,
      0,
    );
  expect(receive()).toHaveLength(1);
  expect(receive()).toHaveLength(1);
});
