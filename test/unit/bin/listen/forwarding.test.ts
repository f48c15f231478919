import { describe, expect, test, vi } from 'vitest';
import { ApiError, type Client } from '#schemas/client/index.ts';
import { forwarding, sentAgainAtOf } from '../../../../bin/listen/forwarding.ts';
import type { Outcome } from '../../../../bin/listen/post.ts';
import { Report } from '../../../../bin/listen/report.ts';

const outgoing = { headers: { 'webhook-id': 'a' }, body: Buffer.from('{"ref":"claims/created"}') };
const accepted: Outcome = { ms: 1, status: 200, text: 'noted' };

function forwardingTo(outcomes: (Outcome | Promise<Outcome>)[]) {
  const lines: string[] = [];
  const sentAgain: { at?: Date } = {};
  let posts = 0;
  const forward = forwarding({
    report: new Report((line) => lines.push(line)),
    sentAgainAt: async () => sentAgain.at,
    post: async () => {
      posts++;
      return outcomes.shift()!;
    },
  });
  return { forward, lines, sentAgain, posts: () => posts };
}

test('a repetition of what the receiver has accepted gets the same answer, and the receiver nothing', async () => {
  const { forward, posts, lines } = forwardingTo([accepted]);
  expect([await forward(outgoing), await forward(outgoing)]).toEqual([accepted, accepted]);
  expect([posts(), lines.length]).toEqual([1, 1]);
});

test('a repetition of what is still under way waits for the same answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const { forward, posts } = forwardingTo([promise]);
  const both = Promise.all([forward(outgoing), forward(outgoing)]);
  resolve(accepted);
  expect(await both).toEqual([accepted, accepted]);
  expect(posts()).toBe(1);
});

test('what the receiver has refused is passed on again', async () => {
  const { forward, posts } = forwardingTo([
    { ms: 1, status: 500, text: '' },
    { ms: 1, failure: 'unreachable' },
    accepted,
  ]);
  await forward(outgoing);
  await forward(outgoing);
  expect(await forward(outgoing)).toEqual(accepted);
  expect(posts()).toBe(3);
});

test('what the merchant sends again is passed on again, once', async () => {
  const { forward, posts, sentAgain, lines } = forwardingTo([accepted, accepted]);
  vi.useFakeTimers();
  await forward(outgoing);
  vi.advanceTimersByTime(1000);
  sentAgain.at = new Date();
  vi.advanceTimersByTime(1000);
  await forward(outgoing);
  await forward(outgoing);
  vi.useRealTimers();
  expect(posts()).toBe(2);
  expect(lines.at(-1)).toContain('(sent again)');
});

describe('when a delivery was last sent again', () => {
  const endpoint = (answer: () => unknown) =>
    sentAgainAtOf({ getWebhookDelivery: async () => answer() } as unknown as Client<'slug'>, 'endpoint');
  const refusedWith = (status: number, key: string) => () => {
    throw new ApiError({ status, headers: new Headers(), body: { key } });
  };

  test('is told by the service', async () => {
    const at = new Date('2026-11-14T12:00:00Z');
    await expect(endpoint(() => ({ sent_again_at: at.toISOString() }))('a')).resolves.toEqual(at);
    await expect(endpoint(() => ({ sent_again_at: null }))('a')).resolves.toBeUndefined();
  });

  test('is never, if the service knows nothing of the delivery, because it lost the end of its first attempt', async () => {
    await expect(endpoint(refusedWith(404, 'webhook_delivery_not_found'))('a')).resolves.toBeUndefined();
  });

  test('is not known, if the endpoint is gone or the service is down', async () => {
    await expect(endpoint(refusedWith(404, 'webhook_not_found'))('a')).rejects.toBeInstanceOf(ApiError);
    await expect(endpoint(refusedWith(503, 'http_503'))('a')).rejects.toBeInstanceOf(ApiError);
  });
});
