import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryId, firstIdAt, lastIdAt } from '#domain/deliveries/delivery-items.ts';

const origin = {
  event_id: '6f1c1d0e-5d5b-5b43-9a6c-0f1f4a9e7c11',
  triggered_at: '2026-11-14T12:00:00.000Z',
  target: 'integration_1',
  subject_id: '01930000-0000-7000-8000-000000000001',
};

const origins = fc.record({
  event_id: fc.uuid(),
  triggered_at: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  target: fc.oneof(fc.uuid(), fc.constantFrom('integration_1', 'integration_2')),
  subject_id: fc.uuid(),
});

describe('the id of a delivery', () => {
  test('is a UUID of version 8', () => {
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(fc.property(origins, (some) => shape.test(deliveryId(some))));
  });

  test('is the same for the same event, subject and target', () => {
    expect(deliveryId({ ...origin })).toBe(deliveryId(origin));
    expect(deliveryId(origin)).toBe('01a1d9ed-c200-8756-851f-7de40430c0b4');
  });

  test.each(['event_id', 'target', 'subject_id', 'extra_group'] as const)('differs for another %s', (field) => {
    expect(deliveryId({ ...origin, [field]: 'other' })).not.toBe(deliveryId(origin));
  });

  test('differs for texts that are the same when joined', () => {
    const apart = { ...origin, event_id: 'ab', subject_id: 'c' };
    expect(deliveryId(apart)).not.toBe(deliveryId({ ...apart, event_id: 'a', subject_id: 'bc' }));
  });

  test('sorts by the time of the event', () => {
    fc.assert(
      fc.property(origins, origins, (a, b) => {
        if (a.triggered_at === b.triggered_at) return true;
        return a.triggered_at < b.triggered_at === deliveryId(a) < deliveryId(b);
      }),
    );
  });

  test('lies between the bounds of its time and outside the bounds of the next time', () => {
    fc.assert(
      fc.property(origins, (some) => {
        const moment = new Date(some.triggered_at);
        const next = new Date(moment.getTime() + 1);
        const id = deliveryId(some);
        return firstIdAt(moment) <= id && id <= lastIdAt(moment) && id < firstIdAt(next);
      }),
    );
  });
});
