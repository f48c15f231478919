import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { logger } from '#platform/logging.ts';
import { handleBatch, handleEach } from '#platform/message-batch.ts';

const eventOf = (...ids: string[]) => ({ Records: ids.map((messageId) => ({ messageId, body: '' })) }) as SQSEvent;

const failing = (...ids: string[]) => {
  return async ({ messageId }: SQSRecord): Promise<void> => {
    if (ids.includes(messageId)) throw new TypeError(`${messageId} is broken`);
  };
};

test('only failed messages are received again, and the log has the name of the error and not its text', async () => {
  const { response, failures } = await handleEach(eventOf('a', 'b', 'c'), failing('b'));
  expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] });
  expect([...failures]).toEqual([['b', 'TypeError']]);
});

test('a batch with only failed messages is answered like any other', async () => {
  const { response } = await handleEach(eventOf('a', 'b'), failing('a', 'b'));
  expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'b' }] });
});

test('a batch names the requests that caused its messages, each once, and nothing else that a message may hold', async () => {
  const bodies = ['request-1', 'request-2', 'request-1', 'Jane Doe', 7, 'x'.repeat(65)].map((cause) =>
    JSON.stringify({ cause }),
  );
  const Records = [...bodies, '{}', 'null', 'no JSON'].map((body, i) => ({ messageId: `${i}`, body }));
  const queue = { logged: 'work', variable: 'QUEUE_URL', failures: 'FAILURES_QUEUE_URL' };
  const info = vi.spyOn(logger, 'info').mockReturnValue();
  await handleBatch({ Records } as SQSEvent, async () => undefined, queue, 60_000);
  expect(info.mock.lastCall).toEqual([
    'work',
    expect.objectContaining({ correlation_ids: ['request-1', 'request-2'] }),
  ]);
});

test('parallel batches do not affect each other', async () => {
  const [bad, good] = await Promise.all([handleEach(eventOf('a'), failing('a')), handleEach(eventOf('b'), failing())]);
  expect(bad.response.batchItemFailures).toHaveLength(1);
  expect(good.response.batchItemFailures).toEqual([]);
});
