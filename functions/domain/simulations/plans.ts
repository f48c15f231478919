import { type Shipment, slotOf } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import type { Loaded } from '#domain/orders/order-store.ts';
import type { Plan } from '#domain/triggers/plan.ts';
import { changedPlan } from '#domain/triggers/plan.ts';
import type { OwnedTrigger } from '#domain/triggers/trigger-rules.ts';
import type { Simulation } from './simulation.ts';

/** The internal triggers of a simulated order wait in its simulation, by the same rules as those of any order. */

const nothingPlanned: Plan = { planned: {}, fired: {}, version: 0 };

export const planOfSlot = ({ plans }: Pick<Simulation, 'plans'>, slot: string): Plan => plans[slot] ?? nothingPlanned;

/** The plans after a change of one shipment. @param before absent if the shipment is new */
export function withChange(
  simulation: Simulation,
  shipment: Shipment,
  before: Shipment | undefined,
  triggers: readonly OwnedTrigger[],
  at: string,
): Simulation['plans'] {
  const slot = String(slotOf(shipment.uuid));
  const known = planOfSlot(simulation, slot);
  // Only the simulation changes its plans, one change after the other, so the newest state is the last.
  const changed = { slug: simulation.shop_slug, shipment, version: known.version, before };
  const next = changedPlan(changed, triggers, known, new Date(at));
  return next ? { ...simulation.plans, [slot]: next } : simulation.plans;
}

/** Plans what the shop has changed since the clock was last moved. A trigger whose time has passed does not fire. */
export const withShopsChanges = (
  simulation: Simulation,
  loaded: Loaded,
  triggers: readonly OwnedTrigger[],
): Simulation => ({
  ...simulation,
  plans: allShipments(loaded).reduce(
    (plans, shipment) => withChange({ ...simulation, plans }, shipment, shipment, triggers, simulation.clock),
    simulation.plans,
  ),
});
