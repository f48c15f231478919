import { isDeepStrictEqual } from 'node:util';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { type DueItem, type DueItemResult, dueItem, markExpiry } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dueTime, type OwnedTrigger, type Watched, withLatestEvents } from './trigger-rules.ts';

/** Unix milliseconds by `triggerName`: a shop may have 160 triggers, so an entry is short. */
type TriggerTimes = Readonly<Record<string, number>>;

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
function neededMarks(fired: TriggerTimes, triggers: readonly OwnedTrigger[], now: Date): TriggerTimes {
  const existing = new Set(triggers.map(triggerName));
  const recently = now.getTime() - readTriggersMs;
  return Object.fromEntries(Object.entries(fired).filter(([name, at]) => existing.has(name) || at > recently));
}

export type PlannableShipment = Watched & Pick<Shipment, 'uuid' | 'order_id' | 'simulation_id'>;

/** A shipment after a change. */
export interface PlannedShipment {
  slug: string;
  shipment: PlannableShipment;
  /** 0 if it is a draft line of its order. */
  version: number;
  /** The shipment before the change. Absent if it did not exist. */
  before?: Watched | undefined;
}

/** Whether a change of a shipment can change a plan: a trigger matches it now, or matched it before. */
export function isConcerned(planned: PlannedShipment, triggers: readonly OwnedTrigger[]): boolean {
  if (isSameDraft(planned)) return false;
  const [shipment, before] = latestOf(planned);
  return triggers.some(
    ({ trigger }) => dueTime(trigger, shipment) !== undefined || (before && dueTime(trigger, before) !== undefined),
  );
}

const latestOf = ({ shipment, before }: PlannedShipment) =>
  [withLatestEvents<Watched>(shipment), before && withLatestEvents(before)] as const;

/** A change of an order's drafts shows all of them, also those that it did not change. */
const isSameDraft = ({ shipment, version, before }: PlannedShipment) =>
  version === 0 && before?.created_at === shipment.created_at;

/** The plan after a change of its shipment, so that each trigger fires at the right time. Undefined if it stays as it is. */
export function changedPlan(
  changed: PlannedShipment,
  triggers: readonly OwnedTrigger[],
  known: Plan,
  now: Date,
): Plan | undefined {
  const { version } = changed;
  const [shipment, before] = latestOf(changed);
  // An older version of the shipment does not change what a newer one planned. It only adds what nobody planned.
  const isNewest = version >= known.version;
  const planned: Record<string, number> = isNewest ? {} : { ...known.planned };
  for (const owned of triggers) {
    const name = triggerName(owned);
    const time = timeOf(owned, shipment);
    const existing = known.planned[name];
    if (time === undefined || name in known.fired || (!isNewest && existing !== undefined)) continue;
    const next = isNews(time, before && timeOf(owned, before), now) ? time : existing;
    if (next !== undefined) planned[name] = next;
  }
  if (isDeepStrictEqual(planned, known.planned)) return undefined;
  return { planned, fired: neededMarks(known.fired, triggers, now), version: Math.max(version, known.version) };
}

function timeOf({ trigger }: OwnedTrigger, shipment: Watched): number | undefined {
  const time = dueTime(trigger, shipment);
  return time === undefined ? undefined : Date.parse(time);
}

/**
 * A time in the past counts only if this change caused it. Otherwise a new trigger would fire for every old shipment
 * that changes.
 */
const isNews = (time: number, before: number | undefined, now: Date) => time > now.getTime() || time !== before;

/** The shipment itself, or the drafts of an order. */
export const plannableShipments = (holder: Order | Shipment): PlannableShipment[] =>
  'order_id' in holder ? [holder] : holder.drafts.map((draft) => draftShipment(holder, draft));

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
