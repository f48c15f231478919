import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messageOf, type QueuedDelivery } from '#domain/deliveries/delivery-messages.ts';
import { sendLater } from '#domain/deliveries/retry-store.ts';
import { handler, resultOf } from '#pipeline/delivery/handler.ts';
import { toJob } from '#pipeline/delivery/job.ts';
import * as logging from '#platform/logging.ts';
import { logger } from '#platform/logging.ts';
import { keyOf } from '#platform/table/keys.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { DeliverySimulation, toRecord } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
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
  const counts = { messages: 1, again: 1, faults: 0, correlation_ids: ['request-1'] };
  expect(warn.mock.calls).toEqual([['deliveries', { ...counts, reasons: { m1: 'handed_back' } }]]);
});

test('a fault of ours is counted for the alarm, because no attempt and no failed message tells of it', async () => {
  const counted = vi.spyOn(logging, 'countOne').mockResolvedValue();
  tableWithDeliveries(delivery);
  sqs.on(SendMessageBatchCommand).resolves({});
  await invoke();
  expect(counted).not.toHaveBeenCalled();
  dynamo.on(BatchGetCommand).rejects(Object.assign(new Error('no grant'), { name: 'AccessDeniedException' }));
  expect(await invoke()).toEqual({ batchItemFailures: [] });
  expect(queued()).toHaveLength(1);
  expect(counted.mock.calls).toEqual([['DeliveryFaults']]);
});

test('a fault of ours is counted also if the queue does not take another message, and mails that met each other are none', async () => {
  const counted = vi.spyOn(logging, 'countOne').mockResolvedValue();
  tableWithDeliveries(delivery);
  sqs.on(SendMessageBatchCommand).rejects(new Error('refused'));
  dynamo.on(PutCommand).rejects(new Error('refused'));
  dynamo.on(BatchGetCommand).rejects(new WriteConflict([]));
  expect(await invoke()).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  expect(counted).not.toHaveBeenCalled();
  dynamo.on(BatchGetCommand).rejects(new TypeError('a fault in the code'));
  expect(await invoke()).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  expect(counted).toHaveBeenCalledTimes(1);
});

const queued = () => sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries!);
const again = { ...messageOf(delivery), retry: { id: 'next', attempts: 1 } };

test('a wait of a quarter of an hour is a delay of the queue, which takes no place in flight', async () => {
  tableWithDeliveries(delivery);
  sqs.on(SendMessageBatchCommand).resolves({});
  await sendLater(again, 900);
  expect(queued()).toMatchObject([{ DelaySeconds: 900, MessageGroupId: `blue#${delivery.target}` }]);
  expect(JSON.parse(queued()[0]!.MessageBody!)).toEqual(again);
  expect(memoryTable.all('RETRIES#')).toEqual([]);
});

test('a longer wait is kept in the table, and so is one that the queue refuses', async () => {
  tableWithDeliveries(delivery);
  await sendLater(again, 901);
  expect(queued()).toEqual([]);
  sqs.on(SendMessageBatchCommand).rejects(new Error('refused'));
  await sendLater(again, 10);
  expect(memoryTable.all('RETRIES#')).toMatchObject([{ message: again }, { message: again }]);
});

test.each([
  [{ waitSeconds: 0.2, hasTurn: true }, 1],
  [{ waitSeconds: 42, hasTurn: true }, 42],
  [{ waitSeconds: 3600, hasTurn: false }, 900],
])(
  'a delivery that must wait for %j gets a new message, after as long as the queue can hold it',
  async (turn, seconds) => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    const sent: [QueuedDelivery, number][] = [];
    simulation.ports.sendLater = async (...one) => void sent.push(one);
    const wait = { since: '2026-11-14T12:00:00.000Z', attempts: 3 };
    const retry = { id: 'next', attempts: 1 };
    const body = JSON.stringify({ ...messageOf(delivery), retry });
    const job = toJob(toRecord({ id: 'm1', body, receives: 14 }))!;
    expect(await resultOf(job, async () => ({ ...turn, wait }), simulation.ports)).toEqual({});
    const { hasTurn } = turn;
    expect(sent).toEqual([[{ ...messageOf(delivery), retry, ...(hasTurn && { hasTurn }), wait }, seconds]]);
  },
);
