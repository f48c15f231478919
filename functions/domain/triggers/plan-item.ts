import type { Shipment } from '#domain/orders/model.ts';
import { type DueItem, dueItem, markExpiry } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { OwnedTrigger } from './trigger-rules.ts';

/** Unix milliseconds by `triggerName`: a shop may have 160 triggers, so an entry is short. */
export type TriggerTimes = Readonly<Record<string, number>>;

/** All triggers of one shipment. A trigger is either planned or has fired. */
export interface Plan {
  planned: TriggerTimes;
  fired: TriggerTimes;
  /** The newest version of the shipment that it was planned for. 0 for a draft line of an order. */
  version: number;
}

export const triggerName = ({ third_party, trigger }: OwnedTrigger) => `${third_party}#${trigger.id}`;

/**
 * A plan in the table. Its place in the list of due items is its earliest time. When nothing is planned any more, it
 * leaves the list and stays as the mark of what has fired.
 */
export interface PlanItem extends Omit<DueItem, 'due_at'>, Plan {
  due_at?: string;
  order_id: string;
  shipment_id: string;
  /** Counts the writes. Each write has the condition that there was none since it read. */
  revision: number;
  expires_at?: number;
}

/** Undefined if the plan is empty. */
export function planItem(
  slug: string,
  { uuid, order_id }: Pick<Shipment, 'uuid' | 'order_id'>,
  { planned, fired, version }: Plan,
  revision: number,
): PlanItem | undefined {
  const key = keyOf.dueTriggers(slug, order_id, uuid);
  const ids = { kind: 'internal_trigger' as const, shop_slug: slug, order_id, shipment_id: uuid };
  const content = { ...ids, planned, fired, version, revision };
  const times = Object.values(planned);
  if (times.length > 0) return dueItem(key, { ...content, due_at: new Date(Math.min(...times)).toISOString() });
  const marks = Object.values(fired);
  return marks.length > 0 ? { ...key, ...content, expires_at: markExpiry(Math.max(...marks)) } : undefined;
}

export function planOf(item: PlanItem | undefined): Plan {
  const { planned = {}, fired = {}, version = 0 } = item ?? {};
  return { planned, fired, version };
}

/** It is still planned, but not in the list. An operator brings it back, or the next change of its shipment. */
export const isGivenUp = (item: PlanItem | undefined): item is PlanItem =>
  item !== undefined && item.due_at === undefined && Object.keys(item.planned).length > 0;

/** Longer than any function works with the triggers that it has read. */
const readTriggersMs = 5 * 60_000;

/**
 * The marks of triggers that exist. A deleted trigger never comes back, so its mark is not needed, and a shop that
 * makes and deletes triggers all day does not fill the item. A mark that was just made stays, because its trigger may
 * be newer than the triggers that were read.
 */
export function neededMarks(fired: TriggerTimes, triggers: readonly OwnedTrigger[], now: Date): TriggerTimes {
  const existing = new Set(triggers.map(triggerName));
  const recently = now.getTime() - readTriggersMs;
  return Object.fromEntries(Object.entries(fired).filter(([name, at]) => existing.has(name) || at > recently));
}
