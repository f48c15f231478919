import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { gatheredCommit } from '#platform/table/gathered-writes.ts';
import { type Action, insert, put, WriteConflict } from '#platform/table/writes.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';

const key = (sk: string) => ({ pk: 'p', sk });
const shared = { ...key('shared'), version: 3 };
beforeEach(() => tableWith(shared));

const unchanged = (version: number): Action => ({
  ConditionCheck: {
    TableName: 'table',
    Key: key('shared'),
    ConditionExpression: 'version = :read',
    ExpressionAttributeValues: { ':read': version },
  },
});
/** Two items, and the check of one that all calls have in common. */
const call = (name: string, version = 3) => [insert(key(`${name}1`)), insert(key(`${name}2`)), unchanged(version)];

/** How the calls ended that are made at the same time: an error by its name. */
async function ends(...calls: Action[][]): Promise<string[]> {
  const all = await Promise.allSettled(calls.map(gatheredCommit));
  return all.map((one) => (one.status === 'rejected' ? (one.reason as Error).name : 'written'));
}

const transactions = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);
const written = () => memoryTable.all('p').map(({ sk }) => sk);

test('calls at the same time are one transaction, and make the same check once', async () => {
  expect(await ends(call('a'), call('b'))).toEqual(['written', 'written']);
  expect(transactions().map((actions) => actions.length)).toEqual([5]);
  expect(written()).toEqual(['a1', 'a2', 'b1', 'b2', 'shared']);
});

test('a later call has a transaction of its own', async () => {
  await gatheredCommit(call('a'));
  await gatheredCommit(call('b'));
  expect(transactions().map((actions) => actions.length)).toEqual([3, 3]);
});

test('a call whose condition fails is refused alone, with its own positions', async () => {
  memoryTable.put(key('b2'));
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => gatheredCommit(call(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(all[1]).toMatchObject({ reason: new WriteConflict([1]) });
  expect(written()).toEqual(['a1', 'a2', 'b2', 'c1', 'c2', 'shared']);
});

test('a call that read another version of the shared item does not spoil those that read the stored one', async () => {
  expect(await ends(call('a'), call('b', 2))).toEqual(['written', 'WriteConflict']);
  expect(written()).toEqual(['a1', 'a2', 'shared']);
});

test('of two calls that write the same item one is refused', async () => {
  expect((await ends(call('a'), call('a'))).sort()).toEqual(['WriteConflict', 'written']);
});

test('a transaction that breaks is written again, call by call', async () => {
  beforeNextRequest(TransactWriteCommand, () => {
    throw new Error('broken');
  });
  expect(await ends(call('a'), call('b'))).toEqual(['written', 'written']);
  expect(transactions().map((actions) => actions.length)).toEqual([5, 3, 3]);
});

test('calls whose common answer was lost fail without a second wait, and nothing is written twice', async () => {
  dynamo.on(TransactWriteCommand).callsFakeOnce(async ({ TransactItems }) => {
    for (const { Put } of TransactItems) if (Put) memoryTable.put(Put.Item);
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  });
  expect(await ends(call('a'), call('b'))).toEqual(['TimeoutError', 'TimeoutError']);
  expect(transactions()).toHaveLength(1);
  expect(written()).toEqual(['a1', 'a2', 'b1', 'b2', 'shared']);
});

test('many calls are several transactions, and a call that is large is one by itself', async () => {
  const large = [...Array.from({ length: 60 }, (_, i) => insert(key(`large${i}`))), unchanged(3)];
  const calls = [...Array.from({ length: 15 }, (_, i) => call(`n${i}-`)), large];
  expect(new Set(await ends(...calls))).toEqual(new Set(['written']));
  expect(transactions().map((actions) => actions.length)).toEqual([21, 11, 61]);
});

test('a single write is no transaction, which would cost twice as much', async () => {
  expect(await ends([put(key('a'))], call('b'))).toEqual(['written', 'written']);
  expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
  expect(transactions().map((actions) => actions.length)).toEqual([3]);
});
