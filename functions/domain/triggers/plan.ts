import type { Draft, Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { orderIdIn } from '#platform/table/keys.ts';
import { dueTime, type OwnedTrigger, type TriggerDueItem, triggerDueItem, type Watched } from './trigger-rules.ts';

export type PlannableShipment = Watched & Pick<Shipment, 'uuid' | 'order_id'>;

/** A shipment as a change left it. */
export interface PlannedShipment {
  slug: string;
  shipment: PlannableShipment;
  /** 0 where it is a draft line of its order. */
  version: number;
  /** As it was before; absent where it was not there. */
  before?: Watched | undefined;
}

/** An item that has fired keeps its key, but neither its time nor its place in the list. */
export type KnownPlan = Omit<TriggerDueItem, 'due_at'> & { due_at?: string; fired_at?: string };

export interface PlanChange {
  put: TriggerDueItem[];
  remove: TriggerDueItem[];
}

/** Whether a change of a shipment can change a plan: a trigger matches it, or matched what it was. */
export function isConcerned({ shipment, before }: PlannedShipment, triggers: readonly OwnedTrigger[]): boolean {
  return triggers.some(
    ({ trigger }) => dueTime(trigger, shipment) !== undefined || (before && dueTime(trigger, before) !== undefined),
  );
}

/** What is to change of the plans that are known of a shipment, so that each trigger fires when it should. */
export function planChange(
  planned: PlannedShipment,
  triggers: readonly OwnedTrigger[],
  known: readonly KnownPlan[],
  now: Date,
): PlanChange {
  const { slug, shipment, version, before } = planned;
  const wanted = new Map<string, { item: TriggerDueItem; isNews: boolean }>();
  for (const owned of triggers) {
    const time = dueTime(owned.trigger, shipment);
    if (time === undefined) continue;
    const item = triggerDueItem(slug, shipment, version, owned, time);
    wanted.set(item.sk, { item, isNews: isNews(time, before && dueTime(owned.trigger, before), now) });
  }
  const standing = new Map(known.map((plan) => [plan.sk, plan]));
  return {
    put: [...wanted.values()].flatMap(({ item, isNews }) =>
      isNews && isOpen(standing.get(item.sk), item) ? [item] : [],
    ),
    remove: known.filter(
      (plan): plan is TriggerDueItem => plan.due_at !== undefined && plan.version <= version && !wanted.has(plan.sk),
    ),
  };
}

/**
 * A time that has passed counts only where the change brought it about. Otherwise a trigger that a shop makes today
 * would fire for every old shipment that is touched.
 */
const isNews = (time: string, before: string | undefined, now: Date) => time > now.toISOString() || time !== before;

/** Nothing stands there yet, or another time, which no newer version of the shipment said. */
function isOpen(standing: KnownPlan | undefined, item: TriggerDueItem): boolean {
  if (!standing) return true;
  return standing.fired_at === undefined && standing.due_at !== item.due_at && standing.version <= item.version;
}

/** An item of a shipment, or the one that stands for the drafts of an order. */
export type PlannableItem = StoredItem & { drafts?: Draft[] };

export function plannableShipments(item: PlannableItem): PlannableShipment[] {
  if (!item.drafts) return [toShipment(item)];
  // The number plays no part in a plan.
  const order = { uuid: orderIdIn(item.pk), order_number: '' };
  return item.drafts.map((draft) => draftShipment(order, draft));
}

/** Draft lines have no version of their own: nothing of them changes until they become shipments. */
export const versionOf = ({ drafts, version }: PlannableItem) => (drafts ? 0 : version);
