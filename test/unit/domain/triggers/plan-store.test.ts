import { expect, test } from 'vitest';
import { planItem } from '#domain/triggers/plan.ts';
import { planShipments } from '#domain/triggers/plan-store.ts';
import type { DueItem } from '#platform/table/due-item.ts';
import { giveUpDue } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit } from '#platform/table/writes.ts';
import { aShipment, aTrigger, hoursAfter, noon, orderId } from '#test/kit/internal-triggers.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';

test('a plan that was given up keeps what it planned, and returns to the list with the next change of its shipment', async () => {
  const shipment = aShipment([['SHIPMENT_EN_ROUTE', noon]]);
  const times = { 'webhook#t1': Date.parse(hoursAfter(noon, 24)) };
  const item = planItem('blue', shipment, { planned: times, fired: {}, version: 2 }, 1)!;
  tableWith(item);
  const twoDaysLater = new Date(hoursAfter(noon, 48));
  await commit([giveUpDue(item as DueItem, 'TypeError', twoDaysLater)]);
  const key = keyOf.dueTriggers('blue', orderId, shipment.uuid);
  expect(memoryTable.read(key)).toMatchObject({ planned: times, given_up_at: twoDaysLater.toISOString() });

  // The trigger was due before this change, which did not cause it.
  const change = { slug: 'blue', shipment, version: 3, before: shipment };
  await planShipments([change], [{ third_party: 'webhook', trigger: aTrigger() }], twoDaysLater);
  expect(memoryTable.read(key)).toMatchObject({ planned: times, due_at: item.due_at, list_sk: item.due_at });
  expect(memoryTable.read(key)).not.toHaveProperty('given_up_at');
});
