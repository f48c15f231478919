import { describe, expect, test, vi } from 'vitest';
import { afterMinutes, atEnd, isStepLeft, latestTime, type Move, moveTo } from '#lib/console/views/simulations/move.ts';

const step = (at: string, done = false) => ({ event_name: 'DELIVERED', at, done, parcel: 1, is_return: false });

const times = ['2026-11-16T10:00:00.000Z', '2026-11-17T10:00:00.000Z', '2026-11-17T10:00:00.000Z'];

/** A simulation with three steps, of which some are done. */
const simulationWith = (done: number, clock = '2026-11-16T09:30:00.000Z') => ({
  uuid: '01a1e39b-8788-71be-aefd-a29e4f87cc4e',
  journey: null,
  order_id: '01a1e39b-8788-71be-aefd-a29e4f87cc4f',
  order_number: 'SIM-1',
  tracking_page_url: 'https://service.example/t/abc',
  start_at: '2026-11-16T09:30:00.000Z',
  clock,
  status: done < 3 ? ('running' as const) : ('ended' as const),
  integrations: false,
  emails: false,
  steps: times.map((at, i) => step(at, i < done)),
  created_at: '2026-11-16T09:30:00.000Z',
});

const happening = (title: string) => ({
  at: times[0]!,
  kind: 'event' as const,
  title,
  event_name: null,
  parcel: null,
});

const answer = (done: number, complete: boolean, ...titles: string[]) => ({
  ...simulationWith(done),
  happened: titles.map(happening),
  complete,
});

const lastOf = (onProgress: ReturnType<typeof vi.fn<(move: Move) => void>>) => onProgress.mock.lastCall![0];

describe('a clock', () => {
  test('goes on with the same time until the service says that it is there, and keeps all that happened', async () => {
    const send = vi
      .fn()
      .mockResolvedValueOnce(answer(1, false, 'a'))
      .mockResolvedValueOnce(answer(3, true, 'b'));
    const onProgress = vi.fn<(move: Move) => void>();
    await moveTo({ to: times[2]! }, simulationWith(0), send, onProgress);
    expect(send.mock.calls).toEqual([[{ to: times[2] }], [{ to: times[2] }]]);
    expect(onProgress).toHaveBeenCalledTimes(2);
    expect(lastOf(onProgress).happened.map(({ title }) => title)).toEqual(['a', 'b']);
    expect(lastOf(onProgress).isComplete).toBe(true);
    expect(lastOf(onProgress).simulation).toEqual(simulationWith(3));
  });

  test('makes the next step happen once, also if what comes before it takes several requests', async () => {
    const send = vi
      .fn()
      .mockResolvedValueOnce(answer(0, false, 'a'))
      .mockResolvedValueOnce(answer(1, false, 'b'));
    const onProgress = vi.fn<(move: Move) => void>();
    await moveTo({ done: 1 }, simulationWith(0), send, onProgress);
    expect(send.mock.calls).toEqual([[{ steps: 1 }], [{ steps: 1 }]]);
    expect(lastOf(onProgress).isComplete).toBe(false);
  });

  test('stops after twenty requests, and says that more is due', async () => {
    const send = vi.fn(async () => answer(0, false));
    const onProgress = vi.fn<(move: Move) => void>();
    await moveTo({ to: times[2]! }, simulationWith(0), send, onProgress);
    expect(send).toHaveBeenCalledTimes(20);
    expect(lastOf(onProgress).isComplete).toBe(false);
  });

  test('keeps what happened before a request failed', async () => {
    const send = vi
      .fn()
      .mockResolvedValueOnce(answer(1, false, 'a'))
      .mockRejectedValueOnce(new Error('refused'));
    const onProgress = vi.fn<(move: Move) => void>();
    await expect(moveTo({ to: times[2]! }, simulationWith(0), send, onProgress)).rejects.toThrow('refused');
    expect(lastOf(onProgress).happened).toEqual([happening('a')]);
  });

  test('can go to its last step, or stays if it is there, and 60 days past it', () => {
    expect(atEnd(simulationWith(1))).toBe(times[2]);
    const past = '2026-11-20T00:00:00.000Z';
    expect(atEnd(simulationWith(3, past))).toBe(past);
    expect(latestTime(simulationWith(0))).toBe('2027-01-16T10:00:00.000Z');
    expect(afterMinutes(simulationWith(0), 60)).toBe('2026-11-16T10:30:00.000Z');
    expect([isStepLeft(simulationWith(2)), isStepLeft(simulationWith(3))]).toEqual([true, false]);
  });
});
