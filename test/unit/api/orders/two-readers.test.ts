import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { newSession, writeToken } from '#platform/access/session.ts';
import { invoke } from '#test/kit/invoke.ts';
import { longLists } from '#test/kit/long-lists.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const lists = longLists({ slug: 'blue', target: 'none', newest: new Date('2026-11-14T12:00:00Z') });
const origin = 'https://api.example.com';
const newest = 500;
const oldest = 560;
const perPage = 10;

/** Orders are added before the newest, which has the lowest number. */
let next: number;
const add = (count: number) => {
  for (let i = 0; i < count; i++) memoryTable.put(...lists.orderItems(--next));
};

beforeEach(() => {
  tableWith(operator.item, shopItem('blue'));
  next = oldest;
  add(oldest - newest);
});

type Headers = Record<string, string>;

async function read(page: number, headers: Headers): Promise<number[]> {
  const query = { page: String(page), per_page: String(perPage) };
  const call = { method: 'GET', resource: '/v1/shops/{slug}/orders', params: { slug: 'blue' }, query, headers };
  const { status, body } = await invoke(handler, call);
  expect(status).toBe(200);
  return (body as { order_number: string }[]).map(({ order_number }) => Number(order_number.slice('long-'.length)));
}

/** Both read page after page, in turns, and after each page three orders are added. */
async function readTogether(...readers: [Headers, Headers]): Promise<number[][]> {
  const found: number[][] = [[], []];
  for (let page = 1; page <= 7; page++) {
    for (const [i, reader] of readers.entries()) {
      found[i]!.push(...(await read(page, reader)));
      add(3);
    }
  }
  return found;
}

const upwards = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

const named = (name: string) => ({ ...asOperator, 'Reader-Id': name });
const programmed = (agent: string) => ({ ...asOperator, 'User-Agent': agent });

function inSession(): Headers {
  const { token_id: tokenId, ...rest } = operator.item;
  const { token, item } = newSession({ ...rest, tokenId }, origin, new Date());
  memoryTable.put(item);
  return { cookie: `__Host-session=${writeToken(token)}`, Origin: origin };
}

test.each<[string, () => [Headers, Headers]]>([
  ['names', () => [named('a'), named('b')]],
  ['programs', () => [programmed('curl/8.5.0'), programmed('node')]],
  ['sessions', () => [inSession(), inSession()]],
])('two readers with one key and different %s skip and repeat nothing while orders are added', async (_, readers) => {
  const [first, second] = await readTogether(...readers());
  expect(first).toEqual(upwards(newest, oldest));
  expect(second).toEqual(upwards(newest - 3, oldest));
});

test('a page costs one write, also with two readers', async () => {
  for (const reader of ['a', 'b']) {
    await read(1, named(reader));
    await read(2, named(reader));
  }
  expect(dynamo.commandCalls(PutCommand)).toHaveLength(4);
});
