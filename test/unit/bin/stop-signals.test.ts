import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { onParentGone, onStopSignals } from '../../../bin/local/stop-signals.ts';

function stack() {
  const signals = new EventEmitter();
  const [stop, endAtOnce] = [vi.fn(), vi.fn()];
  let now = 0;
  onStopSignals(signals, { stop, endAtOnce }, () => now);
  const heardAt = (time: number, signal: string) => {
    now = time;
    signals.emit(signal);
    return { stops: stop.mock.calls.length, ends: endAtOnce.mock.calls.length };
  };
  return { heardAt };
}

test('a Ctrl-C that npm passes on a second time does not interrupt the stop', () => {
  const { heardAt } = stack();
  heardAt(0, 'SIGINT');
  expect(heardAt(1, 'SIGINT')).toEqual({ stops: 1, ends: 0 });
});

test.each(['SIGINT', 'SIGTERM'])('a %s one second after the first signal ends the stack at once', (signal) => {
  const { heardAt } = stack();
  heardAt(0, 'SIGINT');
  expect(heardAt(1_000, signal)).toEqual({ stops: 1, ends: 1 });
});

test.each([
  ['stops when npm is gone, which then passes on no more signals', 'start', 1],
  ['goes on when it was started without npm and its parent is gone', undefined, 0],
])('the stack %s', (_what, npm_lifecycle_event, stops) => {
  vi.useFakeTimers();
  const own = { ppid: 7, env: { npm_lifecycle_event } };
  const stop = vi.fn();
  onParentGone(own, stop);
  vi.advanceTimersByTime(1_000);
  expect(stop).not.toHaveBeenCalled();
  own.ppid = 1;
  vi.advanceTimersByTime(1_000);
  expect(stop).toHaveBeenCalledTimes(stops);
  vi.useRealTimers();
});
