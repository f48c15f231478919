import type { Draft, Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { orderIdIn } from '#platform/table/keys.ts';
import { dueTime, type OwnedTrigger, type TriggerDueItem, triggerDueItem, type Watched } from './trigger-rules.ts';

export type PlannableShipment = Watched & Pick<Shipment, 'uuid' | 'order_id'>;

/** A shipment after a change. */
export interface PlannedShipment {
  slug: string;
  shipment: PlannableShipment;
  /** 0 if it is a draft line of its order. */
  version: number;
  /** The shipment before the change. Absent if it did not exist. */
  before?: Watched | undefined;
}

/** A plan that has fired keeps its key, but has no time and is not in the list. */
export type KnownPlan = Omit<TriggerDueItem, 'due_at'> & { due_at?: string; fired_at?: string };

export interface PlanChange {
  put: TriggerDueItem[];
  remove: TriggerDueItem[];
}

/** Whether a change of a shipment can change a plan: a trigger matches it now, or matched it before. */
export function isConcerned({ shipment, before }: PlannedShipment, triggers: readonly OwnedTrigger[]): boolean {
  return triggers.some(
    ({ trigger }) => dueTime(trigger, shipment) !== undefined || (before && dueTime(trigger, before) !== undefined),
  );
}

/** The changes to the known plans of a shipment, so that each trigger fires at the right time. */
export function planChange(
  planned: PlannedShipment,
  triggers: readonly OwnedTrigger[],
  known: readonly KnownPlan[],
  now: Date,
): PlanChange {
  const { slug, shipment, version, before } = planned;
  const plans = new Map<string, { item: TriggerDueItem; isNews: boolean }>();
  for (const owned of triggers) {
    const time = dueTime(owned.trigger, shipment);
    if (time === undefined) continue;
    const item = triggerDueItem(slug, shipment, version, owned, time);
    plans.set(item.sk, { item, isNews: isNews(time, before && dueTime(owned.trigger, before), now) });
  }
  const existing = new Map(known.map((plan) => [plan.sk, plan]));
  return {
    put: [...plans.values()].flatMap(({ item, isNews }) =>
      isNews && canWrite(existing.get(item.sk), item) ? [item] : [],
    ),
    remove: known.filter(
      (plan): plan is TriggerDueItem => plan.due_at !== undefined && plan.version <= version && !plans.has(plan.sk),
    ),
  };
}

/**
 * A time in the past counts only if this change caused it. Otherwise a new trigger would fire for every old shipment
 * that changes.
 */
const isNews = (time: string, before: string | undefined, now: Date) => time > now.toISOString() || time !== before;

/**
 * Whether the plan can be written: there is none yet, or it has another time and no newer version of the shipment made
 * it.
 */
function canWrite(existing: KnownPlan | undefined, item: TriggerDueItem): boolean {
  if (!existing) return true;
  return existing.fired_at === undefined && existing.due_at !== item.due_at && existing.version <= item.version;
}

/** The item of a shipment, or the item for all drafts of an order. */
export type PlannableItem = StoredItem & { drafts?: Draft[] };

export function plannableShipments(item: PlannableItem): PlannableShipment[] {
  if (!item.drafts) return [toShipment(item)];
  // Plans do not depend on the order number.
  const order = { uuid: orderIdIn(item.pk), order_number: '' };
  return item.drafts.map((draft) => draftShipment(order, draft));
}

/** Draft lines have no version, because they do not change until they become shipments. */
export const versionOf = ({ drafts, version }: PlannableItem) => (drafts ? 0 : version);
