import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messageOf } from '#domain/deliveries/delivery-items.ts';
import { handler, waitForTurn } from '#pipeline/delivery/handler.ts';
import { toJob } from '#pipeline/delivery/job.ts';
import { logger } from '#platform/logging.ts';
import { keyOf } from '#platform/table/keys.ts';
import { toRecord } from '#test/kit/delivery-simulation.ts';
import { aDelivery, stored, tableWithDeliveries } from '#test/kit/stored-deliveries.ts';
import { dynamo } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://queue';

beforeEach(() => {
  sqs.reset();
});
afterEach(() => vi.restoreAllMocks());

const delivery = aDelivery(1);
const message = { ...messageOf(delivery), cause: 'request-1' };
const invoke = (remaining = 60_000) =>
  handler(
    { Records: [toRecord({ id: 'm1', body: JSON.stringify(message), receives: 1 })] } as SQSEvent,
    { getRemainingTimeInMillis: () => remaining } as Context,
  );

test('the delivery to a deleted endpoint is cancelled, and its message is deleted', async () => {
  tableWithDeliveries(delivery);
  expect(await invoke()).toEqual({ batchItemFailures: [] });
  expect(stored(delivery).status).toBe('cancelled');
  expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(1);
  const read = dynamo.commandCalls(BatchGetCommand).flatMap(({ args }) => args[0].input.RequestItems!.table!.Keys!);
  expect(read).toContainEqual(keyOf.webhook('blue', delivery.target));
});

test('a message to be retried is hidden by its receipt handle and reported as failed', async () => {
  tableWithDeliveries(delivery);
  expect(await invoke(1_000)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  expect(sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args }) => args[0].input)).toEqual([
    { QueueUrl: 'https://queue', ReceiptHandle: 'handle of m1', VisibilityTimeout: 0 },
  ]);
});

test('a message is reported as failed even if the queue refuses to hide it, so that nothing is lost', async () => {
  tableWithDeliveries(delivery);
  sqs.on(ChangeMessageVisibilityCommand).rejects(new Error('refused'));
  expect(await invoke(1_000)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
});

test('the log contains ids, reasons and the requests that caused the deliveries, and neither payloads nor addresses', async () => {
  const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
  tableWithDeliveries(delivery);
  await invoke(1_000);
  const counts = { messages: 1, again: 1, correlation_ids: ['request-1'] };
  expect(warn.mock.calls).toEqual([['deliveries', { ...counts, reasons: { m1: 'handed_back' } }]]);
});

test.each([
  [{ waitSeconds: 0.2, hasTurn: true }, 1],
  [{ waitSeconds: 42, hasTurn: true }, 42],
  [{ waitSeconds: 3600, hasTurn: false }, 900],
])(
  'a delivery that must wait for %j is queued again for its target, after as long as the queue can hold it',
  async (turn, DelaySeconds) => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const job = toJob(toRecord({ id: 'm1', body: JSON.stringify(messageOf(delivery)), receives: 14 }))!;
    const wait = { since: '2026-11-14T12:00:00.000Z', attempts: 3 };
    await waitForTurn(job, { ...turn, wait });
    const [entry] = sqs.commandCalls(SendMessageBatchCommand)[0]!.args[0].input.Entries!;
    expect(entry).toMatchObject({ DelaySeconds, MessageGroupId: `blue#${delivery.target}` });
    const { hasTurn } = turn;
    expect(JSON.parse(entry!.MessageBody!)).toEqual({ ...messageOf(delivery), ...(hasTurn && { hasTurn }), wait });
    expect(toJob(toRecord({ id: 'm2', body: entry!.MessageBody!, receives: 1 }))!.wait).toEqual(wait);
  },
);
