import { beforeEach, describe, expect, test } from 'vitest';
import { learnedDays, readSilenceRule, silenceRule } from '#domain/figures/silence.ts';
import { isSilent, isSilentSince, silentAfter } from '#domain/orders/attention.ts';
import { newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-16T10:00:00.000Z');

const cohort = (silences: Record<number, number>, carrier = 'dhl', country = 'DE') => ({
  carrier,
  country,
  silences: new Map(Object.entries(silences).map(([days, count]) => [Number(days), count])),
});

describe('the days of a lane', () => {
  test.each([
    ['are unknown without parcels', {}, undefined],
    ['are unknown of 99 parcels', { 1: 99 }, undefined],
    ['are learned from 100', { 1: 100 }, 1],
    ['hold exactly 95 of 100', { 1: 90, 2: 5, 9: 5 }, 2],
    ['are more where they hold 94 only', { 1: 90, 2: 4, 9: 6 }, 9],
    ['do not follow a few that were lost for weeks', { 2: 980, 30: 20 }, 2],
    ['are none where parcels never stop', { 0: 100 }, 0],
    [
      'have no end where more than 5 of 100 were silent for over a month',
      { 3: 900, 31: 100 },
      Number.POSITIVE_INFINITY,
    ],
    ['leave out what is counted below zero', { 1: 95, 4: -3, 6: 5 }, 1],
  ] as const)('%s', (_what, silences, days) => {
    expect(learnedDays([cohort(silences)]).get('dhl#DE')).toBe(days);
  });

  test('come from all its cohorts together, and from no other lane', () => {
    const cohorts = [cohort({ 1: 60 }), cohort({ 3: 40 }), cohort({ 9: 500 }, 'dhl', 'US'), cohort({ 7: 99 }, 'ups')];
    expect([...learnedDays(cohorts)]).toEqual([
      ['dhl#DE', 3],
      ['dhl#US', 9],
    ]);
  });
});

describe('a parcel', () => {
  const rule = silenceRule(
    new Map([
      ['dhl#DE', 2],
      ['dhl#US', 9],
      ['dhl#-', 2],
      ['-#-', Number.POSITIVE_INFINITY],
    ]),
  );
  const orderIds = { uuid: '01930000-0000-7000-8000-000000000000', order_number: '1' };

  /** @param lane carrier and country; the country is missing if an earlier release wrote the parcel */
  function parcel(day: string, lane: string) {
    const [carrier, country] = lane.split('#');
    const time = `2026-${day}T08:00:00.000Z`;
    const made = { ...newShipment(orderIds, 1, 'merchant_customer', time), tracking_number: 'T1' };
    const { shipment } = reported(made, { event: { event_name: 'SHIPMENT_EN_ROUTE', time } }, time);
    return { ...shipment, carrier_reference: carrier!, ...(country && { country }) };
  }

  test.each([
    ['of a lane with two days, after two', '11-14', 'dhl#DE', false],
    ['of a lane with two days, after three', '11-13', 'dhl#DE', true],
    ['of a lane with nine days, after nine', '11-07', 'dhl#US', false],
    ['of a lane with nine days, after ten', '11-06', 'dhl#US', true],
    ['of a lane that has taught nothing, after five', '11-11', 'ups#DE', false],
    ['of a lane that has taught nothing, after six', '11-10', 'ups#DE', true],
    ['that an earlier release wrote, after five', '11-11', 'dhl', false],
    ['that an earlier release wrote, after six', '11-10', 'dhl', true],
    ['of a lane without an end, after months', '08-01', 'none#-', false],
    ['whose last event is in the future', '11-17', 'dhl#DE', false],
  ] as const)('%s', (_what, day, lane, isSo) => {
    expect(isSilent(parcel(day, lane), rule, now)).toBe(isSo);
    // Without its parcel, an entry says the same or nothing.
    expect([isSo, undefined]).toContain(isSilentSince(`2026-${day}`, rule, now));
  });

  test('is measured by given days whatever its lane', () => {
    expect(isSilent(parcel('11-13', 'dhl#US'), silentAfter(2), now)).toBe(true);
  });
});

test('a parcel is read only where its lane decides', () => {
  const rule = silenceRule(
    new Map([
      ['dhl#DE', 2],
      ['dhl#US', 9],
    ]),
  );
  const of = (day: string) => isSilentSince(`2026-${day}`, rule, now);
  expect([of('11-14'), of('11-13'), of('11-07'), of('11-06')]).toEqual([false, undefined, undefined, true]);
});

test('what moved more recently than any lane allows need not be read', () => {
  expect(silenceRule(new Map([['dhl#US', 9]])).fewestDays).toBe(5);
  expect(silenceRule(new Map([['dhl#DE', 2]])).fewestDays).toBe(2);
});

describe('the rule of a shop', () => {
  beforeEach(() => tableWith());

  const count = (slug: string, day: string, counts: Record<string, number>) =>
    memoryTable.put({ ...keyOf.cohortCounts(slug, { day, carrier: 'dhl', country: 'DE' }), ...counts });

  test('is learned from the parcels of the last 90 days', async () => {
    count('learned', '2026-11-01', { h20: 60, g1: 60, a: 60, f: 60 });
    count('learned', '2026-08-18', { h20: 60, g3: 60 });
    count('learned', '2026-08-17', { h20: 900, g8: 900 });
    const { daysOf, fewestDays } = await readSilenceRule('learned', now);
    expect([daysOf('dhl#DE'), daysOf('dhl#US'), fewestDays]).toEqual([3, 5, 3]);
  });

  test('is read again after ten minutes', async () => {
    const days = async (minutes: number) =>
      (await readSilenceRule('later', new Date(now.getTime() + minutes * 60_000))).daysOf('dhl#DE');
    expect(await days(0)).toBe(5);
    count('later', '2026-11-01', { g1: 100 });
    expect(await days(9)).toBe(5);
    expect(await days(10)).toBe(1);
  });
});
