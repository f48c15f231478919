import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyMemory } from '#platform/access/wrong-keys.ts';
import { accessLimits } from '#schemas/catalogues/limits.ts';
import { basic, eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const { wrongKeys: tries, secondsForOneMore } = accessLimits;
const admin = keyFor('blue', 'admin');
const other = keyFor('blue', 'viewer');
const here = '203.0.113.7';

type Shops = typeof import('#api/shops/handler.ts');

/** One execution environment, with a memory of its own. */
async function environment() {
  vi.resetModules();
  const { handler }: Shops = await import('#api/shops/handler.ts');
  return async (secret: string, { address = here, username = 'blue' } = {}) => {
    const headers = basic(username, secret);
    const event = eventOf({ method: 'GET', resource: '/v1/shops/{slug}', params: { slug: 'blue' }, headers });
    event.requestContext = { ...event.requestContext, identity: { sourceIp: address } as never };
    const { statusCode, headers: answered, body } = await handler(event);
    const wait = (answered as Record<string, string>)['Retry-After'];
    return { status: statusCode, wait: wait === undefined ? undefined : Number(wait), key: JSON.parse(body).key };
  };
}

type Get = Awaited<ReturnType<typeof environment>>;
let get: Get;

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-11-14T12:00:00Z'), toFake: ['Date'] });
  tableWith(admin.item, other.item, shopItem('blue'));
  get = await environment();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const reads = () => dynamo.commandCalls(BatchGetCommand).length;
const writes = () => dynamo.commandCalls(UpdateCommand).length;
const guess = (i: number) => `guess-number-${i}`;
const counted = () => memoryTable.all('WRONGKEYS#');

async function attack(count: number, more: Parameters<Get>[1] = {}, by = get) {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await by(guess(i), more)).status);
  return statuses;
}
const of = (status: number, count: number) => Array.from({ length: count }, () => status);

describe('wrong keys of one username from one address', () => {
  test('are answered ten times, then one is every six seconds', async () => {
    expect(await attack(tries + 5)).toEqual([...of(401, tries), ...of(429, 5)]);
    expect(await get(guess(99))).toMatchObject({ key: 'rate_limited', wait: secondsForOneMore });
    pass(secondsForOneMore - 1);
    expect(await get(guess(99))).toMatchObject({ status: 429, wait: 1 });
    pass(1);
    expect(await attack(3)).toEqual([401, 429, 429]);
    pass(tries * secondsForOneMore);
    expect(await attack(tries + 1)).toEqual([...of(401, tries), 429]);
  });

  test('are not even looked up while the pair is blocked, so a right guess is not noticed', async () => {
    await attack(tries + 1);
    const before = { reads: reads(), writes: writes() };
    expect(await attack(1000)).toEqual(of(429, 1000));
    expect((await get(admin.secret)).status).toBe(429);
    expect({ reads: reads(), writes: writes() }).toEqual(before);
  });

  test('cost one read and one write each, and none of them more than the tries', async () => {
    await attack(tries + 100);
    // The first also finds that there is no bucket yet, and one more that no try is left.
    expect(writes()).toBe(tries + 2);
    expect(reads()).toBe(tries + 1);
  });

  test('are counted exactly when they come at once, also to several environments', async () => {
    const all = await Promise.all([environment(), environment(), environment()]);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => all[i % 3]!(guess(i))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(tries);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - tries);
  });

  test('block the pair in another environment after its first wrong key', async () => {
    await attack(tries + 1);
    const elsewhere = await environment();
    expect(await attack(3, {}, elsewhere)).toEqual([429, 429, 429]);
  });

  test('are the same for a username that does not exist', async () => {
    const known = await attack(tries + 3);
    const unknown = await attack(tries + 3, { username: 'nobody' });
    expect(unknown).toEqual(known);
  });

  test('leave one small item, which the table deletes when all tries are there again', async () => {
    await attack(tries + 50);
    const [item, ...others] = counted();
    expect(others).toEqual([]);
    expect(item).toEqual({
      pk: expect.stringMatching(/^WRONGKEYS#[\w-]{43}$/),
      sk: 'TRIES',
      full_at: expect.any(Number),
      expires_at: Math.ceil(Date.now() / 1000) + tries * secondsForOneMore,
    });
    expect(JSON.stringify(item)).not.toMatch(/blue|203\.0/);
  });
});

describe('the owner', () => {
  test('has access from another address meanwhile', async () => {
    await attack(tries + 20);
    expect((await get(admin.secret, { address: '198.51.100.4' })).status).toBe(200);
    expect((await get(guess(0), { address: '198.51.100.4' })).status).toBe(401);
  });

  test('has access from the same address with a key that was right before', async () => {
    expect((await get(admin.secret)).status).toBe(200);
    await attack(tries + 20);
    expect((await get(admin.secret)).status).toBe(200);
    expect((await get(guess(0))).status).toBe(429);
    memoryTable.remove(admin.item);
    expect((await get(admin.secret)).status).toBe(429);
  });

  test('has access from the same address with a new key, while an old job repeats one wrong key', async () => {
    for (let i = 0; i < 3 * tries; i++) await get('the-key-of-last-year');
    expect((await get('the-key-of-last-year')).status).toBe(429);
    expect((await get(admin.secret)).status).toBe(200);
    expect((await get(other.secret)).status).toBe(200);
  });

  test('pays nothing for it: a right key causes one read and no write', async () => {
    await attack(3);
    dynamo.resetHistory();
    for (let i = 0; i < 30; i++) expect((await get(admin.secret)).status).toBe(200);
    expect([reads(), writes()]).toEqual([30, 0]);
  });
});

test('credentials that are missing or malformed are not counted', async () => {
  for (let i = 0; i < 3 * tries; i++) expect((await get('')).status).toBe(400);
  expect(counted()).toEqual([]);
});

test('an environment remembers a limited number of pairs and of right keys', () => {
  const memory = new KeyMemory();
  memory.wasRight('right');
  for (let i = 0; i < tries; i++) memory.wasWrong('pair', guess(i), 0, 6000);
  expect([memory.waitMs('pair', 'unknown', 1000), memory.waitMs('pair', 'right', 1000)]).toEqual([5000, 0]);
  for (let i = 0; i < 1000; i++) memory.wasRight(guess(i));
  expect(memory.waitMs('pair', 'right', 1000)).toBe(5000);
  for (let i = 0; i < 1000; i++) memory.wasWrong(`pair-${i}`, 'wrong', 0, 6000);
  expect(memory.waitMs('pair', 'unknown', 1000)).toBe(0);
});
