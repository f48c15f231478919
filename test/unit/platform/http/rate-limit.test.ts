import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newSession, writeToken } from '#platform/access/session.ts';
import type { Progress, RuntimeOperation } from '#platform/http/request.ts';
import { basic, eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const rate = { unitsPerSecond: 20, burst: 100, uncounted: 5 };
const admin = keyFor('blue', 'admin');
const viewer = keyFor('blue', 'viewer');
const red = keyFor('red', 'admin');
const start = Date.parse('2026-11-14T12:00:00Z');

const origin = 'https://api.example.com';

type Shops = typeof import('#api/shops/handler.ts');

interface Call {
  username?: string;
  secret?: string;
  slug?: string;
  /** Instead of a key. */
  cookie?: string;
}

/** One execution environment, with a memory of its own. */
async function environment() {
  vi.resetModules();
  const { handler }: Shops = await import('#api/shops/handler.ts');
  return async ({ username = 'blue', secret = admin.secret, slug = 'blue', cookie }: Call = {}) => {
    const headers = cookie ? { cookie, Origin: origin } : basic(username, secret);
    const event = eventOf({ method: 'GET', resource: '/v1/shops/{slug}', params: { slug }, headers });
    const { statusCode, headers: answered, body } = await handler(event);
    const wait = (answered as Record<string, string>)['Retry-After'];
    return { status: statusCode, wait: wait === undefined ? undefined : Number(wait), key: JSON.parse(body).key };
  };
}

type RateLimit = typeof import('#platform/http/rate-limit.ts');

/** The part of an environment that limits. Returns whether a request that takes so long may run. */
async function limiter() {
  vi.resetModules();
  const { limitRate, timeIsCounted }: RateLimit = await import('#platform/http/rate-limit.ts');
  return async (ms = 0, more: Partial<Progress> = {}): Promise<boolean> => {
    const progress = { startedAt: Date.now(), ...more } as Progress;
    try {
      await limitRate('key', progress);
    } catch {
      return false;
    }
    pass(ms);
    timeIsCounted.after({ context: { progress } });
    return true;
  };
}

/** One after the other, because a module that is being loaded is not loaded again. */
async function several(count: number) {
  const all: Awaited<ReturnType<typeof limiter>>[] = [];
  for (let i = 0; i < count; i++) all.push(await limiter());
  return all;
}

beforeEach(() => {
  vi.stubEnv('KEY_RATE', JSON.stringify(rate));
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
  tableWith(admin.item, viewer.item, red.item, operator.item, shopItem('blue'), shopItem('red'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Far more requests than the burst. */
async function untilRefused(send: () => Promise<{ status: number }>): Promise<void> {
  for (let i = 0; i < 4 * rate.burst; i++) if ((await send()).status === 429) return;
  throw new Error('no request was refused');
}

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const writes = () => dynamo.commandCalls(UpdateCommand).length;

/** How many of so many requests may run, the same number at each environment, within the milliseconds. */
async function successes(environments: Awaited<ReturnType<typeof several>>, count: number, withinMs: number) {
  let successful = 0;
  for (let i = 0; i < count; i++) {
    if (await environments[i % environments.length]!()) successful += 1;
    pass(withinMs / count);
  }
  return successful;
}

describe('a shop', () => {
  test('at an ordinary rate causes one read and no write', async () => {
    const get = await environment();
    for (let i = 0; i < 50; i++) {
      expect((await get()).status).toBe(200);
      pass(200);
    }
    expect([dynamo.commandCalls(BatchGetCommand).length, writes()]).toEqual([50, 0]);
  });

  test('above its rate gets 429 with Retry-After, and nothing runs', async () => {
    const get = await environment();
    await untilRefused(get);
    const { status, key, wait } = await get();
    expect([status, key]).toEqual([429, 'rate_limited']);
    expect(wait).toBeGreaterThanOrEqual(1);
    pass(wait! * 1000);
    expect((await get()).status).toBe(200);
  });

  test('is limited with requests that it has no right to, too', async () => {
    const get = await environment();
    const statuses = new Set<number>();
    for (let i = 0; i < 300; i++) statuses.add((await get({ slug: 'red' })).status);
    expect([...statuses]).toEqual([403, 429]);
  });

  test('is limited together with the sessions of its keys', async () => {
    const { token_id: tokenId, ...rest } = admin.item;
    const { token, item } = newSession({ ...rest, tokenId }, origin, new Date(start));
    memoryTable.put(item);
    const get = await environment();
    const cookie = `__Host-session=${writeToken(token)}`;
    await untilRefused(() => get({ cookie }));
    expect((await get()).status).toBe(429);
  });

  test('is limited with all its keys together', async () => {
    const get = await environment();
    await untilRefused(get);
    expect((await get({ secret: viewer.secret })).status).toBe(429);
  });

  test('gets no more by taking turns with two keys, in two environments', async () => {
    const environments = [await environment(), await environment()];
    let successful = 0;
    for (let i = 0; i < 4 * rate.burst; i++) {
      const { status } = await environments[i % 2]!({ secret: i % 4 < 2 ? admin.secret : viewer.secret });
      if (status === 200) successful += 1;
    }
    expect(successful).toBeLessThanOrEqual(rate.burst + environments.length * 2 * rate.uncounted);
    expect(memoryTable.all('KEYRATE#')).toHaveLength(1);
  });

  test('does not limit another shop', async () => {
    const get = await environment();
    await untilRefused(get);
    expect((await get({ username: 'red', secret: red.secret, slug: 'red' })).status).toBe(200);
  });
});

test('a SuperAdmin has a rate for each key, whatever shop a request is about', async () => {
  const get = await environment();
  const asOperator = { username: 'operator', secret: operator.secret };
  await untilRefused(() => get(asOperator));
  expect((await get({ ...asOperator, slug: 'red' })).status).toBe(429);
  expect((await get()).status).toBe(200);
  expect(memoryTable.all('KEYRATE#')).toMatchObject([{ pk: `KEYRATE#${operator.item.token_id}` }]);
});

test('the system of a shop is limited as its keys are, by a rate of its own', async () => {
  vi.resetModules();
  const { keyOrSignature }: typeof import('#platform/http/signature.ts') = await import('#platform/http/signature.ts');
  const check = async () => ({ signed: { headers: {}, settings: {} }, shop: shopItem('blue') });
  const { before } = keyOrSignature(check as never)({ role: 'signed' } as RuntimeOperation)!;
  const send = async () => {
    const progress = { startedAt: Date.now() };
    await before!({ event: { headers: {} }, context: { progress } } as never);
  };
  const manyTimes = async () => {
    for (let i = 0; i < 2 * rate.burst; i++) await send();
  };
  await expect(manyTimes()).rejects.toMatchObject({ key: 'rate_limited' });
  expect(memoryTable.all('KEYRATE#')).toMatchObject([{ pk: `KEYRATE#${shopItem('blue').uuid}` }]);
});

test('a busy shop leaves one small item, which the table deletes', async () => {
  const get = await environment();
  await untilRefused(get);
  expect(memoryTable.all('KEYRATE#')).toEqual([
    { pk: 'KEYRATE#SHOP#blue', sk: 'UNITS', full_at: expect.any(Number), expires_at: expect.any(Number) },
  ]);
  const [item] = memoryTable.all('KEYRATE#');
  expect(item!.expires_at).toBeLessThan(start / 1000 + 120);
});

describe('several environments', () => {
  test('let burst and rate pass together, and what each of them leaves uncounted', async () => {
    const all = await several(8);
    const seconds = 20;
    const successful = await successes(all, 4000, seconds * 1000);
    const limit = rate.burst + seconds * rate.unitsPerSecond;
    expect(successful).toBeGreaterThan(0.9 * limit);
    expect(successful).toBeLessThanOrEqual(limit + all.length * 2 * rate.uncounted);
  });

  test('write about once in a second each for a shop above its rate', async () => {
    const all = await several(2);
    await successes(all, 1000, 5000);
    dynamo.resetHistory();
    await successes(all, 2000, 10_000);
    expect(writes()).toBeLessThanOrEqual(2 * 10 * 2);
  });

  test('count the time of requests, so that few of them use up the rate if they take long', async () => {
    vi.stubEnv('KEY_RATE', JSON.stringify({ ...rate, unitsPerSecond: 5 }));
    const [run] = await several(1);
    let ranMs = 0;
    while (Date.now() < start + 120_000) {
      if (await run!(2000)) ranMs += 2000;
      else pass(1000);
    }
    // A quarter of the time of one environment, and the burst.
    expect(ranMs).toBeGreaterThan(30_000);
    expect(ranMs).toBeLessThan(30_000 + 100 * 50 + 2 * 2000);
  });

  test('that begin at once agree on one count', async () => {
    const all = await several(12);
    const uncounted = 2 * rate.uncounted;
    for (const run of all) for (let i = 0; i < uncounted; i++) expect(await run()).toBe(true);
    // Each of them asks for ten units now, and the bucket has a hundred.
    const answers = await Promise.all(all.map((run) => run()));
    expect(answers.filter(Boolean)).toHaveLength(rate.burst / uncounted);
    const [item] = memoryTable.all('KEYRATE#');
    expect(item!.full_at).toBeLessThanOrEqual(start + (rate.burst / rate.unitsPerSecond) * 1000);
  });
});

describe('a limit that cannot be counted', () => {
  test('stops nobody, and is tried about once in a second', async () => {
    const get = await environment();
    dynamo.on(UpdateCommand).rejects(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    for (let i = 0; i < 200; i++) {
      expect((await get()).status).toBe(200);
      pass(10);
    }
    expect(writes()).toBeGreaterThan(0);
    expect(writes()).toBeLessThan(20);
  });

  test('counts again from a full bucket, if a wrong clock had written it', async () => {
    const hour = 3600 * 1000;
    memoryTable.put({ pk: 'KEYRATE#SHOP#blue', sk: 'UNITS', full_at: start + hour });
    const get = await environment();
    for (let i = 0; i < 50; i++) expect((await get()).status).toBe(200);
    const [item] = memoryTable.all('KEYRATE#');
    expect(item!.full_at).toBeLessThan(start + 10_000);
  });
});

test('a handler without a rate limits nobody', async () => {
  vi.stubEnv('KEY_RATE', '');
  expect(await successes(await several(1), 500, 100)).toBe(500);
  expect(writes()).toBe(0);
});

test('a webhook that the function reads itself is one unit, however long its sender lets it wait', async () => {
  const run = await limiter();
  const signed = { headers: {}, settings: {}, rawBody: new Uint8Array() };
  for (let i = 0; i < 20; i++) expect(await run(2000, { signed })).toBe(true);
  expect(writes()).toBe(0);
});

test('the time in which a request only waited does not count', async () => {
  const run = await limiter();
  for (let i = 0; i < 20; i++) expect(await run(20_000, { waitedMs: 19_980 })).toBe(true);
  expect(writes()).toBe(0);
});
