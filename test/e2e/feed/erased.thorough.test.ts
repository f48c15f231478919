import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { assembly, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';

let stack: LocalStack & AsyncDisposable;
beforeAll(async () => {
  stack = await startInProcess(assembly);
});
afterAll(() => stack.stop());

const within = { timeout: 30_000, interval: 200 };

interface Listed {
  id: string;
  at: string;
  cursor: string;
  payload?: object;
}

test('of an erased order, the ids and times of its events stay in the feed, at their places, and in the ledger', async () => {
  const slug = newSlug();
  const call = async (method: string, path: string, body?: object) => {
    const answer = await clientOf(stack.url)(method, `/v1/shops/${slug}${path}`, { key: superAdmin, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  await clientOf(stack.url)('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } });
  await call('PATCH', '/settings/events', { feed_enabled: true });
  for (const name of ['ida', 'bo']) {
    const order = { email_id: `${name}@example.com` };
    await call('PUT', '/orders', { id: name, order, trackings: [{ tracking_number: newSlug('T') }] });
  }
  const read = async (): Promise<Listed[]> => (await call('GET', '/events')).events;
  const before = await vi.waitFor(async () => {
    const events = await read();
    expect(events).toHaveLength(2);
    const hours: { count: number }[] = await call('GET', '/events/ledger');
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    return events;
  }, within);
  const ledger = await call('GET', '/events/ledger');

  await call('POST', '/privacy/requests', { kind: 'erasure', email_id: 'ida@example.com' });
  const isOfIda = ({ payload }: Listed) => JSON.stringify(payload).includes('ida@example.com');
  const after = await vi.waitFor(async () => {
    await stack.invoke('PrivacyWork', {});
    const events = await read();
    expect(events.filter(({ payload }) => payload)).toHaveLength(1);
    return events;
  }, within);
  expect(after).toEqual(
    before.map((event) => {
      const { id, at, cursor } = event;
      return isOfIda(event) ? { id, at, cursor, erased: true } : event;
    }),
  );
  expect(await call('GET', '/events/ledger')).toEqual(ledger);
});
