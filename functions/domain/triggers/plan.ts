import { isDeepStrictEqual } from 'node:util';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { neededMarks, type Plan, triggerName } from './plan-item.ts';
import { dueTime, type OwnedTrigger, type Watched, withLatestEvents } from './trigger-rules.ts';

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
