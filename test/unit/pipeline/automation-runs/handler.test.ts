import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { performRun } from '#domain/automations/perform-run.ts';
import { handler } from '#pipeline/automation-runs/handler.ts';
import { type Caused, cause, causedBy } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { batchOf, context, type MessageOptions } from '#test/kit/queue-messages.ts';
import { beforeNextRequest, tableWith } from '#test/kit/table.ts';

vi.mock('#domain/automations/perform-run.ts', () => ({ performRun: vi.fn() }));

test('what a run does is caused by the request that caused its event, and logged with it', async () => {
  const event = causedBy('0198b1f0-6c3a-4d11-9a3e-5f0c7d2e8b41', cause);
  const key = keyOf.automationRun('blue', 'automation', 'run');
  tableWith({ ...key, id: 'run', automation_id: 'automation', shop_slug: 'blue', event, finished_at: null });
  const causes: Caused[] = [];
  vi.mocked(performRun).mockImplementation(async () => void causes.push(cause()));
  const info = vi.spyOn(logger, 'info').mockImplementation(() => undefined);
  const message = { shop_slug: 'blue', automation_id: 'automation', run_id: 'run', ...event };
  expect(await handler(batchOf([message]), context)).toEqual({ batchItemFailures: [] });
  expect(event.cause).toHaveLength(22);
  expect(causes).toEqual([event]);
  const correlation_ids = ['0198b1f0-6c3a-4d11-9a3e-5f0c7d2e8b41'];
  expect(info).toHaveBeenCalledWith('automation runs', expect.objectContaining({ correlation_ids }));
});

describe('a run that fails', () => {
  const sqs = mockClient(SQSClient);
  const message = { shop_slug: 'blue', automation_id: 'automation', run_id: 'run' };
  const unfinished = { status: 'pending', finished_at: null, conditions: [], actions: [], results: {} };
  const key = keyOf.automationRun('blue', 'automation', 'run');

  beforeEach(() => {
    Object.assign(process.env, {
      AUTOMATION_RUN_QUEUE_URL: 'https://runs',
      GIVEN_UP_RUNS_QUEUE_URL: 'https://given-up',
    });
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
    sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
    tableWith({ ...key, id: 'run', automation_id: 'automation', shop_slug: 'blue', event: {}, ...unfinished });
  });

  const handle = (options: MessageOptions, ...bodies: (object | string)[]) =>
    handler(batchOf(bodies, options), context);
  const kept = () => sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries!);
  const day = 24 * 3600;

  test('by an outage comes again for almost two weeks, and is not failed', async () => {
    const throttled = Object.assign(new Error('slow'), { name: 'ThrottlingException' });
    vi.mocked(performRun).mockRejectedValue(throttled);
    const { batchItemFailures } = await handle({ ageSeconds: 12 * day, receives: 500 }, message);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm0' }]);
    expect(kept()).toEqual([]);
    expect(memoryTable.read(key)).toMatchObject({ finished_at: null });
  });

  test('by itself is given up: its message is kept with the reason, and the merchant sees that it failed', async () => {
    const other = { ...message, run_id: 'other' };
    memoryTable.put({ ...memoryTable.read(key)!, ...keyOf.automationRun('blue', 'automation', 'other'), id: 'other' });
    vi.mocked(performRun).mockImplementation(async ({ id }) => {
      if (id === 'run') throw new TypeError('of this run only');
    });
    const batch = handle({ ageSeconds: 15 * 60, group: 'blue' }, message, other);
    expect(await batch).toEqual({ batchItemFailures: [] });
    const reason = { DataType: 'String', StringValue: 'TypeError' };
    expect(kept()).toMatchObject([{ MessageAttributes: { reason }, MessageGroupId: 'blue' }]);
    expect(JSON.parse(kept()[0]!.MessageBody!)).toEqual({ ...message, given_up: true });
    expect(memoryTable.read(key)).toMatchObject({ status: 'failed', reason: 'given_up' });
  });

  test('because its message is none of ours is kept whole', async () => {
    expect(await handle({}, 'no JSON')).toEqual({ batchItemFailures: [] });
    expect(kept()).toMatchObject([{ MessageBody: 'no JSON' }]);
  });

  test('and is sent again is performed, though the answer to its reopening was lost', async () => {
    memoryTable.put({ ...memoryTable.read(key)!, status: 'failed', reason: 'given_up', finished_at: '2026-11-14' });
    vi.mocked(performRun).mockClear().mockResolvedValue();
    // The SDK sends the write again, and it loses its condition to itself.
    beforeNextRequest(UpdateCommand, () => memoryTable.put({ ...memoryTable.read(key)!, ...unfinished }));
    const again = { ...message, given_up: true };
    expect(await handle({}, again)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect(await handle({}, again)).toEqual({ batchItemFailures: [] });
    expect(performRun).toHaveBeenCalledTimes(1);
  });
});
