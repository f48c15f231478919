import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPost } from '#pipeline/delivery/post.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('an attempt ends after 10 s, whatever it waits for', async () => {
  const asked = Promise.withResolvers<void>();
  const neverAnswers = () => {
    asked.resolve();
    return new Promise<string[]>(() => {});
  };
  const post = createPost({ allowLocal: false, resolve: neverAnswers });
  const ended = vi.fn();
  const attempt = post({ url: 'https://shop.example.com/', headers: {}, body: Buffer.from('{}') });
  void attempt.then(ended);
  await asked.promise;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await attempt).toEqual({ error: 'timeout' });
});
