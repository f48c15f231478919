import { describe, expect, test, vi } from 'vitest';
import { type ArrivalModel, predict } from '#domain/arrival/model.ts';
import { bandOf, type DayWindow, type StoredPrediction } from '#domain/arrival/prediction.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { journeyOf, needsModel, withPrediction } from '#domain/orders/predicted-arrival.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { inNovember, parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';

vi.mock('#domain/arrival/model.ts', () => ({ predict: vi.fn() }));

const model = { form: 1 } as ArrivalModel;
const placed: TimedEvent = ['ORDER_PROCESSED', '16T08:00'];
const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '17T08:00'];
const out: TimedEvent = ['OUT_FOR_DELIVERY', '19T06:00'];
const missed: TimedEvent = ['DELIVERY_ATTEMPTED', '19T15:00'];
const delivered: TimedEvent = ['SUCCESSFULLY_DELIVERED', '20T11:00'];

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
const window = (from: number, to: number): DayWindow => ({ from: day(from), to: day(to) });

interface Now {
  /** Of our window; absent if none is to be shown. */
  days?: [from: number, to: number];
  at?: string;
  notify?: boolean;
}

/** What is said about a parcel now, by a model that says this. */
function said(shipment: Shipment, { days, at = '17T09:00', notify = true }: Now) {
  const bands = [window(18, 18), ...Array.from({ length: 11 }, () => window(18, 20))];
  vi.mocked(predict).mockReturnValue({ ...(days && { window: window(...days) }), bands });
  return withPrediction(shipment, model, new Date(inNovember(at)), notify);
}

/** A parcel of which we said this on 17 November. */
const parcelSaid = (prediction: Partial<StoredPrediction>, events: TimedEvent[] = [placed, scanned]) =>
  parcelWith(events, { prediction: { since: day(17), bands: 'x', ...prediction } });

describe('the journey of a parcel', () => {
  const journey = (events: TimedEvent[], changes: Partial<Shipment> = {}, today = 22) =>
    journeyOf(parcelWith(events, changes), day(today));

  test('begins with its cohort, and knows where it goes', () => {
    const late: TimedEvent = ['SHIPMENT_EN_ROUTE', '17T23:30'];
    expect(journey([placed, late], { area: '8' })).toEqual({
      handedOver: day(17),
      area: '8',
      stage: 'under_way',
      since: day(18),
    });
    expect(journey([placed, scanned])).not.toHaveProperty('area');
  });

  test.each<[string, TimedEvent[], object]>([
    ['is with the courier since the newest round', [out], { stage: 'out_for_delivery', since: day(19) }],
    ['had an attempt', [out, missed], { stage: 'attempted', since: day(19) }],
    [
      'is with the courier again',
      [out, missed, ['OUT_FOR_DELIVERY', '21T06:00']],
      { stage: 'out_for_delivery', since: day(21) },
    ],
    [
      'is back in the network after a round',
      [out, ['AT_SORTING_CENTER', '20T06:00']],
      { stage: 'attempted', since: day(19) },
    ],
    [
      'is where it was, whatever is remarked',
      [out, ['SHIPMENT_UPDATED_ETA', '20T06:00']],
      { stage: 'out_for_delivery', since: day(19) },
    ],
  ])('%s', (_, events, expected) => {
    expect(journey([placed, scanned, ...events])).toMatchObject(expected);
  });

  test.each<[string, TimedEvent[], Partial<Shipment>?]>([
    ['before a carrier has it', [placed]],
    ['if it is delivered', [placed, scanned, delivered]],
    ['if it waits to be collected', [placed, scanned, ['ARRIVED_AT_PARCEL_LOCKER', '19T08:00']]],
    ['if it is lost', [placed, scanned, ['SHIPMENT_LOST', '19T08:00']]],
    ['if it goes back', [placed, scanned, ['SHIPMENT_RETURNING_TO_SENDER', '19T08:00']]],
    ['of a simulation', [placed, scanned], { simulation_id: 'simulation' }],
    ['of a return', [placed, scanned], { direction: 'customer_merchant' }],
    ['that figures do not count', [placed, scanned], { tracking_number: null }],
  ])('is none %s', (_, events, changes) => {
    expect(journey(events, changes)).toBeUndefined();
    expect(needsModel(parcelWith(events, changes), new Date(inNovember('22T08:00')))).toBe(false);
  });

  test.each<ShipmentEventName>([
    'SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION',
    'DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION',
    'DELIVERY_OPTION_REQUESTED_BY_RECEIVER',
    'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_SHOP',
    'DELIVERY_OPTION_ALTERNATE_TIME_REQUESTED',
    'SHIPMENT_DELAYED_DUE_TO_CUSTOMER_REQUEST',
    'DELAY_IN_TRANSPORT',
    'HELD_AT_CUSTOMS',
  ])('is none after %s, until the next scan', (name) => {
    const events: TimedEvent[] = [placed, scanned, [name, '18T08:00']];
    expect(journey(events)).toBeUndefined();
    expect(journey([...events, ['NOTIFICATION_SENT_TO_RECIPIENT', '18T09:00']])).toBeUndefined();
    expect(journey([...events, ['AT_SORTING_CENTER', '19T08:00']])).toBeDefined();
  });

  test('is none if the carrier says that it got the parcel after tomorrow', () => {
    expect(journey([placed, scanned], {}, 16)).toMatchObject({ handedOver: day(17) });
    expect(journey([placed, scanned], {}, 15)).toBeUndefined();
  });

  test('has no stage that begins tomorrow, and is none if it begins later', () => {
    expect(journey([placed, scanned, out], {}, 18)).toMatchObject({ stage: 'out_for_delivery', since: day(18) });
    expect(journey([placed, scanned, out], {}, 17)).toBeUndefined();
    expect(journey([placed, scanned, out, missed], {}, 18)).toMatchObject({ stage: 'attempted', since: day(18) });
  });

  test.each(['2027-11-17T08:00:00.000Z', '9999-12-30T08:00:00.000Z', '9999-12-31T23:30:00.000Z'])(
    'is none if the courier left at %s',
    (time) => {
      const parcel = parcelWith([placed, scanned]);
      const events = [...parcel.events, { event_name: 'OUT_FOR_DELIVERY' as const, time }];
      expect(journeyOf({ ...parcel, events }, day(17))).toBeUndefined();
    },
  );
});

describe('a parcel remembers', () => {
  test('our window, the first one that was shown, and how sure we were first', () => {
    const { shipment: first } = said(parcelWith([placed, scanned]), { days: [18, 20] });
    expect(first.prediction).toMatchObject({ since: day(17), window: '1-3', first: '1-3' });
    const { bands } = first.prediction!;
    expect([18, 19, 21].map((number) => bandOf(bands, day(17), day(number)))).toEqual([0, 1, 12]);
    const { shipment: next } = said({ ...first, prediction: { ...first.prediction!, bands: 'x' } }, { days: [19, 19] });
    expect(next.prediction).toEqual({ since: day(17), window: '2-2', first: '1-3', told: '1-3', bands: 'x' });
  });

  test('how sure we were also if no window was to be shown', () => {
    const { shipment } = said(parcelWith([placed, scanned]), {});
    expect(shipment.prediction).toEqual({ since: day(17), bands: expect.any(String) });
    const { shipment: next } = said(shipment, { days: [19, 20] });
    expect(next.prediction).toMatchObject({ window: '2-3', first: '2-3' });
  });

  test('the first window and no other, once it has arrived', () => {
    const arrived = parcelSaid({ window: '1-3', first: '1-4', told: '1-4' }, [placed, scanned, delivered]);
    const { shipment, told } = withPrediction(arrived, undefined, new Date(inNovember('20T11:00')), true);
    expect(shipment.prediction).toEqual({ since: day(17), first: '1-4', bands: 'x' });
    expect(told).toBeUndefined();
  });

  test('no window where the carrier names a time, but how sure we were', () => {
    const expected_delivery = { end: '2026-11-19T23:59:59Z' };
    const promised = parcelWith([placed, scanned], { expected_delivery });
    const now = new Date(inNovember('17T09:00'));
    expect(needsModel(promised, now)).toBe(true);
    const { shipment } = said(promised, { days: [18, 20] });
    expect(shipment.prediction).toEqual({ since: day(17), bands: expect.any(String) });
    expect(needsModel(shipment, now)).toBe(false);
    expect(
      said({ ...parcelSaid({ window: '1-3', first: '1-3' }), expected_delivery }, { days: [18, 21] }),
    ).toMatchObject({
      shipment: { prediction: { since: day(17), first: '1-3', told: '1-3', bands: 'x' } },
    });
  });

  test('nothing if nothing is known', () => {
    const parcel = parcelWith([placed, scanned]);
    expect(withPrediction(parcel, undefined, new Date(inNovember('17T09:00')), true)).toEqual({ shipment: parcel });
    vi.mocked(predict).mockReturnValue(undefined);
    expect(withPrediction(parcel, model, new Date(inNovember('17T09:00')), true)).toEqual({ shipment: parcel });
  });

  test('no day before it was handed over, which is where the day is still the one before', () => {
    const abroad = parcelWith([placed, ['SHIPMENT_EN_ROUTE', '17T02:00']], { country: 'US' });
    abroad.events[1]!.timezone = 'America/Denver';
    expect(said(abroad, { days: [16, 18] }).shipment.prediction).toMatchObject({ since: day(17), window: '0-1' });
  });
});

describe('a scan with a time in the future', () => {
  test('of which the right one comes later moves no window to a later day', () => {
    const ahead: TimedEvent = ['SHIPMENT_EN_ROUTE', '26T08:00'];
    const unsaid = said(parcelWith([placed, ahead]), { days: [27, 28], at: '16T09:00' }).shipment;
    expect(unsaid).not.toHaveProperty('prediction');
    const early = said(parcelWith([placed, scanned]), { days: [18, 20], at: '16T09:00' }).shipment;
    expect(early.prediction).toMatchObject({ since: day(16), window: '2-4' });
    const right = parcelWith([placed, ['PARCEL_DISPATCHED', '16T08:30'], ['OUT_FOR_DELIVERY', '16T09:30']], {
      prediction: early.prediction!,
    });
    expect(said(right, { days: [16, 16], at: '16T10:00' }).shipment.prediction).toMatchObject({ window: '0-0' });
  });

  test('that makes the hand-over later than tomorrow takes the window away', () => {
    const ahead = parcelSaid({ window: '1-3', first: '1-3' }, [placed, ['SHIPMENT_EN_ROUTE', '26T08:00']]);
    const { shipment, told } = said(ahead, { days: [27, 28], at: '17T09:00' });
    expect(shipment.prediction).toEqual({ since: day(17), first: '1-3', told: '1-3', bands: 'x' });
    expect(told).toBeUndefined();
  });
});

describe('merchants are told', () => {
  test('of a window that moved by a day, with an event of the parcel', () => {
    const { shipment, told } = said(parcelSaid({ window: '1-3', first: '1-3' }), { days: [18, 21], at: '18T09:00' });
    expect(told).toEqual({ event_name: 'SHIPMENT_UPDATED_ETA', time: inNovember('18T09:00'), predicted: true });
    expect(shipment.events.at(-1)).toEqual(told);
    expect(shipment.prediction).toEqual({ since: day(17), window: '1-4', first: '1-3', bands: 'x' });
  });

  test.each<[string, [number, number]]>([
    ['begins earlier', [17, 20]],
    ['is wider on both sides', [17, 22]],
    ['is another one altogether', [23, 24]],
  ])('also of a window that %s', (_, days) => {
    expect(said(parcelSaid({ window: '1-3' }), { days, at: '17T09:00' }).told).toBeDefined();
  });

  test.each<[string, Partial<StoredPrediction>, Now]>([
    ['of the first window', {}, { days: [18, 20] }],
    ['of the same window', { window: '1-3' }, { days: [18, 20] }],
    ['of a narrower window within what they know', { window: '1-3' }, { days: [19, 19] }],
    ['of one within what they know that is wider than the last', { window: '2-2', told: '1-3' }, { days: [18, 20] }],
    ['if no window is shown any more', { window: '1-3' }, {}],
    ['without being notified', { window: '1-3' }, { days: [18, 21], notify: false }],
    ['of a window that moved back to what they know', { window: '1-4', told: '1-3' }, { days: [18, 20] }],
  ])('not %s', (_, before, now) => {
    const parcel = parcelSaid(before);
    const { shipment, told } = said(parcel, now);
    expect(told).toBeUndefined();
    expect(shipment.events).toEqual(parcel.events);
  });

  test('at most once on a day of the recipient, and on the next if it is still another day', () => {
    const first = said(parcelSaid({ window: '1-3' }), { days: [18, 21], at: '18T09:00' });
    const same = said(first.shipment, { days: [18, 22], at: '18T22:59' });
    expect(same.told).toBeUndefined();
    expect(same.shipment.prediction).toMatchObject({ window: '1-5', told: '1-4' });
    const next = said(same.shipment, { days: [19, 22], at: '18T23:00' });
    expect(next.told).toBeDefined();
    expect(next.shipment.prediction).not.toHaveProperty('told');
  });

  test('not on a day on which the carrier has told them of another time', () => {
    const parcel = parcelSaid({ window: '1-3' }, [placed, scanned, ['SHIPMENT_UPDATED_ETA', '18T07:00']]);
    expect(said(parcel, { days: [18, 21], at: '18T09:00' }).told).toBeUndefined();
  });

  test('later, of what moved while they were not to be notified, or while no window was shown', () => {
    const silent = said(parcelSaid({ window: '1-3' }), { days: [18, 21], notify: false }).shipment;
    expect(silent.prediction).toMatchObject({ told: '1-3' });
    const hidden = said(silent, {}).shipment;
    expect(hidden.prediction).toMatchObject({ told: '1-3' });
    expect(said(hidden, { days: [18, 20] }).shipment.prediction).not.toHaveProperty('told');
    expect(said(hidden, { days: [18, 21] }).told).toBeDefined();
  });
});
