import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fauxqs, startFauxqs } from '#lib/local/fauxqs.ts';
import { region } from '#lib/local/physical-names.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-fauxqs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const clientOf = ({ url }: Fauxqs) =>
  new SQSClient({ endpoint: url, region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' }, maxAttempts: 1 });

async function receive(client: SQSClient, QueueUrl: string): Promise<Message | undefined> {
  const command = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
  return (await client.send(command)).Messages?.[0];
}

const receivedFor = (count: number) => ({ Attributes: { ApproximateReceiveCount: String(count) } });

test('a message that is handed back at once is there at once, and its count outlives a restart', async () => {
  const first = await startFauxqs(folder);
  const client = clientOf(first);
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'queue' }));
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
  const handBack = async (message: Message | undefined) =>
    client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 0 }),
    );
  await handBack(await receive(client, QueueUrl));
  const again = await receive(client, QueueUrl);
  expect(again).toMatchObject(receivedFor(2));
  await handBack(again);
  client.destroy();
  await first.stop();

  const second = await startFauxqs(folder);
  const later = clientOf(second);
  expect(await receive(later, QueueUrl)).toMatchObject(receivedFor(3));
  later.destroy();
  await second.stop();
});
