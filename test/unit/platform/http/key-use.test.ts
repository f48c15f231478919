import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { basic, eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');

type Shops = typeof import('#api/shops/handler.ts');

/** One execution environment, with a memory of its own. */
async function environment() {
  vi.resetModules();
  const { handler }: Shops = await import('#api/shops/handler.ts');
  return async () => {
    const headers = basic('blue', admin.secret);
    const event = eventOf({ method: 'GET', resource: '/v1/shops/{slug}', params: { slug: 'blue' }, headers });
    return (await handler(event)).statusCode;
  };
}

let get: () => Promise<number>;

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-11-14T12:00:00Z'), toFake: ['Date'] });
  tableWith(admin.item, shopItem('blue'));
  get = await environment();
});
afterEach(() => {
  vi.useRealTimers();
});

const days = () => memoryTable.all('KEYUSES#').map(({ used_on }) => used_on);
const writes = () => dynamo.commandCalls(PutCommand).length;

test('the day on which a key is used is stored when the request is answered, once a day', async () => {
  expect(await get()).toBe(200);
  expect(days()).toEqual(['2026-11-14']);
  await get();
  expect(writes()).toBe(1);
  vi.setSystemTime('2026-11-15T00:00:01Z');
  await get();
  expect(days()).toEqual(['2026-11-15']);
});

test('another environment whose clock is behind takes nothing back', async () => {
  await get();
  vi.setSystemTime('2026-11-13T23:59:59Z');
  expect(await (await environment())()).toBe(200);
  expect(days()).toEqual(['2026-11-14']);
});

test('a request is answered as well if the day cannot be stored', async () => {
  dynamo.on(PutCommand).rejects(Object.assign(new Error('no'), { name: 'ThrottlingException' }));
  expect(await get()).toBe(200);
});

test('the answer waits for the write, because the function may be frozen after it', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<object>();
  dynamo.on(PutCommand).callsFake(() => answered);
  let isAnswered = false;
  const request = get().then(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(writes()).toBe(1));
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  answer({});
  await request;
});
