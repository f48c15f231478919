import { expect, test } from 'vitest';
import { attentionKeys, hasEnded } from '#domain/orders/attention.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { aShipment, hoursAfter, noon } from '#test/kit/internal-triggers.ts';

const parcel = (...names: ShipmentEventName[]) =>
  aShipment(
    names.map((name, i) => [name, hoursAfter(noon, 24 * (i + 1))]),
    { tracking_number: 'T' },
  );

test('a remark neither ends a parcel nor revives it', () => {
  expect(hasEnded(parcel('SUCCESSFULLY_DELIVERED', 'MORE_INFO_ON_CARRIER_WEBSITE'))).toBe(true);
  expect(hasEnded(parcel('SHIPMENT_LOST', 'PATCHED'))).toBe(true);
  expect(hasEnded(parcel('SHIPMENT_EN_ROUTE', 'PATCHED'))).toBe(false);
});

test('a remark is no movement, and takes no parcel out of the list of those that need somebody', () => {
  for (const name of ['SHIPMENT_EN_ROUTE', 'SHIPMENT_DAMAGED', 'DELIVERY_ATTEMPTED', 'HELD_AT_CUSTOMS'] as const) {
    expect(attentionKeys('blue', parcel(name, 'SHIPMENT_UPDATED_ETA')), name).toEqual(
      attentionKeys('blue', parcel(name)),
    );
  }
  expect(attentionKeys('blue', parcel('SUCCESSFULLY_DELIVERED', 'CARRIER_UNKNOWN'))).toEqual({});
});
