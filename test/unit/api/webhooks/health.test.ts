import { describe, expect, test } from 'vitest';
import { healthOf } from '#api/webhooks/health.ts';
import { closedCircuit } from '#domain/deliveries/circuit-rules.ts';
import type { Attempt, DeliveryStatus } from '#domain/deliveries/delivery-rules.ts';
import { aDelivery } from '#test/kit/stored-deliveries.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 14, 12, 0, second)).toISOString();

const deliveryOf = (n: number, status: DeliveryStatus, ...attempts: Attempt[]) =>
  aDelivery(n, 'endpoint-1', { status, attempts });

const success = (second: number, duration_ms = 100): Attempt => ({ at: at(second), duration_ms, status: 200 });
const failure = (second: number, duration_ms = 100): Attempt => ({
  at: at(second),
  duration_ms,
  status: 500,
  error: 'http_500',
});

describe('the health of a target', () => {
  test('without deliveries says that nothing is known', () => {
    expect(healthOf(closedCircuit, [])).toEqual({
      circuit: { state: 'closed', since: null, next_attempt_at: null },
      of_last: 0,
      counts: { pending: 0, parked: 0, delivered: 0, failed: 0, cancelled: 0, skipped: 0 },
      retrying: 0,
      success_rate: null,
      latency_ms: { p50: null, p95: null },
      last_success_at: null,
      last_failure: null,
    });
  });

  test('counts the deliveries by their status and judges by the last attempt of each', () => {
    const health = healthOf(closedCircuit, [
      deliveryOf(1, 'pending'),
      deliveryOf(2, 'pending', success(1), failure(9)),
      deliveryOf(3, 'delivered', failure(2), success(8)),
      deliveryOf(4, 'failed', failure(3)),
      deliveryOf(5, 'delivered', success(4)),
      deliveryOf(6, 'parked'),
    ]);
    expect(health).toMatchObject({
      of_last: 6,
      counts: { pending: 2, parked: 1, delivered: 2, failed: 1, cancelled: 0, skipped: 0 },
      retrying: 1,
      success_rate: 0.5,
      last_success_at: at(8),
      last_failure: { at: at(9), error: 'http_500', status: 500 },
    });
  });

  test('keeps the failure before a retry that arrived', () => {
    const health = healthOf(closedCircuit, [deliveryOf(1, 'delivered', failure(2), success(8))]);
    expect(health).toMatchObject({ retrying: 0, success_rate: 1, last_failure: { at: at(2), error: 'http_500' } });
  });

  test('does not count as retried what was sent again and has not failed since', () => {
    const again = { ...deliveryOf(1, 'pending', failure(2)), run_since: at(5) };
    expect(healthOf(closedCircuit, [again]).retrying).toBe(0);
  });

  test('does not count what was cancelled without being sent', () => {
    const skipped = deliveryOf(1, 'cancelled', { at: at(1), duration_ms: 0, error: 'no_email' });
    expect(healthOf(closedCircuit, [skipped])).toMatchObject({ success_rate: null, last_failure: null });
  });

  test('measures the latency of attempts that got an answer', () => {
    const answered = Array.from({ length: 20 }, (_, n) => deliveryOf(n, 'delivered', success(n, (n + 1) * 10)));
    const hanging = deliveryOf(99, 'pending', { at: at(30), duration_ms: 10_000, error: 'timeout' });
    const health = healthOf(closedCircuit, [hanging, ...answered]);
    expect(health.latency_ms).toEqual({ p50: 100, p95: 190 });
    expect(health.last_failure).toEqual({ at: at(30), error: 'timeout', status: null });
  });

  test('says since when the circuit is open and when the next attempt is due', () => {
    const circuit = { ...closedCircuit, state: 'open' as const, since: at(1), probe_at: at(59) };
    expect(healthOf(circuit, []).circuit).toEqual({ state: 'open', since: at(1), next_attempt_at: at(59) });
  });
});
