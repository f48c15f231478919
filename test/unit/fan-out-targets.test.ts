import { describe, expect, test } from 'vitest';
import { targetsOf } from '#functions/fan-out/target-rules.ts';
import type { ShipmentOutboxEvent } from '#shared/orders/outbox.ts';
import { type HappeningOptions, happening } from './kit/outbox-records.ts';

const hoursBefore = (hours: number) =>
  new Date(Date.parse('2026-11-14T12:00:00.000Z') - hours * 3_600_000).toISOString();

function targets(options: HappeningOptions, audience: Partial<Parameters<typeof targetsOf>[2]>, more = {}) {
  const event: ShipmentOutboxEvent = { ...happening('blue', 'A1', options).event, ...more };
  return targetsOf(event, event.shipments[0]!, { endpoints: [], integrations: [], ...audience }).map(({ id }) => id);
}

const endpoint = (uuid: string, ...enabled_events: string[]) => ({ uuid, enabled_events });

describe('an event goes to', () => {
  test('the endpoints that listen to it', () => {
    const endpoints = [
      endpoint('all', '*'),
      endpoint('source', 'shipments'),
      endpoint('phase', 'shipments/in_transit'),
      endpoint('event', 'claims', 'shipments/in_transit/SHIPMENT_EN_ROUTE'),
      endpoint('claims', 'claims'),
      endpoint('otherPhase', 'shipments/delivered'),
      endpoint('nothing'),
    ];
    expect(targets({}, { endpoints })).toEqual(['all', 'source', 'phase', 'event']);
  });

  test('the integrations of the shop', () => {
    expect(targets({}, { integrations: ['integration_1', 'integration_4'] })).toEqual([
      'integration_1',
      'integration_4',
    ]);
  });

  test('endpoints only, where it has no group: it notifies nobody', () => {
    const audience = { endpoints: [endpoint('all', '*')], integrations: ['integration_1' as const] };
    expect(targets({ name: 'CARRIER_UNKNOWN' }, audience)).toEqual(['all']);
  });

  test.each([
    [3.9, ['all', 'integration_1', 'integration_7']],
    [4, ['all', 'integration_7']],
    [47.9, ['all', 'integration_7']],
    [48, ['all']],
  ])('those to whom it is still news, %d hours after it happened', (hours, reached) => {
    const integrations = ['integration_1' as const, 'integration_7' as const];
    const audience = { endpoints: [endpoint('all', '*')], integrations };
    expect(targets({ time: hoursBefore(hours) }, audience)).toEqual(reached);
  });
});
