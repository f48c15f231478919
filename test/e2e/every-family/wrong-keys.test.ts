import { request } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { accessLimits } from '#schemas/catalogues/limits.ts';
import { basic } from '#test/e2e/kit/client.ts';
import { keyFor, newShop, newSlug, url } from '#test/e2e/kit/shared-stack.ts';

const { wrongKeys, secondsForOneMore } = accessLimits;

interface Caller {
  /** Any address of the loopback network, so that a test has several callers. */
  localAddress?: string;
  headers?: Record<string, string>;
}

function get(slug: string, key: string, { localAddress = '127.0.0.1', headers = {} }: Caller = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; wait: string | undefined }>();
  const options = { localAddress, headers: { authorization: basic(key), ...headers }, timeout: 30_000 };
  const sent = request(`${url}/v1/shops/${slug}`, options, (response) => {
    response.resume();
    response.on('end', () => resolve({ status: response.statusCode!, wait: response.headers['retry-after'] }));
  });
  sent.on('error', reject);
  sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
  sent.end();
  return promise;
}

/** Sends different wrong keys one after the other, until one is refused. */
async function untilRefused(slug: string, caller: (i: number) => Caller = () => ({})) {
  for (let i = 0; i < 5 * wrongKeys; i++) {
    const answer = await get(slug, `${slug}:guess-number-${i}`, caller(i));
    if (answer.status === 429) return { ...answer, answered: i };
    expect(answer.status).toBe(401);
  }
  throw new Error('no request was refused');
}

describe('wrong keys', () => {
  test('are slowed down for their username and address, and for nobody else', async () => {
    const [slug, other] = [await newShop(), await newShop()];
    const [key, otherKey] = [await keyFor(slug), await keyFor(other)];
    const { answered, wait } = await untilRefused(slug);
    expect(answered).toBeGreaterThanOrEqual(wrongKeys);
    expect(Number(wait)).toBeGreaterThanOrEqual(1);
    expect(Number(wait)).toBeLessThanOrEqual(secondsForOneMore);
    expect((await get(slug, key, { localAddress: '127.0.0.2' })).status).toBe(200);
    expect((await get(other, otherKey)).status).toBe(200);
    expect((await get(other, `${other}:wrong`)).status).toBe(401);
  });

  test('are slowed down whatever address the caller claims to have', async () => {
    const slug = newSlug();
    const forged = (i: number) => ({
      headers: { 'x-forwarded-for': `203.0.113.${i}`, 'x-distribution-mark': 'local', forwarded: `for=203.0.113.${i}` },
    });
    await untilRefused(slug, forged);
  });

  test('do not lock out the owner, who had access before', async () => {
    const slug = await newShop();
    const key = await keyFor(slug);
    expect((await get(slug, key)).status).toBe(200);
    await untilRefused(slug);
    // Other tests may keep the environment busy that knows the key. After six seconds anybody could try once more.
    await vi.waitFor(async () => expect((await get(slug, key)).status).toBe(200), { timeout: 5500, interval: 20 });
  });
});
