import { expect, test } from 'vitest';
import { RateMemory, unitsOf } from '#platform/access/key-rate.ts';

const rate = { unitsPerSecond: 200, burst: 1000, uncounted: 10 };
const second = 1000;

/** Uses units of 50 ms each, one after the other, and returns how many it asked for at each step. */
function use(memory: RateMemory, count: number, { from = 0, everyMs = 50 } = {}): number[] {
  const asked: number[] = [];
  for (let i = 0; i < count; i++) {
    const now = from + i * everyMs;
    const admission = memory.admit('key', now);
    if (admission.kind === 'ask') {
      asked.push(admission.units);
      memory.granted('key', admission.units, now);
    }
    memory.spend('key', 1, now);
  }
  return asked;
}

test('a request is one unit for each 50 ms that it takes, and at least one', () => {
  expect([0, 1, 50, 51, 5000].map(unitsOf)).toEqual([1, 1, 1, 2, 100]);
});

test('a key that takes less than half of the time of an environment is never counted with others', () => {
  expect(use(new RateMemory(rate), 3600, { everyMs: 100 })).toEqual([]);
});

test('a key that takes all of the time is counted with others about once in a second', () => {
  const asked = use(new RateMemory(rate), 20 * 60);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.length).toBeLessThanOrEqual(60);
  expect(asked.reduce((sum, units) => sum + units, 0)).toBeGreaterThanOrEqual(20 * 60 - 40);
});

test('a key with many short requests asks for more at once, until they last for a second', () => {
  const asked = use(new RateMemory(rate), 2000, { everyMs: 5 });
  expect(asked.slice(0, 5)).toEqual([20, 40, 80, 160, 200]);
  expect(Math.max(...asked)).toBeLessThanOrEqual(rate.burst / 4);
  expect(asked.length).toBeLessThan(15);
});

test('a request that took long is asked for when the next one comes', () => {
  const memory = new RateMemory(rate);
  expect(memory.admit('key', 0)).toEqual({ kind: 'pass' });
  memory.spend('key', unitsOf(5 * second), 5 * second);
  expect(memory.admit('key', 5 * second)).toEqual({ kind: 'ask', units: 100 });
});

test('no request is asked for with more than the burst, so that it can be granted', () => {
  const memory = new RateMemory(rate);
  memory.spend('key', 100_000, 0);
  const admission = memory.admit('key', 0);
  expect(admission.kind === 'ask' && admission.units).toBeLessThanOrEqual(rate.burst);
});

test('a refused key waits for a second at least, and is asked for again only then', () => {
  const memory = new RateMemory(rate);
  memory.spend('key', 20, 0);
  expect(memory.admit('key', 0).kind).toBe('ask');
  memory.refused('key', 10, 0);
  expect(memory.admit('key', 1)).toEqual({ kind: 'wait', ms: 999 });
  expect(memory.admit('key', second).kind).toBe('ask');
  memory.refused('key', 3 * second, second);
  expect(memory.admit('key', 2 * second)).toEqual({ kind: 'wait', ms: 2 * second });
});

test('a key that was busy is an ordinary one again after two quiet seconds', () => {
  const memory = new RateMemory(rate);
  use(memory, 100);
  const later = 5 * second + 2 * second + 2 * second;
  expect(memory.admit('key', later)).toEqual({ kind: 'pass' });
  expect(use(memory, 100, { from: later, everyMs: 100 })).toEqual([]);
});

test('keys do not share what is left', () => {
  const memory = new RateMemory(rate);
  memory.spend('key', 50, 0);
  expect([memory.admit('key', 0).kind, memory.admit('other', 0).kind]).toEqual(['ask', 'pass']);
});

test('an environment remembers a limited number of keys, those that were used last', () => {
  const memory = new RateMemory(rate);
  for (const key of ['key', 'kept']) memory.spend(key, 50, 0);
  for (let i = 0; i < 999; i++) memory.spend(`other-${i}`, 1, 0);
  expect([memory.admit('kept', 0).kind, memory.admit('key', 0).kind]).toEqual(['ask', 'pass']);
});
