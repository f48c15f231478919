import { expect, test } from 'vitest';
import type { ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import { simulationLimits } from '#schemas/catalogues/limits.ts';
import { phaseOf, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { advanceSimulation, holdsSimulations, outgoing, startSimulation } from '#test/kit/simulations.ts';

test.each([
  ['towards the customer', false],
  ['back to the shop', true],
])('every event of the catalogue happens to a parcel %s, in its own phase', async (_way, is_return) => {
  holdsSimulations();
  const steps = shipmentEventNames.map((event_name, i) => ({ event_name, after_minutes: i + 1, is_return }));
  const { uuid } = await startSimulation({ steps });
  const { happened, status } = await advanceSimulation(uuid, { steps: simulationLimits.steps });
  expect(status).toBe('ended');
  expect(happened.length).toBeGreaterThanOrEqual(shipmentEventNames.length);
  const direction = is_return ? 'customer_merchant' : 'merchant_customer';
  const refs = new Set((outgoing() as ShipmentOutboxEvent[]).map(({ ref }) => ref));
  for (const name of shipmentEventNames) expect(refs).toContain(`shipments/${phaseOf(name, direction)}/${name}`);
  expect(shipmentEventNames).toHaveLength(159);
});
