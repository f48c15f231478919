import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const item = (sk: string) => ({ pk: 'p', sk, of: sk });
const key = (sk: string) => ({ pk: 'p', sk });
const asked = () => dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!.table!.Keys!);

test('items requested at the same time are read in one request, each item once', async () => {
  tableWith(item('a'), item('b'));
  const answers = await Promise.all([gatheredGet([key('a'), key('c')]), gatheredGet([key('b'), key('a')])]);
  expect(answers).toEqual([
    [item('a'), undefined],
    [item('b'), item('a')],
  ]);
  expect(asked()).toEqual([[key('a'), key('c'), key('b')]]);
});

test('an item requested later is read in another request', async () => {
  tableWith(item('a'));
  await gatheredGet([key('a')]);
  await gatheredGet([key('a')]);
  expect(asked()).toHaveLength(2);
});

test('no request has more keys than DynamoDB accepts', async () => {
  tableWith();
  const keys = (prefix: string) => Array.from({ length: 60 }, (_, i) => key(prefix + i));
  await Promise.all([gatheredGet(keys('a')), gatheredGet(keys('b'))]);
  expect(asked().map((some) => some.length)).toEqual([100, 20]);
});

test('a failure reaches every caller of the request', async () => {
  tableWith();
  dynamo.on(BatchGetCommand).rejects(new Error('down'));
  const both = await Promise.allSettled([gatheredGet([key('a')]), gatheredGet([key('b')])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('no request names a key twice, also where an earlier read of it fails while others ask', async () => {
  tableWith(item('a'));
  const earlier = Promise.withResolvers<never>();
  dynamo.on(BatchGetCommand).callsFakeOnce(() => earlier.promise);
  const first = gatheredGet([key('a')]);
  await vi.waitUntil(() => asked().length === 1, { timeout: 20_000 });
  const second = gatheredGet([key('a')]);
  earlier.reject(new Error('down'));
  const third = first.catch(() => gatheredGet([key('a')]));
  await Promise.allSettled([second, third]);
  expect(asked()).toEqual([[key('a')], [key('a')]]);
});
