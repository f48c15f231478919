import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AbTestFields,
  abTestBooking,
  abTestCalendar,
  abTestStatus,
  customerOf,
  variantOf,
} from '#domain/promotions/ab-test.ts';
import { type Entry, maxEntries, overlap, overlapOrMeet, rebooked } from '#domain/promotions/calendar.ts';
import { campaignCalendar, campaignStatus } from '#domain/promotions/campaign.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
/** A day of June 2026, at noon. */
const day = (number: number) => new Date(Date.UTC(2026, 5, number, 12)).toISOString();
const window = (start: number, end?: number) => ({ start_date: day(start), end_date: end ? day(end) : null });
const entry = (uuid: string, start: number, end?: number): Entry => ({ uuid, ...window(start, end) });

describe('a campaign', () => {
  test.each([
    ['that is disabled in its window is inactive', { enabled: false, ...window(1, 30) }, 'inactive'],
    ['that is disabled before its start is inactive', { enabled: false, ...window(20) }, 'inactive'],
    ['is scheduled before its start', { enabled: true, ...window(16) }, 'scheduled'],
    ['is active at its start', { enabled: true, ...window(15) }, 'active'],
    ['is active in its window', { enabled: true, ...window(1, 30) }, 'active'],
    ['is active without an end', { enabled: true, ...window(1) }, 'active'],
    ['is inactive at its end', { enabled: true, ...window(1, 15) }, 'inactive'],
    ['is inactive after its end', { enabled: true, ...window(1, 14) }, 'inactive'],
    ['is paused in a running test', { enabled: true, ...window(1), tests: [entry('t', 10, 20)] }, 'paused'],
    [
      'that is disabled is paused in a running test',
      { enabled: false, ...window(1), tests: [entry('t', 10)] },
      'paused',
    ],
    [
      'is inactive after its end in a running test',
      { enabled: true, ...window(1, 14), tests: [entry('t', 10)] },
      'inactive',
    ],
    ['is active before its test', { enabled: true, ...window(1), tests: [entry('t', 16)] }, 'active'],
    ['is active after its test', { enabled: true, ...window(1), tests: [entry('t', 1, 15)] }, 'active'],
  ] as const)('%s', (_, campaign, status) => {
    expect(campaignStatus({ tests: [], ...campaign } as never, now)).toBe(status);
  });
});

describe('an A/B test', () => {
  test.each([
    [window(16), null, 'scheduled'],
    [window(15), null, 'running'],
    [window(1, 16), null, 'running'],
    [window(1, 15), null, 'completed'],
    [window(1), day(10), 'completed'],
    [window(16), day(10), 'completed'],
  ] as const)('with the window %j and the early end %s is %s', (period, ended_at, status) => {
    expect(abTestStatus({ ...period, ended_at }, now)).toBe(status);
    const booking = abTestBooking('t', { segment: 'vip', ...period, ended_at } as AbTestFields, now);
    expect(booking !== undefined).toBe(status !== 'completed');
  });
});

describe('two windows', () => {
  test.each([
    [window(1, 5), window(6, 9), false, false],
    [window(1, 5), window(5, 9), false, true],
    [window(1, 6), window(5, 9), true, true],
    [window(1, 9), window(3, 4), true, true],
    [window(1, 5), window(1, 5), true, true],
    [window(1), window(5, 9), true, true],
    [window(1), window(5), true, true],
    [window(9), window(1, 5), false, false],
    [window(5), window(1, 5), false, true],
  ])('%j and %j overlap: %s, and overlap or touch: %s', (a, b, overlaps, orMeets) => {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(overlap(x, y)).toBe(overlaps);
      expect(overlapOrMeet(x, y)).toBe(orMeets);
    }
  });
});

describe('the calendar of a segment', () => {
  const fullOrder = (kind: typeof campaignCalendar, entries: Entry[], booking: Entry) =>
    rebooked(kind, entries, { uuid: booking.uuid, booking }, now);

  test('takes free windows and refuses taken ones', () => {
    const entries = [entry('a', 1, 5), entry('b', 20, 25)];
    expect(fullOrder(campaignCalendar, entries, entry('c', 5, 20))).toEqual({
      entries: [...entries, entry('c', 5, 20)],
    });
    expect(fullOrder(campaignCalendar, entries, entry('c', 5, 21))).toEqual({ takenBy: entry('b', 20, 25) });
    expect(fullOrder(abTestCalendar, entries, entry('c', 10, 20))).toEqual({ takenBy: entry('b', 20, 25) });
  });

  test('moves an entry and removes it', () => {
    expect(fullOrder(campaignCalendar, [entry('a', 1, 5)], entry('a', 2, 6))).toEqual({ entries: [entry('a', 2, 6)] });
    expect(rebooked(campaignCalendar, [entry('a', 1), entry('b', 2)], { uuid: 'a' }, now)).toEqual({
      entries: [entry('b', 2)],
    });
  });

  test('drops tests that are over, and campaigns that are over only when it is full', () => {
    expect(fullOrder(abTestCalendar, [entry('a', 1, 15)], entry('b', 1, 20))).toEqual({ entries: [entry('b', 1, 20)] });
    expect(fullOrder(campaignCalendar, [entry('a', 1, 15)], entry('b', 1, 20))).toEqual({ takenBy: entry('a', 1, 15) });
    const old = Array.from({ length: maxEntries }, (_, i) => entry(`old-${i}`, 1, 2));
    expect(fullOrder(campaignCalendar, old, entry('b', 20))).toEqual({ entries: [entry('b', 20)] });
  });

  test('never holds two entries that collide, after any changes', () => {
    const change = fc.record({
      uuid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      period: fc.option(fc.tuple(fc.nat(20), fc.option(fc.integer({ min: 1, max: 10 })))),
    });
    const changes = fc.array(change, { maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(campaignCalendar, abTestCalendar), changes, (kind, all) => {
        let entries: readonly Entry[] = [];
        for (const { uuid, period } of all) {
          const booking = period ? entry(uuid, period[0], period[1] ? period[0] + period[1] : undefined) : undefined;
          const result = rebooked(kind, entries, { uuid, booking }, now);
          if (typeof result === 'object' && 'entries' in result) entries = result.entries;
        }
        return entries.every((a) => entries.every((b) => a === b || (a.uuid !== b.uuid && !kind.collide(a, b))));
      }),
    );
  });

  test('holds a bounded number of entries', () => {
    const planned = Array.from({ length: maxEntries }, (_, i) => entry(`x-${i}`, 20, 21));
    expect(fullOrder(campaignCalendar, planned, entry('b', 22))).toBe('full');
  });
});

describe('the variant of a customer', () => {
  const test50 = (uuid: string) => ({
    uuid,
    campaigns: [
      { campaign_id: 'a', allocation: 50 },
      { campaign_id: 'b', allocation: 50 },
    ],
  });

  test('follows the allocation within one percent over 100,000 customers', () => {
    const abTest = {
      uuid: '01998a50-0000-7000-8000-000000000000',
      campaigns: [
        { campaign_id: 'a', allocation: 45 },
        { campaign_id: 'none', allocation: 0 },
        { campaign_id: 'b', allocation: 30 },
        { campaign_id: 'c', allocation: 5 },
      ],
    };
    const counts: Record<string, number> = {};
    for (let i = 0; i < 100_000; i++) {
      const variant = variantOf(abTest, `customer-${i}`) ?? 'holdout';
      counts[variant] = (counts[variant] ?? 0) + 1;
    }
    const expected = { a: 45, b: 30, c: 5, holdout: 20 };
    expect(Object.keys(counts).sort()).toEqual(Object.keys(expected));
    for (const [variant, percent] of Object.entries(expected)) {
      expect(Math.abs(counts[variant]! / 1000 - percent), variant).toBeLessThan(1);
    }
  });

  test('is the same each time, and another one in another test for about half of them', () => {
    const customers = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    const [first, again, other] = [test50('one'), test50('one'), test50('two')].map((abTest) =>
      customers.map((customer) => variantOf(abTest, customer)),
    );
    expect(again).toEqual(first);
    const moved = customers.filter((_, i) => first![i] !== other![i]).length;
    expect(moved).toBeGreaterThan(400);
    expect(moved).toBeLessThan(600);
  });

  test('never changes, because the function is part of the contract', () => {
    const variants = ['anna', 'ben', 'carla', 'dora'].map((name) => variantOf(test50('a-test'), name));
    expect(variants).toEqual(['a', 'a', 'b', 'a']);
  });

  test.each([
    [{ external_customer_id: 'c1', email_id: 'A@x.org' }, 'c1'],
    [{ external_customer_id: ' ', email_id: ' A@x.org ' }, 'a@x.org'],
    [{ email_id: '' }, 'the-order'],
    [{}, 'the-order'],
  ])('is chosen by the customer that the order %j names', (order, customer) => {
    expect(customerOf({ uuid: 'the-order', ...order })).toBe(customer);
  });
});
