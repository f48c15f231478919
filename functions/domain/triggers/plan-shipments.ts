import { type PlannedShipment, planChange } from './plan.ts';
import { knownPlans, writePlans } from './plan-store.ts';
import type { OwnedTrigger } from './trigger-due.ts';

/** Plans the triggers of shipments of one order: what they are, compared with what is planned. */
export async function planShipments(
  shipments: readonly PlannedShipment[],
  triggers: readonly OwnedTrigger[],
  now: Date,
): Promise<void> {
  const [first] = shipments;
  if (!first) return;
  // Of one shipment only its own plans are read: an order may have many.
  const only = shipments.length === 1 ? first.shipment.uuid : undefined;
  const plans = await knownPlans(first.slug, first.shipment.order_id, only);
  const known = Map.groupBy(plans, ({ shipment_id }) => shipment_id);
  for (const planned of shipments) {
    await writePlans(planChange(planned, triggers, known.get(planned.shipment.uuid) ?? [], now));
  }
}
