import { expect, test } from 'vitest';
import { latencyRange, percentile } from '#domain/figures/latency.ts';

const of = (...durations: number[]) => {
  const latencies: Record<string, number> = {};
  for (const duration of durations) latencies[latencyRange(duration)] = (latencies[latencyRange(duration)] ?? 0) + 1;
  return latencies;
};

test('there is no percentile without attempts', () => {
  expect(percentile({}, 0.5)).toBeNull();
});

test('a percentile is in the range of the duration at its place', () => {
  const latencies = of(...Array.from({ length: 90 }, () => 40), ...Array.from({ length: 10 }, () => 4000));
  expect(percentile(latencies, 0.5)).toBeGreaterThan(30);
  expect(percentile(latencies, 0.5)).toBeLessThanOrEqual(50);
  expect(percentile(latencies, 0.95)).toBeGreaterThan(3000);
  expect(percentile(latencies, 0.95)).toBeLessThanOrEqual(5000);
});

test('a duration beyond all ranges is in the last one', () => {
  expect(percentile(of(60_000), 0.5)).toBeLessThanOrEqual(15_000);
});
