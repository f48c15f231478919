import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { joined, keepReading } from '#lib/console/views/developers/live-reading.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

describe('the rows of a live tail', () => {
  test('lose those that a full page would hold and does not, and keep older ones', () => {
    expect(idsOf(joined(rows('5', '4', '3', '2'), rows('6', '5', '3'), 3))).toEqual(['6', '5', '3', '2']);
  });

  test('are those of a page that is not full, because it holds everything', () => {
    expect(idsOf(joined(rows('5', '4', '1'), rows('5'), 3))).toEqual(['5']);
    expect(idsOf(joined(rows('5'), [], 3))).toEqual([]);
  });
});

describe('a live tail', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (read: () => Promise<void>) => {
    const onFailure = vi.fn();
    return {
      onFailure,
      ...keepReading({
        read,
        onFailure,
        isFinal: (error) => error === 'session over',
        mayRead: () => true,
        everyMs: 1000,
      }),
    };
  };

  test('reads once at a time, however often it is woken', async () => {
    let end = () => {};
    const read = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const { wake, stop } = start(read);
    wake();
    wake();
    expect(read).toHaveBeenCalledTimes(1);
    end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(read).toHaveBeenCalledTimes(2);
    stop();
  });

  test('has one timer after it was woken', async () => {
    const read = vi.fn(async () => {});
    const { wake, stop } = start(read);
    await vi.advanceTimersByTimeAsync(0);
    wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stops when the session is over, until it is woken', async () => {
    const read = vi.fn<() => Promise<void>>().mockRejectedValueOnce('session over');
    const { wake, stop, onFailure } = start(read);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([read.mock.calls.length, onFailure.mock.calls.length]).toEqual([1, 1]);
    wake();
    await vi.advanceTimersByTimeAsync(1000);
    expect(read).toHaveBeenCalledTimes(3);
    stop();
  });

  test('goes on after another failure', async () => {
    const read = vi.fn<() => Promise<void>>().mockRejectedValueOnce('network');
    const { stop } = start(read);
    await vi.advanceTimersByTimeAsync(1000);
    expect(read).toHaveBeenCalledTimes(2);
    stop();
  });
});
