import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { enqueue } from '#domain/deliveries/delivery-messages.ts';
import { NotEnqueued } from '#platform/queue.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://deliveries';

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

const messages = (count: number, target = 'endpoint') =>
  Array.from({ length: count }, (_, i) => ({
    shop_slug: 'blue',
    target,
    delivery_id: `${target}-${i}`,
    payload_id: 'event',
  }));

const sent = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input);

describe('deliveries that are sent to the queue', () => {
  test('are references that are grouped by their target', async () => {
    await enqueue([...messages(1, 'a'), ...messages(1, 'b')]);
    const [{ QueueUrl, Entries } = {}] = sent();
    expect(QueueUrl).toBe('https://deliveries');
    expect(Entries).toEqual([
      { Id: '0', MessageGroupId: 'blue#a', MessageBody: JSON.stringify(messages(1, 'a')[0]) },
      { Id: '1', MessageGroupId: 'blue#b', MessageBody: JSON.stringify(messages(1, 'b')[0]) },
    ]);
  });

  test('of a shop with the longest name have one group per target that SQS accepts', async () => {
    const shop_slug = 's'.repeat(100);
    const target = (digit: string) => digit.repeat(53);
    await enqueue(['a', 'b', 'a'].map((digit) => ({ ...messages(1, target(digit))[0]!, shop_slug })));
    const groups = sent()[0]!.Entries!.map(({ MessageGroupId }) => MessageGroupId!);
    for (const group of groups) expect(group).toMatch(/^[!-~]{1,128}$/);
    expect(groups[0]).toBe(groups[2]);
    expect(groups[0]).not.toBe(groups[1]);
  });

  test('are sent ten at a time', async () => {
    await enqueue(messages(23));
    expect(sent().map(({ Entries }) => Entries!.length)).toEqual([10, 10, 3]);
  });

  test('can be probes and can be delayed', async () => {
    await enqueue([{ ...messages(1)[0]!, probe: true }], { delaySeconds: 30 });
    const [entry] = sent()[0]!.Entries!;
    expect(entry!.DelaySeconds).toBe(30);
    expect(JSON.parse(entry!.MessageBody!)).toMatchObject({ delivery_id: 'endpoint-0', probe: true });
  });

  test('cost no request when there are none', async () => {
    await enqueue([]);
    expect(sent()).toEqual([]);
  });
});

describe('messages that the queue refuses', () => {
  const refusedOf = async (some: ReturnType<typeof messages>) => {
    const error = await enqueue(some).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotEnqueued);
    return (error as NotEnqueued).messages;
  };

  test('are reported one by one', async () => {
    const Failed = [{ Id: '1', Code: 'InternalError', SenderFault: false }];
    sqs.on(SendMessageBatchCommand).resolvesOnce({}).resolvesOnce({ Failed });
    const some = messages(13);
    expect(await refusedOf(some)).toEqual([some[11]]);
  });

  test('are all those of a request that fails, and the other requests are sent', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('down')).resolves({});
    const some = messages(12);
    expect(await refusedOf(some)).toEqual(some.slice(0, 10));
    expect(sent()).toHaveLength(2);
  });
});
