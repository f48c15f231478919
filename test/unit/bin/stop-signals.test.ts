import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { onStopSignals } from '../../../bin/local/stop-signals.ts';

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

test('a Ctrl-C that npm passes on a second time does not cut the stop short', () => {
  const { heardAt } = stack();
  heardAt(0, 'SIGINT');
  expect(heardAt(1, 'SIGINT')).toEqual({ stops: 1, ends: 0 });
});

test.each(['SIGINT', 'SIGTERM'])('%s ends what is stopping already, and later than one keystroke', (signal) => {
  const { heardAt } = stack();
  heardAt(0, 'SIGINT');
  expect(heardAt(1_000, signal)).toEqual({ stops: 1, ends: 1 });
});
