import { describe, expect, test } from 'vitest';
import { bandLevels, packBands, type StoredPrediction } from '#domain/arrival/prediction.ts';
import type { Count } from '#domain/figures/count-rules.ts';
import { counterOfRange, rangeOf } from '#domain/figures/durations.ts';
import { figuresOf, parcelCounts } from '#domain/figures/parcel-figures.ts';
import type { Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { reported } from '#domain/orders/shipment-rules.ts';
import { dayAfter } from '#platform/time.ts';
import { carrierNames } from '#schemas/catalogues/carriers.ts';
import { shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { inNovember, parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';
import { belowFrom } from '#test/kit/random-from.ts';

const placed: TimedEvent = ['ORDER_PROCESSED', '02T08:00'];
const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '03T08:00'];
const outForDelivery: TimedEvent = ['OUT_FOR_DELIVERY', '04T08:00'];
const missed: TimedEvent = ['DELIVERY_ATTEMPTED', '04T12:00'];
const delivered: TimedEvent = ['SUCCESSFULLY_DELIVERED', '05T14:30'];
const underWay = [placed, scanned];
const cohort = { day: '2026-11-03', carrier: 'dhl', country: 'DE' };

const promise = (end: string): Partial<Shipment> => ({
  promise: { end, event: { event_name: 'SHIPMENT_EN_ROUTE', time: inNovember('03T08:00') } },
});

test('a parcel under way is in its cohort, and nothing has become of it', () => {
  expect(figuresOf(parcelWith(underWay))).toEqual({ cohort, endedOtherwise: false });
});

test('a delivered parcel has its day, its hours, its first attempt and its silence', () => {
  expect(figuresOf(parcelWith([...underWay, outForDelivery, delivered]))).toEqual({
    cohort,
    deliveredOn: '2026-11-05',
    hours: 54.5,
    endedOtherwise: false,
    firstAttempt: 'successful',
    silentDays: 2,
    arrival: { 'z-2': 1, o1: 1 },
  });
});

test('a delivery of which nobody knows when the carrier got the parcel counts for its day only', () => {
  const figures = figuresOf(parcelWith([delivered, ['ORDER_PROCESSED', '06T08:00']]));
  expect(figures).toMatchObject({ deliveredOn: '2026-11-05' });
  expect(figures).not.toHaveProperty('cohort');
  expect(figures).not.toHaveProperty('hours');
});

test.each<[string, Partial<Shipment>]>([
  ['of a simulation', { simulation_id: 'simulation' }],
  ['to the merchant', { direction: 'customer_merchant' }],
  ['to a partner', { direction: 'customer_partner' }],
  ['without a number', { tracking_number: null }],
])('a parcel %s counts nowhere', (_, changes) => {
  expect(figuresOf(parcelWith([...underWay, delivered], changes))).toBeUndefined();
});

describe('the first of several deliveries is the delivery', () => {
  test('also if the recipient confirms it later, or it comes back after that', () => {
    const once = figuresOf(parcelWith([...underWay, delivered]));
    expect(figuresOf(parcelWith([...underWay, delivered, ['USER_SUCCESSFULLY_DELIVERED', '09T08:00']]))).toEqual(once);
    expect(figuresOf(parcelWith([...underWay, delivered, ['SHIPMENT_RETURNED_TO_SENDER', '09T08:00']]))).toEqual(once);
  });

  test('also if another one of before it is reported late', () => {
    const both = parcelWith([...underWay, ['SUCCESSFULLY_DELIVERED', '04T08:00'], delivered]);
    expect(figuresOf(both)).toMatchObject({ deliveredOn: '2026-11-04', hours: 24 });
  });
});

describe('a parcel ended otherwise', () => {
  test.each<[string, TimedEvent[], boolean]>([
    ['when it is on its way back', [['SHIPMENT_RETURNING_TO_SENDER', '06T08:00']], true],
    ['when it is back', [['RETURN_TO_SENDER_COMPLETED', '06T08:00']], true],
    ['when nobody collected it', [['SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE', '06T08:00']], true],
    ['when it came neither there nor back', [['RETURN_TO_SENDER_FAILED', '06T08:00']], true],
    ['when it was cancelled on the way', [['ORDER_CANCELLED', '06T08:00']], true],
    ['when it is lost', [['SHIPMENT_LOST_IN_TRANSIT', '06T08:00']], true],
    ['when it is destroyed', [['DELIVERY_FAILED_SHIPMENT_DESTROYED', '06T08:00']], true],
    [
      'also if a remark follows',
      [
        ['SHIPMENT_LOST', '06T08:00'],
        ['PATCHED', '07T08:00'],
      ],
      true,
    ],
    [
      'not if it is found again',
      [
        ['SHIPMENT_LOST', '06T08:00'],
        ['AT_SORTING_CENTER', '07T08:00'],
      ],
      false,
    ],
    [
      'not if it is found again and delivered',
      [
        ['SHIPMENT_LOST', '06T08:00'],
        ['SUCCESSFULLY_DELIVERED', '07T08:00'],
      ],
      false,
    ],
    [
      'not if it was delivered before',
      [
        ['SUCCESSFULLY_DELIVERED', '06T08:00'],
        ['SHIPMENT_RETURNING_TO_SENDER', '07T08:00'],
      ],
      false,
    ],
    ['not if its delivery failed', [['ATTEMPTED_DELIVERY_UNDELIVERABLE', '06T08:00']], false],
    ['not if it is damaged', [['SHIPMENT_DAMAGED', '06T08:00']], false],
  ])('%s', (_, events, expected) => {
    expect(figuresOf(parcelWith([...underWay, ...events]))!.endedOtherwise).toBe(expected);
  });

  test('and is in no cohort if only its label was cancelled', () => {
    expect(parcelCounts('blue', { after: parcelWith([placed, ['ORDER_CANCELLED', '03T08:00']]) })).toEqual([]);
  });
});

describe('the first attempt', () => {
  test.each<[string, TimedEvent[], string | undefined]>([
    ['is successful with the delivery', [delivered], 'successful'],
    ['is successful with a parcel that can be collected', [['ARRIVED_AT_PARCEL_SHOP', '04T08:00']], 'successful'],
    ['has failed if nobody was at home', [missed], 'failed'],
    ['stays failed after the delivery', [missed, delivered], 'failed'],
    [
      'stays successful if nobody collects the parcel',
      [['ARRIVED_AT_PARCEL_LOCKER', '04T08:00'], missed],
      'successful',
    ],
    [
      'fails by an address that does not exist',
      [['DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND', '04T08:00'], delivered],
      'failed',
    ],
    ['is not made by losing the parcel', [['SHIPMENT_LOST', '04T08:00']], undefined],
    ['comes after a parcel was found again', [['SHIPMENT_LOST', '04T08:00'], delivered], 'successful'],
    ['is not made by a courier who did not come', [['NO_DELIVERY_ATTEMPT_ON_ROUTE', '04T18:00']], undefined],
    ['is not made by going back to the depot', [['RETURNED_TO_DELIVERY_DEPOT', '04T18:00'], delivered], 'successful'],
    ['is not made by another place to collect it', [['SHIPMENT_UPDATED_PICKUP', '04T08:00'], missed], 'failed'],
    ['is not made on the round', [outForDelivery], undefined],
  ])('%s', (_, events, expected) => {
    expect(figuresOf(parcelWith([...underWay, ...events]))!.firstAttempt).toBe(expected);
  });
});

describe('a promise', () => {
  // The parcel is delivered on the 5th at 14:30 UTC.
  test.each<[string, string, 'kept' | 'broken']>([
    ['of a later time is kept', '2026-11-05T18:00:00Z', 'kept'],
    ['of exactly that time is kept', '2026-11-05T14:30:00Z', 'kept'],
    ['of a minute before is broken', '2026-11-05T14:29:00Z', 'broken'],
    ['of a day, by its beginning, is kept on all of that day', '2026-11-05T00:00:00Z', 'kept'],
    ['of a day without a time is kept on all of that day', '2026-11-05', 'kept'],
    ['of the day before is broken', '2026-11-04T00:00:00.000Z', 'broken'],
    ['of the day before, by its end, is broken', '2026-11-04T23:59:59Z', 'broken'],
    ['with an offset means the time there', '2026-11-05T16:00:00+02:00', 'broken'],
    ['with an offset and a later time is kept', '2026-11-05T16:31:00+02:00', 'kept'],
    ['of a day with an offset ends with the day there', '2026-11-05T00:00:00+11:00', 'broken'],
    ['of a day with an offset is kept until then', '2026-11-05T00:00:00+09:00', 'kept'],
    ['without an offset is UTC', '2026-11-05T14:30:00', 'kept'],
    ['of ten o’clock is no day', '2026-11-04T10:00:00Z', 'broken'],
  ])('%s', (_, end, expected) => {
    expect(figuresOf(parcelWith([...underWay, delivered], promise(end)))!.promise).toBe(expected);
  });

  test('counts for nothing while the parcel is not delivered, and there is none without a window', () => {
    expect(figuresOf(parcelWith([...underWay, missed], promise('2026-11-03T10:00:00Z')))!.promise).toBeUndefined();
    expect(figuresOf(parcelWith([...underWay, delivered]))!.promise).toBeUndefined();
  });

  describe('of a carrier', () => {
    const now = inNovember('10T08:00');
    const named = (name: ShipmentEvent['event_name'], time: string, end: string | null) => ({
      event: { event_name: name, time: inNovember(time) },
      expected_delivery: { start: '2026-11-05T08:00:00Z', end },
    });
    const promisedAfter = (...reports: ReturnType<typeof named>[]) =>
      reports.reduce((parcel, report) => reported(parcel, report, now).shipment, parcelWith([placed])).promise?.end;

    const first = named('SHIPMENT_EN_ROUTE', '03T08:00', '2026-11-05T12:00:00Z');
    const second = named('SHIPMENT_UPDATED_ETA', '04T08:00', '2026-11-07T12:00:00Z');

    test('is the first window that it named, whichever report comes first', () => {
      expect(promisedAfter(first)).toBe('2026-11-05T12:00:00Z');
      expect(promisedAfter(first, second)).toBe('2026-11-05T12:00:00Z');
      expect(promisedAfter(second, first)).toBe('2026-11-05T12:00:00Z');
      expect(promisedAfter(second)).toBe('2026-11-07T12:00:00Z');
    });

    test('is the first report, if it corrects what it said with an event', () => {
      expect(promisedAfter(first, named('SHIPMENT_EN_ROUTE', '03T08:00', '2026-11-09T12:00:00Z'))).toBe(
        '2026-11-05T12:00:00Z',
      );
    });

    test('has the beginning of its window, if the carrier named one', () => {
      const windowOf = (expected_delivery: object) =>
        reported(parcelWith([placed]), { event: first.event, expected_delivery }, now).shipment.promise;
      const [start, end] = ['2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z'];
      expect(windowOf({ start, end })).toEqual({ start, end, event: first.event });
      expect(windowOf({ start: null, end })).toEqual({ end, event: first.event });
    });

    test('needs an end', () => {
      expect(promisedAfter(named('SHIPMENT_EN_ROUTE', '03T08:00', null))).toBeUndefined();
      expect(promisedAfter(named('SHIPMENT_EN_ROUTE', '03T08:00', null), second)).toBe('2026-11-07T12:00:00Z');
    });

    test('does not change with a report that comes twice, and such a one is no change of the parcel', () => {
      const parcel = reported(parcelWith([placed]), first, now).shipment;
      expect(reported(parcel, first, now).shipment).toBe(parcel);
    });

    test('that a release of before did not keep is the forecast that it kept', () => {
      const { promise: _, ...parcel } = reported(parcelWith([placed]), first, now).shipment;
      expect(reported(parcel, second, now).shipment.promise?.end).toBe('2026-11-05T12:00:00Z');
      expect(reported(parcel, { event: second.event }, now).shipment.promise).toBeUndefined();
    });
  });
});

describe('the longest silence before the delivery', () => {
  test.each<[string, TimedEvent[], number]>([
    ['is rounded up to whole days', [placed, scanned, ['SUCCESSFULLY_DELIVERED', '05T09:00']], 3],
    ['of exactly a day is one', [placed, scanned, ['SUCCESSFULLY_DELIVERED', '04T08:00']], 1],
    [
      'begins with the number of the parcel',
      [placed, ['SHIPMENT_EN_ROUTE', '06T07:00'], ['SUCCESSFULLY_DELIVERED', '06T08:00']],
      4,
    ],
    [
      'does not begin with the order',
      [
        ['ORDER_CREATED', '01T08:00'],
        ['ORDER_PROCESSED', '08T08:00'],
        ['SUCCESSFULLY_DELIVERED', '08T09:00'],
      ],
      1,
    ],
    [
      'is not ended by a remark',
      [placed, scanned, ['SHIPMENT_UPDATED_ETA', '05T08:00'], ['SUCCESSFULLY_DELIVERED', '07T08:00']],
      4,
    ],
    ['ends with the delivery', [placed, scanned, delivered, ['USER_SUCCESSFULLY_DELIVERED', '29T08:00']], 3],
    [
      'counts scans of before the shop knew the number',
      [['SHIPMENT_EN_ROUTE', '01T08:00'], ['ORDER_PROCESSED', '05T09:00'], delivered],
      5,
    ],
    ['is 0 if everything came at one moment', [['ORDER_PROCESSED', '05T14:30'], delivered], 0],
  ])('%s', (_, events, expected) => {
    expect(figuresOf(parcelWith(events))!.silentDays).toBe(expected);
  });

  test('is counted up to a month, and is not known before the delivery', () => {
    const long = parcelWith([placed, scanned]);
    long.events.push({ event_name: 'SUCCESSFULLY_DELIVERED', time: '2027-02-03T08:00:00.000Z' });
    expect(figuresOf(long)!.silentDays).toBe(31);
    expect(figuresOf(parcelWith(underWay))).not.toHaveProperty('silentDays');
  });
});

/** As `partition sort key counter: step`. */
const texts = (counts: readonly Count[]) =>
  counts.map(({ key, name, step }) => `${key.sk} ${name}: ${step > 0 ? '+' : ''}${step}`).sort();

describe('a change of a parcel', () => {
  const moving = parcelWith(underWay);
  const arrived = parcelWith([...underWay, delivered], promise('2026-11-05T18:00:00Z'));
  // The hours from the scan that named the window to its end.
  const stepOf = (name: string) => (name === 'cw' ? 58 : 1);
  const ofCohort = (name: string, step: string) => `COHORT#1#2026-11-03#dhl#DE ${name}: ${step}`;

  test('adds it to the day and the lane when the carrier gets it', () => {
    expect(parcelCounts('blue', { before: parcelWith([placed]), after: moving })).toEqual([
      {
        key: { pk: 'STATISTICS#blue', sk: 'ORDERS#2026-11-03' },
        name: 's#dhl#DE',
        step: 1,
        expires_at: Date.parse('2026-11-03') / 1000 + 761 * 24 * 3600,
      },
    ]);
  });

  test('adds what became of it to its cohort, and the delivery to its day', () => {
    expect(texts(parcelCounts('blue', { before: moving, after: arrived }))).toEqual([
      ...['a', 'cc', 'cn', 'cw', 'f', 'g3', 'h54', 'k', 'p', 'z-2'].map((name) => ofCohort(name, `+${stepOf(name)}`)),
      'ORDERS#2026-11-05 delivered: +1',
    ]);
  });

  test('touches nothing if it is only a further scan', () => {
    const further = parcelWith([...underWay, outForDelivery]);
    expect(parcelCounts('blue', { before: moving, after: further })).toEqual([]);
    expect(parcelCounts('blue', { before: arrived, after: { ...arrived, tracking_url: 'https://x.example' } })).toEqual(
      [],
    );
  });

  test('by an earlier scan that comes late moves it with all that became of it', () => {
    const earlier = {
      ...arrived,
      events: parcelWith([placed, ['PARCEL_DISPATCHED', '02T20:00'], scanned, delivered]).events,
    };
    expect(texts(parcelCounts('blue', { before: arrived, after: earlier }))).toEqual([
      ...['a', 'cc', 'cn', 'cw', 'f', 'g3', 'h66', 'k', 'p', 'z-3'].map(
        (name) => `COHORT#1#2026-11-02#dhl#DE ${name}: +${stepOf(name)}`,
      ),
      ...['a', 'cc', 'cn', 'cw', 'f', 'g3', 'h54', 'k', 'p', 'z-2'].map((name) => ofCohort(name, `-${stepOf(name)}`)),
      'ORDERS#2026-11-02 s#dhl#DE: +1',
      'ORDERS#2026-11-03 s#dhl#DE: -1',
    ]);
  });

  test('by another country or carrier moves it too', () => {
    const changed = { ...moving, country: 'AT', carrier_reference: 'unheard of' };
    expect(texts(parcelCounts('blue', { before: moving, after: changed }))).toEqual([
      'ORDERS#2026-11-03 s#-#AT: +1',
      'ORDERS#2026-11-03 s#dhl#DE: -1',
    ]);
  });

  test('that deletes it takes it away', () => {
    const added = texts(parcelCounts('blue', { after: arrived }));
    expect(added).toHaveLength(12);
    expect(texts(parcelCounts('blue', { before: arrived }))).toEqual(added.map((text) => text.replace('+', '-')));
  });

  test('that an earlier release did not count is counted whole, and nothing is taken away', () => {
    const { country: _, ...before } = arrived;
    expect(texts(parcelCounts('blue', { before, after: arrived }))).toEqual(
      texts(parcelCounts('blue', { after: arrived })),
    );
    expect(parcelCounts('blue', { before })).toEqual([]);
  });
});

function somePrediction(next: (below: number) => number): StoredPrediction {
  const since = `2026-11-0${1 + next(9)}`;
  const bands = bandLevels.map((_, i) => ({ from: dayAfter(since, 0), to: dayAfter(since, i + next(2)) }));
  return { since, bands: packBands(bands, since), ...(next(2) && { first: `${next(3)}-${3 + next(5)}` }) };
}

test('whatever happens to parcels, in whatever order, what was added is what a recount adds', () => {
  const next = belowFrom(33);
  const carriers = Object.keys(carrierNames);
  const sums = new Map<string, number>();
  let lowest = 0;
  const count = (counts: readonly Count[]) => {
    for (const { key, name, step } of counts) {
      const cell = `${key.sk} ${name}`;
      const sum = (sums.get(cell) ?? 0) + step;
      sums.set(cell, sum);
      lowest = Math.min(lowest, sum);
    }
  };
  const parcels: (Shipment | undefined)[] = Array.from({ length: 50 });
  for (let i = 0; i < 5000; i++) {
    const place = next(parcels.length);
    const before = parcels[place];
    const after = before && next(30) > 0 ? changed(before, next) : next(2) ? parcelWith([placed]) : undefined;
    count(parcelCounts('blue', { before, after }));
    parcels[place] = after;
  }
  const counted = new Map([...sums].filter(([, sum]) => sum !== 0));
  sums.clear();
  for (const after of parcels) if (after) count(parcelCounts('blue', { after }));
  expect(counted.size).toBeGreaterThan(100);
  expect(counted).toEqual(sums);
  expect(lowest).toBe(0);

  function changed(parcel: Shipment, next: (below: number) => number): Shipment {
    switch (next(10)) {
      case 3:
        return { ...parcel, area: ['1', 'A', 'é'][next(3)]! };
      case 4:
        return { ...parcel, prediction: somePrediction(next) };
      case 0:
        return { ...parcel, events: parcel.events.filter((_, i) => i === 0 || next(4) > 0) };
      case 1:
        return { ...parcel, country: ['DE', 'AT', '-'][next(3)]! };
      case 2:
        return { ...parcel, carrier_reference: carriers[next(carriers.length)]! };
      default: {
        const event = {
          event_name: shipmentEventNames[next(shipmentEventNames.length)]!,
          time: new Date(Date.parse('2026-11-01') + next(60 * 24) * 3600 * 1000).toISOString(),
        };
        const end = next(3) ? null : inNovember(`0${1 + next(9)}T00:00`);
        const start = next(2) ? null : inNovember(`0${1 + next(9)}T08:00`);
        return reported(parcel, { event, expected_delivery: { start, end } }, inNovember('28T08:00')).shipment;
      }
    }
  }
});

test('the ranges of durations hold every number of hours', () => {
  expect([0, 54.5, 167.9, 168, 2160, 1e9].map((hours) => counterOfRange(rangeOf(hours)))).toEqual([
    'h0',
    'h54',
    'h160',
    'h168',
    'h2160',
    'h2160',
  ]);
});
