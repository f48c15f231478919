import { describe, expect, test, vi } from 'vitest';
import { fairest, mostOfGroup } from '#lib/local/event-sources/fairest.ts';
import type { Mapping } from '#lib/local/event-sources/mapping.ts';
import type { QueueReader } from '#lib/local/event-sources/queue-reader.ts';
import { startQueueSource } from '#lib/local/event-sources/sqs.ts';
import { withGroups } from '#lib/local/message-groups.ts';

/** A message is named by its group and a number: `a1`; one without a group begins with a dash. */
const groupOf = (message: string) => (message.startsWith('-') ? undefined : message[0]);
const next = (waiting: string[], most: number, busy: Record<string, number> = {}) =>
  fairest(waiting, most, groupOf, new Map(Object.entries(busy)));

describe('of the waiting messages', () => {
  test.each<[string, string[], number, Record<string, number>, string[]]>([
    ['the oldest of one group come first', ['a1', 'a2', 'a3'], 2, {}, ['a1', 'a2']],
    ['groups take turns', ['a1', 'a2', 'a3', 'b1', 'b2'], 4, {}, ['a1', 'b1', 'a2', 'b2']],
    ['a group that comes last does not wait', ['a1', 'a2', 'a3', 'a4', 'b1'], 2, {}, ['a1', 'b1']],
    ['the group with less being worked on is first', ['a1', 'a2', 'b1'], 2, { a: 10 }, ['b1', 'a1']],
    ['those without a group keep their order', ['-1', '-2', '-3'], 2, {}, ['-1', '-2']],
    ['a group with as many as may be waits', ['a1', 'b1'], 10, { a: mostOfGroup }, ['b1']],
    ['a group stops where it may have no more', ['a1', 'a2', 'a3'], 10, { a: mostOfGroup - 2 }, ['a1', 'a2']],
    ['none is none', [], 10, {}, []],
  ])('%s', (_rule, waiting, most, busy, expected) => {
    expect(next(waiting, most, busy)).toEqual(expected);
  });
});

describe('a message group', () => {
  const group = { 'local-message-group': { DataType: 'String', StringValue: 'g' } };

  test('travels as an attribute beside the others', () => {
    const sent = { QueueUrl: 'q', MessageBody: 'b', MessageGroupId: 'g', MessageAttributes: { own: {} } };
    const expected = { QueueUrl: 'q', MessageBody: 'b', MessageAttributes: { own: {}, ...group } };
    expect(withGroups('SendMessage', sent)).toEqual(expected);
  });

  test('of each message of a batch is its own', () => {
    const sent = { QueueUrl: 'q', Entries: [{ Id: '1', MessageGroupId: 'g' }, { Id: '2' }] };
    expect(withGroups('SendMessageBatch', sent).Entries).toEqual([{ Id: '1', MessageAttributes: group }, { Id: '2' }]);
  });

  test('is refused where SQS would refuse its name', () => {
    const sent = (MessageGroupId: string) => withGroups('SendMessage', { QueueUrl: 'q', MessageGroupId });
    expect(sent('g'.repeat(128))).toBeDefined();
    for (const name of ['g'.repeat(129), '', 'two words', 'grün']) expect(() => sent(name)).toThrow(/MessageGroupId/);
  });

  test('of a FIFO queue is left to the emulator, as is any other request', () => {
    const fifo = { QueueUrl: 'q.fifo', MessageGroupId: 'g' };
    const other = { QueueUrl: 'q', MessageGroupId: 'g' };
    expect(withGroups('SendMessage', fifo)).toBe(fifo);
    expect(withGroups('ReceiveMessage', other)).toBe(other);
  });
});

describe('a mapping whose queue has nothing for it', () => {
  /** One message, then nothing until some of the work is done. */
  const reader = (seen: string[]): QueueReader => ({
    receive: async (_most, { busy, eased, stopped }) => {
      if (seen.push('asked') === 1) return [{ MessageId: 'm', Body: '{}', Attributes: { MessageGroupId: 'g' } }];
      const before = busy.get('g') ?? 0;
      await eased();
      seen.push(stopped.aborted ? 'stopped' : `${before} then ${busy.get('g') ?? 0}`);
      return [];
    },
    remove: async () => {},
    giveBack: async () => {},
  });

  test('is woken by the end of its work, and by its stop', async () => {
    const seen: string[] = [];
    const work = Promise.withResolvers<unknown>();
    const mapping = { pool: { invoke: () => work.promise }, accepts: () => true, batchSize: 10, maximumConcurrency: 9 };
    const source = startQueueSource(mapping as unknown as Mapping, reader(seen), () => {});
    await vi.waitFor(() => expect(seen).toEqual(['asked', 'asked']));
    work.resolve({});
    await vi.waitFor(() => expect(seen).toEqual(['asked', 'asked', '1 then 0', 'asked']));
    await source.stop();
    expect(seen.at(-1)).toBe('stopped');
    await source.settled();
  });
});
