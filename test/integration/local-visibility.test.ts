import { expect, test } from 'vitest';
import { createVisibilityLimit } from '#lib/local/sqs-visibility.ts';

const hours = 3600;

function queue() {
  let now = 0;
  const sent: unknown[] = [];
  const limit = createVisibilityLimit(() => now);
  const send = async (body: Buffer) => {
    sent.push(JSON.parse(String(body)));
    const Messages = [{ ReceiptHandle: 'a' }, { ReceiptHandle: 'b' }];
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ Messages, Successful: [{ Id: '1' }] })) };
  };
  return {
    sent,
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    call: (operation: string, body: Record<string, unknown>) => limit.pass(operation, body, send),
  };
}

test('a change within 12 hours of the receipt passes', async () => {
  const { call, sent, wait } = queue();
  await call('ReceiveMessage', {});
  wait(hours);
  await call('ChangeMessageVisibility', { ReceiptHandle: 'a', VisibilityTimeout: 11 * hours });
  expect(sent).toHaveLength(2);
});

test('a change beyond 12 hours of the receipt is refused', async () => {
  const { call, wait } = queue();
  await call('ReceiveMessage', {});
  wait(1);
  const change = call('ChangeMessageVisibility', { ReceiptHandle: 'a', VisibilityTimeout: 12 * hours });
  await expect(change).rejects.toMatchObject({
    name: 'InvalidParameterValue',
    message: expect.stringContaining('beyond the limit'),
  });
});

test('of several changes, only those beyond the limit fail', async () => {
  const { call, sent, wait } = queue();
  await call('ReceiveMessage', {});
  wait(1);
  const Entries = [
    { Id: '1', ReceiptHandle: 'a', VisibilityTimeout: 10 },
    { Id: '2', ReceiptHandle: 'b', VisibilityTimeout: 12 * hours },
  ];
  const { body } = await call('ChangeMessageVisibilityBatch', { Entries });
  expect(sent[1]).toEqual({ Entries: [Entries[0]] });
  expect(JSON.parse(String(body))).toMatchObject({
    Successful: [{ Id: '1' }],
    Failed: [{ Id: '2', SenderFault: true }],
  });
});
