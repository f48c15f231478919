import { expect, test } from 'vitest';
import type { LaneDay } from '#domain/arrival/lane-days.ts';
import { arrivalModel, type LaneSummary, laneSummary, predict } from '#domain/arrival/model.ts';
import { bandLevels, type Journey } from '#domain/arrival/prediction.ts';
import { dayAfter } from '#platform/time.ts';
import { laneDaysOf, modelOfLane } from '#test/kit/arrival-models.ts';

const lane = { carrier: 'dhl', country: 'DE' };
/** A Monday. */
const monday = '2026-11-16';
const nobody = { lane: [], carrier: [] };
const usual = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3];

const journey = (more: Partial<Journey> = {}): Journey => ({
  handedOver: monday,
  area: '1',
  stage: 'under_way',
  since: monday,
  ...more,
});
const windowOf = (model: ReturnType<typeof modelOfLane>, more: Partial<Journey> = {}, today = monday) => {
  const window = predict(model, lane, journey(more), today)?.window;
  return window && [window.from, window.to];
};

test('a window has the days on which nine in ten parcels come', () => {
  expect(windowOf(modelOfLane({ days: usual }, monday))).toEqual(['2026-11-17', '2026-11-18']);
  expect(windowOf(modelOfLane({ days: [2] }, monday))).toEqual(['2026-11-18', '2026-11-18']);
});

test('a window passes over days without deliveries', () => {
  const model = modelOfLane({ days: usual }, monday);
  const friday = '2026-11-20';
  expect(windowOf(model, { handedOver: friday }, friday)).toEqual(['2026-11-21', '2026-11-23']);
  const beforeChristmas = '2026-12-23';
  expect(windowOf(model, { handedOver: beforeChristmas }, beforeChristmas)).toEqual(['2026-12-24', '2026-12-28']);
});

test('a window never begins before today, as long as anything is known about parcels that are so late', () => {
  const model = modelOfLane({ days: usual }, monday);
  for (const days of [1, 2, 3, 4, 10, 30]) {
    const today = dayAfter(monday, days);
    for (const { from, to } of predict(model, lane, journey(), today)!.bands) {
      expect(from >= today).toBe(true);
      expect(to >= from).toBe(true);
    }
  }
});

test('the bands grow around each other, and the window is one of their kind', () => {
  const { bands, window } = predict(modelOfLane({ days: [1, 2, 3, 4, 5, 6, 7] }, monday), lane, journey(), monday)!;
  expect(bands).toHaveLength(bandLevels.length);
  for (const [i, { from, to }] of bands.slice(1).entries()) {
    expect(from <= bands[i]!.from && bands[i]!.to <= to).toBe(true);
  }
  expect(bands.at(-1)!.from <= window!.from && window!.to <= bands.at(-1)!.to).toBe(true);
});

test('a parcel that is out for delivery comes today, one that nobody took on one of the next days', () => {
  const model = modelOfLane(
    {
      days: usual,
      more: { afterOut: [97, 3, 0, 0, 0, 0, 0, 0, 0, 0], afterAttempt: [0, 20, 1, 0, 0, 0, 0, 0, 0, 0] },
    },
    monday,
  );
  const tuesday = '2026-11-17';
  const out = { stage: 'out_for_delivery', since: tuesday } as const;
  expect(windowOf(model, out, tuesday)).toEqual([tuesday, tuesday]);
  expect(windowOf(model, out, '2026-11-18')?.[0]).toBe('2026-11-18');
  const attempted = { stage: 'attempted', since: tuesday } as const;
  expect(windowOf(model, attempted, tuesday)).toEqual(['2026-11-18', '2026-11-18']);
});

test('a courier who is out on a Sunday comes on that Sunday', () => {
  const sunday = '2026-11-22';
  const model = modelOfLane({ days: usual }, monday);
  expect(windowOf(model, { stage: 'out_for_delivery', since: sunday }, sunday)).toEqual([sunday, sunday]);
});

test('a lane that brings nothing on Saturdays is not expected on one', () => {
  const toFriday = laneDaysOf({ days: [1, 2] }, monday).map((day) => ({
    ...day,
    delivered: day.delivered.map((one) => {
      const weekday = new Date(dayAfter(day.day, one.days)).getUTCDay();
      return weekday === 6 ? { ...one, days: one.days + 2 } : one;
    }),
  }));
  const model = arrivalModel(lane, toFriday, nobody, monday);
  expect(model.weekdays).toEqual([1, 2, 3, 4, 5]);
  const friday = '2026-11-20';
  expect(windowOf(model, { handedOver: friday }, friday)?.[0]).toBe('2026-11-23');
});

test('slow areas and slow weekdays are slower than their lane', () => {
  const days: LaneDay[] = laneDaysOf({ days: [1, 1, 1, 1, 2], parcels: 20 }, monday).map((day) => {
    const isMonday = new Date(day.day).getUTCDay() === 1;
    return {
      ...day,
      shipped: day.shipped + 20,
      delivered: [
        ...day.delivered.map((one) => (isMonday ? { ...one, days: one.days + 1 } : one)),
        { area: '9', days: 4, count: 20 },
      ],
    };
  });
  const model = arrivalModel(lane, days, nobody, monday);
  const tuesday = '2026-11-17';
  expect(windowOf(model, { handedOver: tuesday, area: '9' }, tuesday)![1]! > '2026-11-19').toBe(true);
  expect(windowOf(model, { handedOver: tuesday }, tuesday)![0]).toBe('2026-11-18');
  expect(windowOf(model, {}, monday)![1]).toBe('2026-11-18');
  expect(windowOf(model, { handedOver: tuesday, area: 'X' }, tuesday)).toBeDefined();
});

test('nothing is shown with fewer than thirty parcels, and bands are measured all the same', () => {
  const days = laneDaysOf({ days: [1], parcels: 1 }, monday);
  const predicted = predict(arrivalModel(lane, days.slice(-20), nobody, monday), lane, journey(), monday);
  expect(predicted?.window).toBeUndefined();
  expect(predicted?.bands).toHaveLength(bandLevels.length);
});

test('nothing is said if nothing is known', () => {
  expect(predict(arrivalModel(lane, [], nobody, monday), lane, journey(), monday)).toBeUndefined();
});

test('a window of more than ten days is not shown', () => {
  const model = modelOfLane({ days: Array.from({ length: 20 }, (_, i) => i + 1) }, monday);
  const predicted = predict(model, lane, journey(), monday);
  expect(predicted?.window).toBeUndefined();
  expect(predicted?.bands).toHaveLength(bandLevels.length);
});

test.each([
  [0.81, true],
  [0.79, false],
])('after windows of which a share of %d held, the next one is shown: %s', (share, isShown) => {
  const model = modelOfLane({ days: usual, more: { shown: 100, held: 100 * share } }, monday);
  expect(predict(model, lane, journey(), monday)?.window !== undefined).toBe(isShown);
});

test('parcels of long ago and of today say nothing', () => {
  const old = laneDaysOf({ days: usual }, dayAfter(monday, -90));
  const ofToday = laneDaysOf({ days: [0] }, dayAfter(monday, 1)).slice(-1);
  expect(arrivalModel(lane, [...old, ...ofToday], nobody, monday).parcels).toBe(0);
});

test('younger parcels say more than older ones', () => {
  const changed = (now: number, before: number) => {
    const days = [now, before].map((way) => laneDaysOf({ days: [way] }, monday));
    const middle = dayAfter(monday, -25);
    const mixed = [...days[1]!.filter(({ day }) => day < middle), ...days[0]!.filter(({ day }) => day >= middle)];
    return predict(arrivalModel(lane, mixed, nobody, monday), lane, journey(), monday)!.bands[0];
  };
  expect(changed(1, 4)).toEqual({ from: '2026-11-17', to: '2026-11-17' });
  expect(changed(4, 1)).toEqual({ from: '2026-11-20', to: '2026-11-20' });
});

test('parcels that are still under way tell that their carrier is late', () => {
  const days = laneDaysOf({ days: [1] }, monday).map((day) =>
    day.day < '2026-11-05' ? day : { ...day, delivered: [] },
  );
  const late = arrivalModel(lane, days, nobody, monday);
  expect(late.hazards[1]).toBeLessThan(0.9 * modelOfLane({ days: [1] }, monday).hazards[1]!);
});

const summaryOf = (days: number[], parcels = 10) => laneSummary(lane, laneDaysOf({ days, parcels }, monday), monday);

test('a shop without parcels hears other shops, if they are three', () => {
  const hears = (shops: number) =>
    arrivalModel(lane, [], { lane: Array.from({ length: shops }, () => summaryOf([3])), carrier: [] }, monday);
  expect(windowOf(hears(3))).toEqual(['2026-11-19', '2026-11-19']);
  expect(windowOf(hears(2))).toBeUndefined();
});

test('no shop speaks for all, however many parcels it reports', () => {
  const honest = Array.from({ length: 20 }, () => summaryOf([3]));
  const loud = summaryOf([0], 100_000);
  const model = arrivalModel(lane, [], { lane: [...honest, loud], carrier: [] }, monday);
  expect(windowOf(model)).toEqual(['2026-11-19', '2026-11-19']);
});

test('what another shop stored wrongly is not heard', () => {
  const { bands: _, ...broken } = summaryOf([3]);
  const text = { ...summaryOf([3]), weekdays: ['1'] };
  const wrong = [broken, text] as unknown as LaneSummary[];
  expect(arrivalModel(lane, [], { lane: wrong, carrier: wrong }, monday).hazards).toEqual([]);
});

test('the parcels of one large sale do not teach on which weekdays a carrier comes', () => {
  const days = laneDaysOf({ days: [1], parcels: 5 }, monday).map((day) =>
    day.day === '2026-11-05' ? { ...day, shipped: 10_000, delivered: [{ area: '1', days: 1, count: 10_000 }] } : day,
  );
  expect(arrivalModel(lane, days, nobody, monday).weekdays).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what takes longer than can be told has no window', () => {
  const days = Array.from({ length: 84 }, (_, i) => dayAfter(monday, i - 84)).map((day, i) => ({
    ...laneDaysOf({ days: [1] }, monday)[0]!,
    day,
    shipped: 20,
    delivered: [38, 39, 40, 41].filter((way) => i + way < 84).map((way) => ({ area: '1', days: way, count: 5 })),
  }));
  const model = arrivalModel(lane, days, nobody, monday);
  for (const passed of [0, 10, 20, 30, 35, 40, 60]) {
    expect(predict(model, lane, journey(), dayAfter(monday, passed))?.window).toBeUndefined();
  }
});

test.each(['9999-12-31', '10000-01-01', '2027-11-17', '2020-01-01', ''])(
  'nothing is said of a parcel whose carrier says that a round was on "%s"',
  (since) => {
    const model = modelOfLane({ days: usual }, monday);
    expect(predict(model, lane, journey({ stage: 'out_for_delivery', since }), monday)).toBeUndefined();
    expect(predict(model, lane, journey({ handedOver: since }), monday)).toBeUndefined();
  },
);

test('a lane that never delivers, as no model is to say, ends all the same', () => {
  const model = { ...modelOfLane({ days: usual }, monday), weekdays: [] };
  expect(predict(model, lane, journey(), monday)).toBeDefined();
});

test('what a carrier does in other countries is a first belief, which is not shown', () => {
  const model = arrivalModel(lane, [], { lane: [], carrier: [summaryOf([3])] }, monday);
  const predicted = predict(model, lane, journey(), monday)!;
  expect(predicted.window).toBeUndefined();
  expect(predicted.bands[0]).toEqual({ from: '2026-11-19', to: '2026-11-19' });
});

test('its own parcels outweigh those of other shops', () => {
  const summary = summaryOf([5]);
  const days = laneDaysOf({ days: [1], parcels: 40 }, monday);
  expect(windowOf(arrivalModel(lane, days, { lane: [summary], carrier: [] }, monday))).toEqual([
    '2026-11-17',
    '2026-11-17',
  ]);
});

test('a model and a summary are small, and the same when they were stored', () => {
  const areas = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-'];
  const days = laneDaysOf({ days: Array.from({ length: 20 }, (_, i) => i + 1) }, monday).map((day, i) => ({
    ...day,
    delivered: areas.flatMap((area, a) =>
      day.delivered.map((one, n) => ({ ...one, area, count: 1 + ((a * 7 + n * 3 + i) % 50) })),
    ),
    shipped: 50_000,
  }));
  const model = arrivalModel(lane, days, nobody, monday);
  const summary = laneSummary(lane, days, monday);
  expect(JSON.stringify(model).length).toBeLessThan(3100);
  expect(JSON.stringify(summary).length).toBeLessThan(1000);
  expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
});
