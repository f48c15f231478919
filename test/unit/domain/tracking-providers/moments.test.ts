import { describe, expect, test } from 'vitest';
import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';

describe('a time that a provider writes', () => {
  test.each([
    ['2026-03-01T10:00:00Z', undefined, '2026-03-01T10:00:00.000Z', undefined],
    ['2026-03-01T10:00:00.125Z', undefined, '2026-03-01T10:00:00.125Z', undefined],
    ['2026-03-01T10:00:00.1234567Z', undefined, '2026-03-01T10:00:00.123Z', undefined],
    ['2026-03-01T10:00:00+02:00', undefined, '2026-03-01T08:00:00.000Z', '+02:00'],
    ['2026-03-01T10:00:00-0330', undefined, '2026-03-01T13:30:00.000Z', '-03:30'],
    ['2026-03-01T10:00:00+00:00', undefined, '2026-03-01T10:00:00.000Z', undefined],
    ['2026-03-01 10:00', undefined, '2026-03-01T10:00:00.000Z', undefined],
    ['2026-03-01', undefined, '2026-03-01T00:00:00.000Z', undefined],
    ['2026-03-01T10:00:00', '+08:00', '2026-03-01T02:00:00.000Z', '+08:00'],
    ['2026-03-01T10:00:00', '+0800', '2026-03-01T02:00:00.000Z', '+08:00'],
    ['2026-03-01T10:00:00', 'Europe/Vienna', '2026-03-01T09:00:00.000Z', 'Europe/Vienna'],
    ['2026-07-01T10:00:00', 'Europe/Vienna', '2026-07-01T08:00:00.000Z', 'Europe/Vienna'],
    ['2026-03-29T03:30:00', 'Europe/Vienna', '2026-03-29T01:30:00.000Z', 'Europe/Vienna'],
    ['2026-03-01T10:00:00Z', 'America/New_York', '2026-03-01T10:00:00.000Z', 'America/New_York'],
    ['2026-03-01T10:00:00', 'Middle/Earth', '2026-03-01T10:00:00.000Z', undefined],
    ['2026-03-01T10:00:00+99:00', undefined, '2026-03-01T10:00:00.000Z', undefined],
  ])('%s in the zone %s is %s', (written, zone, time, timezone) => {
    expect(momentOf(written, zone)).toEqual({ time, ...(timezone && { timezone }) });
  });

  test.each(['', 'yesterday', '2026-02-30T10:00:00Z', '2026-03-01T25:00:00Z', '0026-03-01', 1772528420, null, {}])(
    'is none if it is %j',
    (written) => {
      expect(momentOf(written)).toBeUndefined();
    },
  );
});

describe('the expected delivery', () => {
  test('keeps the offset of its recipient', () => {
    expect(expectedBetween('2026-03-04T09:00:00+01:00', '2026-03-04T12:00:00+01:00')).toEqual({
      start: '2026-03-04T09:00:00+01:00',
      end: '2026-03-04T12:00:00+01:00',
    });
  });

  test('on a day begins with the day and ends with it', () => {
    expect(expectedBetween('2026-03-04', null)).toEqual({ start: '2026-03-04T00:00:00Z', end: '2026-03-04T23:59:59Z' });
  });

  test('is none if neither of its ends is a time', () => {
    expect(expectedBetween('soon', undefined)).toBeUndefined();
  });
});
