import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import { type DueItem, dueItem } from '#domain/due/due-item.ts';
import type { EventSubject, StoredEvent } from '#domain/payload/event-payload.ts';
import { keyOf } from '#platform/table/keys.ts';
import { automationLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { ItemKind } from '#schemas/catalogues/stream-kinds.ts';
import type { RunReason, RunStatus } from '#schemas/families/automations.ts';
import type { ConditionOutcome } from './conditions.ts';
import type { Action, AutomationRecord } from './model.ts';

/** What became of one action. */
export interface ActionResult {
  status: 'done' | 'failed' | 'would_do';
  reason?: string;
  /** Where it is delivered, and as what. */
  delivery?: { target: string; id: string };
}

/** An automation at work for one subject of one event. */
export interface AutomationRun {
  id: string;
  automation_id: string;
  shop_slug: string;
  subject: EventSubject;
  event: StoredEvent;
  due_at: string;
  status: RunStatus;
  reason: RunReason | null;
  conditions: ConditionOutcome[];
  /** Those of the automation when the event came, and then those it had when the run ended. */
  actions: Action[];
  /** By the name of the action: see action-name.ts. */
  results: Record<string, ActionResult>;
  finished_at: string | null;
  /** Unix seconds. */
  expires_at: number;
}

/** What stands on the queue: always a reference. */
export interface RunMessage {
  shop_slug: string;
  automation_id: string;
  run_id: string;
}

export interface RunStart {
  status: RunStatus;
  reason?: RunReason;
  conditions: ConditionOutcome[];
  results?: Record<string, ActionResult>;
}

const ttlSeconds = secondsOfDays(automationLimits.runDays);
const minute = 60_000;

/**
 * The id follows from automation, event and subject, so that a replay finds the run it made before; it begins with the
 * time of the event, so that runs sort by it.
 */
export function newRun(
  automation: AutomationRecord,
  event: StoredEvent,
  subject: EventSubject,
  start: RunStart,
): AutomationRun {
  const { id: event_id, triggered_at } = event;
  const due = Date.parse(triggered_at) + automation.delay_minutes * minute;
  return {
    id: deliveryId({ event_id, triggered_at, target: automation.uuid, subject_id: subject.id }),
    automation_id: automation.uuid,
    shop_slug: automation.shop_slug,
    subject,
    event: aboutOnly(event, subject),
    due_at: new Date(due).toISOString(),
    status: start.status,
    reason: start.reason ?? null,
    conditions: start.conditions,
    actions: automation.actions,
    results: start.results ?? {},
    finished_at: isWaiting(start) ? null : triggered_at,
    expires_at: Math.floor(due / 1000) + ttlSeconds,
  };
}

export const isWaiting = ({ status }: { status: RunStatus }): boolean => status === 'scheduled' || status === 'pending';

export const messageOf = ({ shop_slug, automation_id, id }: AutomationRun): RunMessage => ({
  shop_slug,
  automation_id,
  run_id: id,
});

/** Without its place in the outbox, and without its other subjects: those have runs of their own. */
function aboutOnly(item: StoredEvent, { occurrence }: EventSubject): StoredEvent {
  const { pk: _pk, sk: _sk, kind: _kind, expires_at: _expiry, ...event } = item as StoredEvent & Place;
  return event.source === 'shipments' ? { ...event, shipments: [occurrence] } : event;
}

type Place = Partial<Record<'pk' | 'sk' | 'kind' | 'expires_at', unknown>>;

/** How runs look in the table. Building an item is pure; sending it is the store's. */

/** One that is to act at once carries the word that it is to be queued: the stream hands it to fan-out. */
export const runItem = (run: AutomationRun) => ({
  ...keyOf.automationRun(run.shop_slug, run.automation_id, run.id),
  ...(run.status === 'pending' && { kind: 'run' satisfies ItemKind }),
  ...run,
});

export function toRun(item: Record<string, unknown>): AutomationRun {
  const { pk: _pk, sk: _sk, kind: _kind, ...run } = item;
  return run as unknown as AutomationRun;
}

export type RunDueItem = DueItem & RunMessage;

/** When a run that is scheduled is to act. */
export const runDueItem = (run: AutomationRun) =>
  dueItem(keyOf.due(run.shop_slug, run.automation_id, `RUN#${run.id}`), {
    kind: 'automation_run' as const,
    due_at: run.due_at,
    ...messageOf(run),
  });
