import type { Shipment } from '#shared/orders/model.ts';
import { type OwnedTrigger, type TriggerDueItem, triggerDueItem } from './trigger-due.ts';
import { dueTime } from './trigger-rules.ts';

/** A shipment as a change left it. */
export interface PlannedShipment {
  slug: string;
  shipment: Pick<Shipment, 'uuid' | 'order_id' | 'direction' | 'events' | 'created_at'>;
  version: number;
}

/** An item that has fired keeps its key, but neither its time nor its place in the list. */
export type KnownPlan = Omit<TriggerDueItem, 'due_at'> & { due_at?: string; fired_at?: string };

export interface PlanChange {
  put: TriggerDueItem[];
  remove: TriggerDueItem[];
}

/** What is to change of the plans that are known of a shipment, so that each trigger fires when it should. */
export function planChange(
  planned: PlannedShipment,
  triggers: readonly OwnedTrigger[],
  known: readonly KnownPlan[],
): PlanChange {
  const { slug, shipment, version } = planned;
  const wanted = new Map<string, TriggerDueItem>();
  for (const owned of triggers) {
    const time = dueTime(owned.trigger, shipment);
    if (time === undefined) continue;
    const item = triggerDueItem(slug, shipment, version, owned, time);
    wanted.set(item.sk, item);
  }
  const standing = new Map(known.map((plan) => [plan.sk, plan]));
  return {
    put: [...wanted.values()].filter((item) => isOpen(standing.get(item.sk), item)),
    remove: known.filter(
      (plan): plan is TriggerDueItem => plan.due_at !== undefined && plan.version <= version && !wanted.has(plan.sk),
    ),
  };
}

/** Nothing stands there yet, or another time, which no newer version of the shipment said. */
function isOpen(standing: KnownPlan | undefined, item: TriggerDueItem): boolean {
  if (!standing) return true;
  return standing.fired_at === undefined && standing.due_at !== item.due_at && standing.version <= item.version;
}
