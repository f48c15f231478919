import { expect, test, vi } from 'vitest';
import { forwarding } from '../../../../bin/listen/forwarding.ts';
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
