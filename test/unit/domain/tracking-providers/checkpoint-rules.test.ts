import { describe, expect, test } from 'vitest';
import { eventsOf } from '#domain/tracking-providers/checkpoint-rules.ts';
import type { Checkpoint, CodeTable, ProviderReport } from '#domain/tracking-providers/provider.ts';

const table: CodeTable = {
  moving: { event: 'SHIPMENT_EN_ROUTE' },
  moving_customs: { event: 'CUSTOMS_PROCESSING' },
  arrived: { event: 'SUCCESSFULLY_DELIVERED' },
  waiting: { none: 'The provider waits for the carrier.' },
};

const reportOf = (...checkpoints: Checkpoint[]): ProviderReport => ({
  tracking_number: '00340434161094042557',
  carrier: 'dhl-germany',
  carrier_reference: 'dhl',
  checkpoints,
});

const at = (time: string, ...codes: string[]): Checkpoint => ({ codes, text: `the carrier says ${codes[0]}`, time });

const namesOf = (report: ProviderReport) => eventsOf(report, table).events.map(({ event_name }) => event_name);

describe('the code of a checkpoint', () => {
  test('is the most specific one that the table knows', () => {
    expect(namesOf(reportOf(at('2026-03-01T10:00:00Z', 'moving_customs', 'moving')))).toEqual(['CUSTOMS_PROCESSING']);
    expect(namesOf(reportOf(at('2026-03-01T10:00:00Z', 'moving_99', 'moving')))).toEqual(['SHIPMENT_EN_ROUTE']);
  });

  test('records and counts nothing if it means none', () => {
    expect(eventsOf(reportOf(at('2026-03-01T10:00:00Z', 'waiting')), table)).toEqual({ events: [], unmapped: [] });
  });

  test('is unmapped and records nothing if the table lacks all of them', () => {
    const report = reportOf(at('2026-03-01T10:00:00Z', 'teleported_1', 'teleported'));
    const unmapped = [{ code: 'teleported_1', text: 'the carrier says teleported_1' }];
    expect(eventsOf(report, table)).toEqual({ events: [], unmapped });
  });

  test('is unmapped if it is the name of something that every object has', () => {
    expect(eventsOf(reportOf(at('2026-03-01T10:00:00Z', 'constructor', '__proto__')), table).events).toEqual([]);
  });
});

describe('the events of a report', () => {
  const history = [
    at('2026-03-01T10:00:00Z', 'moving'),
    at('2026-03-02T10:00:00+01:00', 'moving_customs'),
    at('2026-03-02T09:30:00Z', 'arrived'),
  ];

  test('are in the order of their times, whatever the offset', () => {
    const expected = ['SHIPMENT_EN_ROUTE', 'CUSTOMS_PROCESSING', 'SUCCESSFULLY_DELIVERED'];
    expect(namesOf(reportOf(...history))).toEqual(expected);
    expect(namesOf(reportOf(...history.toReversed()))).toEqual(expected);
  });

  test('are each there once', () => {
    const again = { ...history[0]!, time: '2026-03-01T11:00:00+01:00' };
    expect(namesOf(reportOf(...history, ...history, again))).toHaveLength(3);
  });

  test('keep the repetition that says more, in either order', () => {
    const withPlace = { ...history[0]!, location: { city: 'Bonn', zip_code: '53113' } };
    for (const checkpoints of [
      [history[0]!, withPlace],
      [withPlace, history[0]!],
    ]) {
      expect(eventsOf(reportOf(...checkpoints), table).events).toEqual([
        expect.objectContaining({ location: { city: 'Bonn', postal_code: '53113' } }),
      ]);
    }
  });

  test('carry the expected delivery on the newest of them alone', () => {
    const report = { ...reportOf(...history.toReversed()), expected_delivery: { end: '2026-03-03T17:00:00Z' } };
    const forecasts = eventsOf(report, table).events.map(({ expected_delivery }) => expected_delivery);
    expect(forecasts).toEqual([undefined, undefined, { end: '2026-03-03T17:00:00Z' }]);
  });

  test('carry with the expected delivery when the report was made', () => {
    const times = { expected_delivery: { end: '2026-03-03T17:00:00Z' }, reported_at: '2026-03-03T09:00:00.000Z' };
    const newest = eventsOf({ ...reportOf(...history), ...times }, table).events.at(-1)!;
    expect(newest.expected_delivery).toEqual({ end: '2026-03-03T17:00:00Z', updated_at: '2026-03-03T09:00:00.000Z' });
  });
});
