import { describe, expect, test } from 'vitest';
import { eventsOf } from '#domain/tracking-providers/checkpoint-rules.ts';
import { ship24 } from '#domain/tracking-providers/ship24.ts';

const event = (statusMilestone: string | null, occurrenceDatetime: string, statusCode: string | null = null) => ({
  statusMilestone,
  occurrenceDatetime,
  statusCode,
  status: 'Text',
});

function read(events: object[], timestamps: object | null = {}) {
  const tracking = { tracker: { trackingNumber: '1Z999AA1' }, events, statistics: { timestamps } };
  const [report] = ship24.reportsIn({ trackings: [tracking] });
  const { events: found, unmapped } = eventsOf(report!, ship24.codes);
  return { events: found.map(({ event_name, event_time }) => `${event_time} ${event_name}`), unmapped };
}

describe('an event of Ship24 without a code', () => {
  test('is listed if its milestone is unknown', () => {
    const unmapped = [{ code: 'expired', text: 'Text' }];
    expect(read([event('expired', '2026-03-04T10:00:00Z')])).toEqual({ events: [], unmapped });
  });

  test('is listed if it has no milestone either', () => {
    expect(read([event(null, '2026-03-04T10:00:00Z')]).unmapped).toEqual([{ code: 'no code', text: 'Text' }]);
  });

  test.each([{}, null, { deliveredDatetime: null }, { deliveredDatetime: 'soon' }])(
    'is a delivery if the time of the milestone is absent: %j',
    (timestamps) => {
      const { events } = read([event('delivered', '2026-03-04T10:00:00Z')], timestamps);
      expect(events).toEqual(['2026-03-04T10:00:00.000Z SUCCESSFULLY_DELIVERED']);
    },
  );

  test('is a delivery if the time of the milestone is the same, however it is written', () => {
    const timestamps = { deliveredDatetime: '2026-03-04T11:00:00+01:00' };
    expect(read([event('delivered', '2026-03-04T10:00:00.000Z')], timestamps).events).toHaveLength(1);
  });

  test('is a failed attempt also if another one followed', () => {
    const attempts = ['2026-03-04T10:00:00Z', '2026-03-05T10:00:00Z'].map((time) => event('failed_attempt', time));
    expect(read(attempts, { failedAttemptDatetime: '2026-03-05T10:00:00Z' }).events).toEqual([
      '2026-03-04T10:00:00.000Z DELIVERY_ATTEMPTED',
      '2026-03-05T10:00:00.000Z DELIVERY_ATTEMPTED',
    ]);
  });

  test('is a remark if the milestone was reached before', () => {
    const timestamps = { deliveredDatetime: '2026-03-04T10:00:00Z' };
    expect(read([event('delivered', '2026-03-04T12:00:00Z')], timestamps)).toEqual({ events: [], unmapped: [] });
  });
});
