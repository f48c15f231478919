import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type MessageOutcome, pauseSeconds, settle, verdictsOfMessages } from '#platform/failed-messages.ts';
import * as logging from '#platform/logging.ts';
import { handleBatch, parsed, requireTexts } from '#platform/message-batch.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { retriedQueueLimits } from '#schemas/catalogues/limits.ts';
import { batchOf, type MessageOptions, queuedMessage } from '#test/kit/queue-messages.ts';

const sqs = mockClient(SQSClient);
Object.assign(process.env, { WORK_QUEUE_URL: 'https://work', FAILURES_QUEUE_URL: 'https://failures' });
const queue = { logged: 'work', variable: 'WORK_QUEUE_URL', failures: 'FAILURES_QUEUE_URL' };

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
});

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const denied = named('AccessDeniedException', { $metadata: {} });

let count = 0;
function outcome(ageSeconds: number, error?: unknown, more: MessageOptions & Partial<MessageOutcome> = {}) {
  const { group = 'blue', receives, ...rest } = more;
  const message = queuedMessage(`m${count++}`, { text: 'whole' }, { ageSeconds, group, ...(receives && { receives }) });
  return { message, error, isHandled: error === undefined, ...rest };
}
const verdicts = (...outcomes: MessageOutcome[]) => verdictsOfMessages(outcomes, new Date());

test('a message of an outage waits for almost as long as its queue keeps it', () => {
  expect(verdicts(outcome(12 * day, denied), outcome(0))).toEqual(['again', 'done']);
  expect(verdicts(outcome(13 * day, denied))).toEqual(['put_aside']);
});

test('a message that failed for an unknown reason is put aside after a quarter of an hour if another is handled', () => {
  const ownBug = new TypeError('x is undefined');
  expect(verdicts(outcome(15 * minute, ownBug), outcome(0))).toEqual(['put_aside', 'done']);
  expect(verdicts(outcome(15 * minute, ownBug))).toEqual(['again']);
});

describe('a message that is put aside', () => {
  const malformed = (receives = 1) => outcome(0, new RecordFault('Malformed'), { receives });

  test('is kept whole, in its group and with the reason, and is done', async () => {
    const { response, putAside } = await settle([malformed()], queue, new Date());
    expect(response).toEqual({ batchItemFailures: [] });
    expect([...putAside.values()]).toEqual(['Malformed']);
    expect(sqs.commandCalls(SendMessageBatchCommand)[0]!.args[0].input).toEqual({
      QueueUrl: 'https://failures',
      Entries: [
        {
          Id: '0',
          MessageBody: '{"text":"whole"}',
          MessageGroupId: 'blue',
          MessageAttributes: { reason: { DataType: 'String', StringValue: 'Malformed' } },
        },
      ],
    });
  });

  test('stays in its queue, with a pause, if it cannot be kept', async () => {
    sqs.on(SendMessageBatchCommand).rejects(denied);
    const { response, again, putAside } = await settle([malformed(3)], queue, new Date());
    expect([response.batchItemFailures.length, again.size, putAside.size]).toEqual([1, 1, 0]);
    expect(pauses()).toEqual([40]);
  });
});

const pauses = () =>
  sqs
    .commandCalls(ChangeMessageVisibilityBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!.map(({ VisibilityTimeout }) => VisibilityTimeout));

describe('a message that comes again', () => {
  test('has pauses that grow to twenty minutes', async () => {
    const receives = [1, 2, 3, 7, 8, 100, 959];
    const { again } = await settle(
      receives.map((received) => outcome(hour, denied, { receives: received })),
      queue,
      new Date(),
    );
    expect(again.size).toBe(receives.length);
    expect(pauses()).toEqual([10, 20, 40, 640, 1200, 1200, 1200]);
  });

  test('is given a pause ten at a time, and comes after the visibility timeout if the queue refuses that', async () => {
    sqs.on(ChangeMessageVisibilityBatchCommand).rejects(denied);
    const outcomes = Array.from({ length: 12 }, () => outcome(0, denied));
    expect((await settle(outcomes, queue, new Date())).response.batchItemFailures).toHaveLength(12);
    sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
    sqs.resetHistory();
    await settle(outcomes, queue, new Date());
    const calls = sqs.commandCalls(ChangeMessageVisibilityBatchCommand);
    expect(calls.map(({ args }) => args[0].input.Entries!.length)).toEqual([10, 2]);
  });

  test('tells how old it is, because the queue does not count those that were received three times', async () => {
    const measured = vi.spyOn(logging, 'measureSeconds').mockResolvedValue();
    await settle([outcome(hour, denied), outcome(2 * hour, denied), outcome(3 * hour)], queue, new Date());
    expect(measured.mock.calls).toEqual([['OldestFailingMessage', 2 * hour]]);
    measured.mockRestore();
  });

  test('is never received so often, while it is tried, that the redrive policy moves it', () => {
    let [seconds, receives] = [0, 0];
    while (seconds < retriedQueueLimits.triedForDays * day) seconds += pauseSeconds(++receives);
    expect(receives).toBeLessThan(retriedQueueLimits.receives);
    expect(retriedQueueLimits.receives).toBeLessThanOrEqual(1000);
  });

  test('without any function to judge it is moved days before the queue would drop it', () => {
    const days = (retriedQueueLimits.receives * retriedQueueLimits.visibilitySeconds) / day;
    expect(days).toBeGreaterThan(7);
    expect(days).toBeLessThanOrEqual(10);
  });
});

describe('a batch', () => {
  test('is handled one by one, and a message that hangs fails alone', async () => {
    const handle = async ({ body }: { body: string }) => {
      if (body === 'hangs') await new Promise(() => {});
      return parsed<{ work?: 'nothing_to_do' }>(body).work;
    };
    const warn = vi.spyOn(logging.logger, 'warn').mockReturnValue();
    const response = await handleBatch(batchOf([{}, 'hangs', 'null']), handle, queue, 8_020);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    const reasons = { m1: 'TookTooLong', m2: 'Malformed' };
    expect(warn).toHaveBeenLastCalledWith('work', {
      messages: 3,
      again: 1,
      put_aside: 1,
      correlation_ids: [],
      reasons,
    });
  });
});

test('a message of a form that this version does not know is an outage', () => {
  expect(requireTexts({ shop_slug: 'blue' }, 'shop_slug')).toEqual({ shop_slug: 'blue' });
  expect(() => requireTexts({ shop_slug: 1 }, 'shop_slug')).toThrow(UnknownForm);
});
