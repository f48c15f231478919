import { S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { listFailures } from '../../../bin/operator/failures.ts';

test('a queue of failures is read with a wait, so that all servers of the queue are asked', async () => {
  const sqs = mockClient(SQSClient);
  sqs.on(ReceiveMessageCommand).resolves({});
  mockClient(S3Client).onAnyCommand().resolves({});
  const queue = { name: 'events', from: 'https://failures', to: 'https://again' };
  const place = { failures: { bucket: 'payloads', queues: [queue] }, sqs: new SQSClient({}), s3: new S3Client({}) };
  expect(await listFailures(place)).toEqual([]);
  const [call] = sqs.commandCalls(ReceiveMessageCommand);
  expect(call!.args[0].input.WaitTimeSeconds).toBeGreaterThan(0);
});
