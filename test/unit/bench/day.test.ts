import { describe, expect, test } from 'vitest';
import { Book, claimEvent, heardEvents, newBookMemory } from '#test/bench/day/book.ts';
import {
  type FoundOrder,
  faultsOfAnswers,
  faultsOfOrder,
  faultsOfTotals,
  faultsOfWebhooks,
} from '#test/bench/day/check.ts';
import { dayMs, hourMs, ordersByHour, placedTimes, rush, weights } from '#test/bench/day/curve.ts';
import { Deeds } from '#test/bench/day/deeds.ts';
import { Heap } from '#test/bench/day/heap.ts';
import type { Slot } from '#test/bench/day/log.ts';
import { orderNumberOf, orderOfNumber, orderOfTracking, trackingNumberOf } from '#test/bench/day/names.ts';
import { readOptions } from '#test/bench/day/options.ts';
import { drawDay } from '#test/bench/day/picture.ts';
import { planOf, stepsOf } from '#test/bench/day/plan.ts';
import { Sketch } from '#test/bench/day/sketch.ts';
import { faultsOfSoak, soakRows } from '#test/bench/day/soak.ts';

describe('the shape of a day', () => {
  test.each([1, 23, 2000, 99_999])('%i orders are exactly so many, in the order of their times', (orders) => {
    expect(ordersByHour(orders).reduce((sum, count) => sum + count, 0)).toBe(orders);
    const times = placedTimes(orders, 7);
    expect(times).toHaveLength(orders);
    expect([...times].every((time, i) => time < dayMs && (i === 0 || time >= times[i - 1]!))).toBe(true);
  });

  test('the busiest hour has ten times the quietest, and the rush ten times the mean', () => {
    expect(Math.max(...weights) / Math.min(...weights)).toBe(10);
    const times = placedTimes(100_000, 1);
    const end = rush.fromMs + rush.minutes * 60_000;
    const inRush = times.filter((time) => time >= rush.fromMs && time < end).length / rush.minutes;
    expect(inRush / (100_000 / (24 * 60))).toBeGreaterThan(rush.times);
  });

  test('an order goes its way in order and ends with the day, however late it is placed', () => {
    for (const placedAt of [0, 12 * hourMs, dayMs - 1000]) {
      const plan = planOf(99, placedAt, 1);
      expect(plan.map(({ step }) => step).slice(-2)).toEqual(['claim', 'search']);
      expect(plan.every(({ at }, i) => at <= dayMs && (i === 0 || at >= plan[i - 1]!.at))).toBe(true);
    }
  });

  test('the number of steps is that of all plans together', () => {
    const all = Array.from({ length: 137 }, (_, order) => planOf(order, 0, 1).length);
    expect(stepsOf(137)).toBe(all.reduce((sum, count) => sum + count, 0));
  });

  test('the earliest step comes first, whatever was added when', () => {
    const heap = new Heap();
    for (let i = 0; i < 50; i++) heap.push({ at: (i * 37) % 50, order: i, next: 0 });
    const taken = Array.from({ length: 50 }, () => heap.pop()!.at);
    expect(taken).toEqual(taken.toSorted((a, b) => a - b));
    expect(heap.pop()).toBeUndefined();
  });
});

describe('names', () => {
  test('an order is found by its number and by that of its parcel', () => {
    expect(orderOfNumber(orderNumberOf(41), 50)).toBe(41);
    expect(orderOfTracking(trackingNumberOf(41), 50)).toBe(41);
  });

  test('what is not of the day is none', () => {
    expect(orderOfNumber(orderNumberOf(50), 50)).toBeUndefined();
    expect(orderOfNumber('10482', 50)).toBeUndefined();
    expect(orderOfTracking(undefined, 50)).toBeUndefined();
  });
});

describe('a sketch of times', () => {
  test('its quantiles are right within two per cent', () => {
    const sketch = new Sketch();
    for (let ms = 1; ms <= 10_000; ms++) sketch.add(ms);
    for (const share of [0.5, 0.99, 1]) {
      expect(Math.abs(sketch.quantile(share) / (10_000 * share) - 1)).toBeLessThan(0.02);
    }
    expect(sketch.count()).toBe(10_000);
  });

  test('two together are as one, and an empty one has no quantile', () => {
    const [one, other] = [new Sketch(), new Sketch()];
    one.add(10);
    other.add(1000);
    one.addAll(other);
    expect(one.quantile(0.4)).toBeLessThan(11);
    expect(one.quantile(0.9)).toBeGreaterThan(900);
    expect(new Sketch().quantile(0.5)).toBeNaN();
  });
});

/** A day of one order whose five events came, each once. */
function playedOrder() {
  const deeds = new Deeds(1);
  const book = new Book(newBookMemory(1));
  deeds.placed[0] = deeds.fulfilled[0] = 1;
  const scans = [0, 1, 2].map((scan) => deeds.scan(0, scan, 5000 + scan).at(-1)!);
  deeds.scans[0] = 3;
  for (let event = 0; event < claimEvent; event++) book.hear(0, event, event + 1, 0);
  const times = [1000, 2000, ...scans];
  const events = times.map((time, i) => ({ event_name: heardEvents[i]!, time: new Date(time).toISOString() }));
  const found: FoundOrder = {
    order_number: orderNumberOf(0),
    trackings: [{ carrier: { tracking_number: trackingNumberOf(0) }, events }],
  };
  return { deeds, book, found, events };
}

describe('the check', () => {
  test('an order that is whole has no fault', () => {
    const { deeds, book, found } = playedOrder();
    expect(faultsOfOrder(0, found, deeds)).toEqual([]);
    expect(faultsOfWebhooks(book, deeds, false)).toEqual([]);
  });

  test('a lost event, one too many and two in the wrong order are found', () => {
    const { deeds, found, events } = playedOrder();
    const withEvents = (some: typeof events) =>
      faultsOfOrder(0, { ...found, trackings: [{ ...found.trackings[0]!, events: some }] }, deeds);
    expect(withEvents(events.slice(0, -1))).toHaveLength(1);
    expect(withEvents([...events, events[4]!])).toHaveLength(1);
    expect(withEvents(events.with(2, events[3]!).with(3, events[2]!))).toHaveLength(1);
  });

  test('an event with the time of another scan, and times that go back, are found', () => {
    const { deeds, found, events } = playedOrder();
    events[4] = { ...events[4]!, time: new Date(9999).toISOString() };
    expect(faultsOfOrder(0, found, deeds)).toEqual(['an event of DAY-0000000 has another time than its scan']);
    events[0] = { ...events[0]!, time: new Date(3000).toISOString() };
    expect(faultsOfOrder(0, found, deeds)).toEqual(['the events of DAY-0000000 are not in their order']);
  });

  test('an order without its parcel, or with a second one, is found', () => {
    const { deeds, found } = playedOrder();
    const [parcel] = found.trackings;
    expect(faultsOfOrder(0, { ...found, trackings: [] }, deeds)).toEqual(['DAY-0000000 has 0 parcels']);
    expect(faultsOfOrder(0, { ...found, trackings: [parcel!, parcel!] }, deeds)).toHaveLength(1);
    expect(faultsOfOrder(0, { ...found, trackings: [{ ...parcel!, carrier: null }] }, deeds)).toHaveLength(1);
  });

  test('a webhook that is lost is found, and one without a cause', () => {
    const { deeds, book } = playedOrder();
    deeds.claimed[0] = 1;
    expect(faultsOfWebhooks(book, deeds, false)).toEqual(['the webhook created of DAY-0000000 is lost']);
    deeds.claimed[0] = 0;
    deeds.scans[0] = 2;
    expect(faultsOfWebhooks(book, deeds, false)).toEqual([
      'the webhook SUCCESSFULLY_DELIVERED of DAY-0000000 came without a cause',
    ]);
  });

  test('a webhook may come again only after a kill, and only with its id', () => {
    const { deeds, book } = playedOrder();
    book.hear(0, 1, 2, 0);
    expect(book.get('repeats')).toBe(1);
    expect(faultsOfWebhooks(book, deeds, false)).toEqual(['the webhook ORDER_PROCESSED of DAY-0000000 came 2 times']);
    expect(faultsOfWebhooks(book, deeds, true)).toEqual([]);
    book.hear(0, 1, 77, 0);
    expect(faultsOfWebhooks(book, deeds, true)).toEqual(['1 webhooks came again with another id']);
  });

  test('a wrong signature is found', () => {
    const { deeds, book } = playedOrder();
    book.refuse('wrongSignatures');
    expect(faultsOfWebhooks(book, deeds, true)).toEqual(['1 webhooks had a wrong signature']);
  });

  test('a parcel may be registered again only after a kill, and what nobody expected is found', () => {
    const { deeds, book } = playedOrder();
    book.register(0);
    book.register(0);
    expect(faultsOfWebhooks(book, deeds, true)).toEqual([]);
    expect(faultsOfWebhooks(book, deeds, false)).toEqual(['1 parcels were registered again']);
    book.refuse('unexpected');
    expect(faultsOfWebhooks(book, deeds, true)).toEqual(['1 webhooks and registrations were expected by nobody']);
  });

  test('a request that got no answer, 429 or 5xx is found', () => {
    const row = { unanswered: 0, refused: 0 };
    const rows = new Map([
      ['place an order', { ...row, unanswered: 2 }],
      ['view a page', row],
      ['make a claim', { ...row, refused: 1 }],
    ]);
    expect(faultsOfAnswers(rows)).toEqual([
      'place an order: 2 times no answer',
      'make a claim: 1 answers of 429 or 5xx',
    ]);
  });

  test('a total that is not as wanted is named with both numbers', () => {
    const wanted = { orders: 5, visits: { least: 3, most: 4 } };
    expect(faultsOfTotals(wanted, { orders: 5, visits: 4 })).toEqual([]);
    expect(faultsOfTotals(wanted, { orders: 4, visits: 5 })).toEqual(['orders: 4, not 5', 'visits: 5, not 3 to 4']);
    expect(faultsOfTotals(wanted, {})).toHaveLength(2);
  });

  test('views within half an hour are one visit, and at its end it may be one or two', () => {
    const minute = 60_000;
    const deeds = new Deeds(2);
    deeds.view(0, 100 * minute, 100 * minute + 50);
    deeds.view(0, 129 * minute, 129 * minute + 50);
    expect(deeds.visits).toEqual({ least: 1, most: 1 });
    deeds.view(0, 130 * minute - 20, 130 * minute + 30);
    expect(deeds.visits).toEqual({ least: 1, most: 2 });
    deeds.view(1, 100 * minute, 100 * minute + 50);
    deeds.view(1, 140 * minute, 140 * minute + 50);
    expect(deeds.visits).toEqual({ least: 3, most: 4 });
  });

  test('the address of a page is known when a webhook has told it', () => {
    const book = new Book(newBookMemory(3));
    book.keepToken(1, '5FYteiIiOCjGKcyISwZg0Q');
    expect([0, 1, 2].map((order) => book.tokenOf(order))).toEqual([undefined, '5FYteiIiOCjGKcyISwZg0Q', undefined]);
  });
});

describe('the soak', () => {
  type Of = (minute: number) => number;
  const rowsOf = ({
    threads = () => 20,
    live = () => 300,
    emulators = () => 40,
    rss = () => 400,
    disk = (minute: number) => minute * 1000,
  }: Partial<Record<'threads' | 'live' | 'emulators' | 'rss' | 'disk', Of>>) =>
    soakRows(
      Array.from({ length: 61 }, (_, minute) => ({
        at: minute * 60_000,
        steps: minute * 90,
        sample: { rss: rss(minute), heapUsed: 1, external: 1, cpuMs: 1, diskBytes: disk(minute) },
        live:
          minute % 5 === 0
            ? { threads: threads(minute), bytes: live(minute), emulatorBytes: emulators(minute) }
            : undefined,
      })),
    );

  test('a start that takes memory, and a disk that grows with the orders, are no faults', () => {
    const atStart: Of = (minute) => (minute < 5 ? 100 : 400);
    const rows = rowsOf({ live: atStart, rss: atStart });
    expect(rows.map(({ minutes }) => minutes)).toEqual([0, 10, 15, 30, 45, 60]);
    expect(rows.at(-1)!.diskOfOrder).toBe(100);
    expect(faultsOfSoak(rows, 60)).toEqual([]);
  });

  test('a sandbox more is no fault', () => {
    const threads: Of = (minute) => (minute < 30 ? 20 : 30);
    const memory: Of = (minute) => threads(minute) * 20;
    expect(faultsOfSoak(rowsOf({ threads, live: memory, rss: memory }), 60)).toEqual([]);
  });

  test('looks that ended too early are found', () => {
    expect(faultsOfSoak(rowsOf({}), 90)).toEqual(['nobody looked after 60 minutes']);
  });

  test.each<[what: string, Parameters<typeof rowsOf>[0]]>([
    ['heaps that hold ever more', { live: (minute) => 400 + minute * 4 }],
    ['emulators that hold ever more', { emulators: (minute) => 40 + minute / 2 }],
    ['memory beside the heaps that grows', { rss: (minute) => 400 + minute * 4 }],
    ['orders that take ever more of the disk', { disk: (minute) => minute ** 2 }],
  ])('%s are found', (_, leak) => {
    expect(faultsOfSoak(rowsOf(leak), 60)).toHaveLength(1);
  });
});

describe('the picture', () => {
  const slot = (seconds: number): Slot => ({
    seconds,
    orders: 10,
    requests: 90,
    deliveries: 50,
    waits: new Sketch(),
    lags: new Sketch(),
    sample: undefined,
  });
  const drawn = drawDay({
    title: 'A day of 10 < 20 orders',
    caption: 'Nothing lost.',
    slots: Array.from({ length: 48 }, (_, i) => slot(i % 10 === 3 ? 0 : 2)),
    kills: [12 * hourMs],
  });

  test('it says what it shows to who does not see it', () => {
    expect(drawn).toContain('<title id="t">A day of 10 &lt; 20 orders</title>');
    expect(drawn).toMatch(/<desc id="d">Nothing lost\..*killed at 12:00.*Orders placed: from 5 to 5 a second/);
  });

  test('a kill is a mark in every strip, and its word stands below the hours', () => {
    const ys = (kind: string) =>
      [...drawn.matchAll(RegExp(`<text class="${kind}" x="[^"]+" y="([^"]+)"`, 'g'))].map(([, y]) => Number(y));
    expect(drawn.match(/class="kill" d="[^"]+"/)![0].match(/M/g)).toHaveLength(ys('name').length);
    expect(ys('killed')).toEqual([Math.max(...ys('scale')) + 16]);
  });

  test('a half hour without a value leaves a gap, and no number is none', () => {
    expect(drawn.match(/<polyline class="line s0"/g)).toHaveLength(6);
    expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('options', () => {
  test('a day is small and at full speed unless it is said', () => {
    expect(readOptions([])).toMatchObject({
      orders: 2000,
      factor: undefined,
      kills: 0,
      isSoak: false,
      countsUnits: true,
    });
  });

  test('each can be said, and what is no number is refused', () => {
    const args = ['--orders', '100000', '--speed', '24', '--kills', '3', '--soak', '--no-units'];
    expect(readOptions(args)).toMatchObject({
      orders: 100_000,
      factor: 24,
      kills: 3,
      isSoak: true,
      countsUnits: false,
    });
    expect(() => readOptions(['--orders', 'many'])).toThrow('--orders is a whole number from 1 on, not "many".');
    expect(() => readOptions(['--unknown'])).toThrow();
  });
});
