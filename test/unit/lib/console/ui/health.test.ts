import { expect, test } from 'vitest';
import { figuresOf, healthOf, sendingOf } from '#lib/console/ui/health.ts';

const figures = (arrived: number, failed = 0, retrying = 0, circuit: 'closed' | 'open' | 'draining' = 'closed') => ({
  circuit,
  arrived,
  failed,
  retrying,
});

test.each([
  [figures(0), 'nothingYet', 'quiet'],
  [figures(200), 'allArrived', 'arrived'],
  [figures(199, 1), 'nearlyAll', 'arrived'],
  [figures(90, 10), 'someFailed', 'attention'],
  [figures(4, 6), 'mostFailed', 'failed'],
  [figures(0, 0, 1), 'mostFailed', 'failed'],
  [figures(199, 0, 1), 'retrying', 'attention'],
  [figures(100, 100, 0), 'someFailed', 'attention'],
  [figures(200, 0, 0, 'open'), 'notAnswering', 'failed'],
  [figures(0, 200, 9, 'draining'), 'catchingUp', 'attention'],
])('of %o the word is %s and the tone %s', (given, word, tone) => {
  expect(healthOf(given)).toEqual({ word, tone });
});

test('what is tried again is never said to have arrived', () => {
  for (const retrying of [1, 5, 50]) {
    for (const arrived of [0, 1, 10, 199]) {
      expect(healthOf(figures(arrived, 0, retrying)).tone).not.toBe('arrived');
    }
  }
});

test('what the API tells about a target is judged by what ended and what is tried again', () => {
  const health = {
    circuit: { state: 'closed' as const, since: null, next_attempt_at: null },
    of_last: 14,
    counts: { pending: 3, parked: 0, delivered: 10, failed: 0, cancelled: 1, skipped: 0 },
    retrying: 1,
    success_rate: 10 / 11,
    latency_ms: { p50: 10, p95: 20 },
    last_success_at: null,
    last_failure: null,
  };
  expect(healthOf(figuresOf(health))).toEqual({ word: 'retrying', tone: 'attention' });
});

test.each([
  [figures(0), 'closed', 'arrived'],
  [figures(199, 1), 'closed', 'arrived'],
  [figures(0, 0, 3), 'failing', 'moving'],
  [figures(90, 10), 'failing', 'moving'],
  [figures(199, 0, 1), 'failing', 'moving'],
  [figures(0, 10, 0, 'open'), 'open', 'failed'],
  [figures(0, 10, 0, 'draining'), 'draining', 'attention'],
])('of %o sending is said to be %s, in the tone %s, which the health does not contradict', (given, word, tone) => {
  expect(sendingOf(given)).toEqual({ word, tone });
});
