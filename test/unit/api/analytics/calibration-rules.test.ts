import { describe, expect, test } from 'vitest';
import { arrivalCalibration } from '#api/analytics/calibration-rules.ts';
import { cohort, deliveredAfter } from '#test/kit/cohort.ts';

const ours = { shown: 40, held: 37, shownDays: 110 };
const carriers = { promised: 35, kept: 29, carrierWindows: 30, carrierHeld: 21, carrierHours: 615 };

describe('the calibration of arrivals', () => {
  test('has a row for us and one for the carrier, with every figure', () => {
    const counted = { shipped: 90, delivered: deliveredAfter([24, 50], [48, 30]), endedOtherwise: 2 };
    expect(arrivalCalibration([cohort({ ...counted, ...ours, ...carriers })])).toEqual([
      {
        week: '2026-W41',
        source: 'prediction',
        carrier_reference: 'dhl',
        level: 0.9,
        n: 40,
        covered: 0.925,
        mean_width_hours: 66,
        under_way: 8,
      },
      {
        week: '2026-W41',
        source: 'carrier',
        carrier_reference: 'dhl',
        level: null,
        n: 30,
        covered: 0.7,
        mean_width_hours: 20.5,
        under_way: 8,
      },
    ]);
  });

  test('adds up the days of a week and the countries of a carrier', () => {
    const rows = arrivalCalibration([
      cohort({ day: '2026-10-05', shipped: 5, shown: 2, held: 2, shownDays: 4 }),
      cohort({ day: '2026-10-11', country: 'AT', shipped: 3, shown: 1, held: 0, shownDays: 3 }),
      cohort({ day: '2026-10-12', shipped: 1, shown: 1, held: 1, shownDays: 1 }),
    ]);
    expect(rows).toMatchObject([
      { week: '2026-W41', n: 3, covered: 0.6667, mean_width_hours: 56, under_way: 8 },
      { week: '2026-W42', n: 1, covered: 1, mean_width_hours: 24, under_way: 1 },
    ]);
  });

  test('comes with the oldest week first, then by carrier, the unknown one last, and of each ours first', () => {
    const both = { ...ours, ...carriers };
    const rows = arrivalCalibration([
      cohort({ day: '2027-01-04', carrier: 'dhl', ...carriers }),
      cohort({ day: '2027-01-01', carrier: '-', ...both }),
      cohort({ day: '2027-01-01', carrier: 'ups', ...ours }),
      cohort({ day: '2027-01-01', carrier: 'gls', ...both }),
    ]);
    expect(rows.map(({ week, carrier_reference, source }) => [week, carrier_reference, source])).toEqual([
      ['2026-W53', 'gls', 'prediction'],
      ['2026-W53', 'gls', 'carrier'],
      ['2026-W53', 'ups', 'prediction'],
      ['2026-W53', null, 'prediction'],
      ['2026-W53', null, 'carrier'],
      ['2027-W01', 'dhl', 'carrier'],
    ]);
  });

  test('leaves out who said nothing of a delivered parcel', () => {
    expect(arrivalCalibration([])).toEqual([]);
    expect(arrivalCalibration([cohort({ shipped: 9, delivered: deliveredAfter([24, 4]) })])).toEqual([]);
    // The release before counted promises, and not whether their windows held.
    expect(arrivalCalibration([cohort({ promised: 9, kept: 8 })])).toEqual([]);
    // What is known of windows without one is nobody's.
    expect(arrivalCalibration([cohort({ held: 3, shownDays: 9, carrierHeld: 1, carrierHours: 5 })])).toEqual([]);
  });

  test('is never below zero nor above one, also if counters are', () => {
    const rows = arrivalCalibration([
      cohort({
        shown: 4,
        held: 6,
        shownDays: -2,
        endedOtherwise: 3,
        carrierWindows: 2,
        carrierHeld: -1,
        carrierHours: -7,
      }),
      cohort({ day: '2026-10-12', shown: -3, held: -1, shownDays: -5, carrierWindows: -1 }),
    ]);
    expect(rows).toMatchObject([
      { week: '2026-W41', source: 'prediction', n: 4, covered: 1, mean_width_hours: 0, under_way: 0 },
      { week: '2026-W41', source: 'carrier', n: 2, covered: 0, mean_width_hours: 0, under_way: 0 },
    ]);
  });

  test('counts a negative cohort against the others of its week', () => {
    const rows = arrivalCalibration([
      cohort({ shown: 5, held: 4, shownDays: 10 }),
      cohort({ country: 'AT', shown: -1, held: -1, shownDays: -2 }),
    ]);
    expect(rows).toMatchObject([{ n: 4, covered: 0.75, mean_width_hours: 48 }]);
  });
});
