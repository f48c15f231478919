import { describe, expect, test } from 'vitest';
import {
  afterAbandonment,
  afterFailure,
  afterProbe,
  afterRound,
  afterSuccess,
  type Circuit,
  closedCircuit,
  draining,
} from '#domain/deliveries/circuit-rules.ts';

const start = Date.parse('2026-11-14T12:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000);
const secondsOf = (time: string) => (Date.parse(time) - start) / 1000;

const failed = (circuit: Circuit, ...ids: string[]) =>
  ids.reduce((before, id) => afterFailure(before, id, at(0), 60) ?? before, circuit);
const ids = (count: number, prefix = 'd') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const open = failed(closedCircuit, ...ids(10));

describe('a closed circuit', () => {
  test('opens when ten deliveries fail in a row', () => {
    expect(failed(closedCircuit, ...ids(9)).state).toBe('closed');
    expect(open.state).toBe('open');
    expect(secondsOf(open.probe_at)).toBe(60);
  });

  test('is not opened by one delivery that fails again and again', () => {
    const once = failed(closedCircuit, 'd');
    expect(afterFailure(once, 'd', at(1), 60)).toBeUndefined();
    expect(failed(closedCircuit, ...Array(100).fill('d'))).toEqual(once);
  });

  test('forgets earlier failures after a success', () => {
    const nearly = failed(closedCircuit, ...ids(9));
    const healthy = afterSuccess(nearly, at(1))!;
    expect(failed(healthy, ...ids(9, 'e')).state).toBe('closed');
    expect(failed(healthy, ...ids(10, 'e')).state).toBe('open');
  });

  test('is not written after a success', () => {
    expect(afterSuccess(closedCircuit, at(0))).toBeUndefined();
  });
});

describe('the circuit of a target that is gone', () => {
  test('drains everything at once when it was open, and does not change otherwise', () => {
    expect(afterAbandonment(open, at(1))).toMatchObject({
      state: 'draining',
      pace: 1000,
      probe_at: at(1).toISOString(),
    });
    expect(afterAbandonment(closedCircuit, at(1))).toBeUndefined();
    expect(afterAbandonment(draining(at(0)), at(1))).toBeUndefined();
  });
});

describe('an open circuit', () => {
  test('is probed after one minute, then at intervals that double up to 15 minutes', () => {
    let circuit = open;
    const due = [];
    for (let probe = 0; probe < 7; probe++) {
      due.push(secondsOf(circuit.probe_at) / 60);
      circuit = afterProbe(circuit, `d${probe}`, new Date(circuit.probe_at));
    }
    expect(due).toEqual([1, 2, 4, 8, 16, 31, 46]);
  });

  test('remembers the last probe, so that the next probe is another delivery', () => {
    expect(afterProbe(open, 'd3', at(60)).cursor).toBe('d3');
  });

  test('does not change after further failures', () => {
    expect(afterFailure(open, 'late', at(5), 60)).toBeUndefined();
  });

  test('drains after the first success, beginning with the oldest parked delivery', () => {
    const probed = afterProbe(open, 'd3', at(60));
    expect(afterSuccess(probed, at(61))).toMatchObject({ state: 'draining', pace: 10, cursor: '', failing: [] });
  });
});

describe('a draining circuit', () => {
  const back = draining(at(100));
  const round = (circuit: Circuit, seconds: number, found: string[], more = false) =>
    afterRound(circuit, { found, more }, at(seconds));

  test('doubles its pace with each round, up to a thousand', () => {
    let circuit = back;
    const paces = [];
    for (let tick = 0; tick < 9; tick++) {
      paces.push(circuit.pace);
      circuit = round(circuit, 100 + 60 * tick, ids(circuit.pace), true);
    }
    expect(paces).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000]);
  });

  test('continues where the round before ended, and begins again at the end', () => {
    const half = round(back, 100, ['a', 'b'], true);
    expect(half.cursor).toBe('b');
    expect(round(half, 160, ['c']).cursor).toBe('');
    expect(round(half, 160, []).cursor).toBe('');
  });

  test('closes when no delivery was parked for a minute', () => {
    expect(round(back, 101, []).state).toBe('draining');
    const emptied = round(back, 120, ['a']);
    expect(round(emptied, 179, []).state).toBe('draining');
    expect(round(emptied, 180, [])).toEqual(closedCircuit);
  });

  test('opens again after ten failures in a row, and not before', () => {
    expect(failed(back, ...ids(9)).state).toBe('draining');
    expect(failed(back, ...ids(10))).toMatchObject({ state: 'open', probe_interval_s: 60 });
  });
});
