import { describe, expect, test } from 'vitest';
import { silenceLimits } from '#schemas/catalogues/limits.ts';
import { planHistory } from '../../../bin/demo/history.ts';

const dayMs = 24 * 3600 * 1000;

/** As in demo-journeys.test.ts: in the day, at night, on a Sunday, and in the week in which clocks change. */
const nows = ['2026-11-17T10:00', '2026-11-19T02:00', '2026-11-15T12:00', '2026-10-27T07:00'];

describe.each(nows.map((now) => new Date(`${now}Z`)))('the past weeks of a demo that is made at %o', (now) => {
  const planned = planHistory(450, now);
  const delivered = planned.filter(({ steps }) => steps.at(-1)!.event === 'SUCCESSFULLY_DELIVERED');

  test('have nothing that happens before what it follows, or after now', () => {
    for (const { placedAt, readyAt, steps } of planned) {
      const times = [placedAt, readyAt, ...steps.map(({ at }) => at)];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(now.getTime());
    }
  });

  test('are eight, end where the younger orders begin, and have different numbers', () => {
    const ages = planned.map(({ placedAt }) => (now.getTime() - placedAt) / dayMs);
    expect(Math.min(...ages)).toBeGreaterThan(12);
    expect(Math.max(...ages)).toBeLessThan(71);
    expect(new Set(planned.map(({ number }) => number)).size).toBe(450);
    expect(new Set(planned.map(({ tracking }) => tracking)).size).toBe(450);
  });

  test('are nearly all delivered, some of them at a second attempt, and some never', () => {
    const attempted = delivered.filter(({ steps }) =>
      steps.some(({ event }) => event.startsWith('DELIVERY_ATTEMPTED')),
    );
    expect(delivered.length).toBeGreaterThan(420);
    expect(planned.length - delivered.length).toBeGreaterThan(5);
    expect(attempted.length).toBeGreaterThan(20);
  });

  test('have one lane whose silence teaches something', () => {
    const lane = delivered.filter(
      ({ carrier, customer }) => carrier === 'dhl' && customer.address.country_code === 'DE',
    );
    expect(lane.length).toBeGreaterThanOrEqual(silenceLimits.knownParcels);
  });

  test('have carriers that keep their word more or less often', () => {
    const keptOf = (name: string) => {
      const own = delivered.filter(({ carrier }) => carrier === name);
      const kept = own.filter(({ steps }) => {
        const { expected_delivery } = steps[0]!.details as { expected_delivery: { end: string } };
        return steps.at(-1)!.at <= Date.parse(expected_delivery.end);
      });
      return kept.length / own.length;
    };
    expect(keptOf('ups')).toBeGreaterThan(0.9);
    expect(keptOf('hrs')).toBeLessThan(keptOf('ups') - 0.1);
    expect(keptOf('hrs')).toBeGreaterThan(0.3);
  });
});
