import type { DueItemResult } from '#platform/table/due-item.ts';
import { neededMarks, type Plan, triggerName } from './plan-item.ts';
import { dueTime, type OwnedTrigger, type Watched } from './trigger-rules.ts';

/** What happens to a plan whose time has come. */
export interface SettledPlan {
  /** The plan afterwards. Triggers that are due and are not in `fire` are still planned in it. */
  plan: Plan;
  fire: OwnedTrigger[];
  /** One for each trigger that was settled. */
  results: DueItemResult[];
}

/**
 * Decides about each trigger that is due by now, because the shipment or the trigger may have changed since it was
 * planned. `shipment` is undefined if it no longer exists: then nothing of the plan is needed.
 */
export function settlePlan(
  plan: Plan,
  triggers: readonly OwnedTrigger[],
  shipment: Watched | undefined,
  now: Date,
  maxFired: number,
): SettledPlan {
  const byName = new Map(triggers.map((owned) => [triggerName(owned), owned]));
  const planned = { ...plan.planned };
  const fired = { ...neededMarks(plan.fired, triggers, now) };
  const fire: OwnedTrigger[] = [];
  const results: DueItemResult[] = [];
  for (const [name, time] of Object.entries(plan.planned)) {
    if (shipment && time > now.getTime()) continue;
    const owned = byName.get(name);
    const current = owned && shipment && dueTime(owned.trigger, shipment);
    const result = resultAt(current, now);
    if (result === 'done' && fire.length === maxFired) continue;
    results.push(result);
    delete planned[name];
    if (result === 'moved') planned[name] = Date.parse(current!);
    if (result === 'done') {
      fired[name] = now.getTime();
      fire.push(owned!);
    }
  }
  return { plan: { ...plan, planned, fired }, fire, results };
}

function resultAt(time: string | undefined, now: Date): DueItemResult {
  if (time === undefined) return 'dropped';
  return time > now.toISOString() ? 'moved' : 'done';
}
