import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import type { EventSubject } from '#domain/deliveries/event-payload.ts';
import { logTimeOf, type StoredEvent } from '#domain/orders/outbox.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { type DueItem, dueItem } from '#platform/table/due-item.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { streamMark } from '#platform/table/stream-mark.ts';
import { automationLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { RunReason, RunStatus } from '#schemas/families/automations.ts';
import type { ConditionOutcome } from './conditions.ts';
import type { Action, AutomationRecord } from './model.ts';

export interface ActionResult {
  status: 'done' | 'failed' | 'would_do';
  reason?: string;
  /** The target and the id of the delivery that the action made. */
  delivery?: { target: string; id: string };
}

/** One execution of an automation for one subject of one event. */
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
  /**
   * The actions of the automation when the event arrived. When the run ends, the actions that the automation has then.
   */
  actions: Action[];
  /** By the name of the action: see `actionName` in model.ts. */
  results: Record<string, ActionResult>;
  finished_at: string | null;
  /** Unix seconds. */
  expires_at: number;
}

/** The message on the queue, always a reference. */
export interface RunMessage extends Caused {
  shop_slug: string;
  automation_id: string;
  run_id: string;
  /** The run was given up, and an operator sends it again. */
  given_up?: true;
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
 * The id is made from automation, event and subject, so a replay finds the run that exists. It begins with the time of
 * the event, so runs sort by time.
 */
export const runId = (event: StoredEvent, automationId: string, subject_id: string): string =>
  deliveryId({ event_id: event.id, triggered_at: logTimeOf(event), target: automationId, subject_id });

export function newRun(
  automation: AutomationRecord,
  event: StoredEvent,
  subject: EventSubject,
  start: RunStart,
): AutomationRun {
  const { triggered_at } = event;
  const due = Date.parse(triggered_at) + automation.delay_minutes * minute;
  return {
    id: runId(event, automation.uuid, subject.id),
    automation_id: automation.uuid,
    shop_slug: automation.shop_slug,
    subject,
    event: eventAbout(event, subject),
    due_at: new Date(due).toISOString(),
    status: start.status,
    reason: start.reason ?? null,
    conditions: start.conditions,
    actions: automation.actions,
    results: start.results ?? {},
    finished_at: isWaiting(start) ? null : triggered_at,
    // The clock of a simulation may be in the past, but its runs are kept as long as others.
    expires_at: Math.floor((event.simulation ? Math.max(due, Date.now()) : due) / 1000) + ttlSeconds,
  };
}

const isWaiting = ({ status }: { status: RunStatus }): boolean => status === 'scheduled' || status === 'pending';

export const messageOf = ({ shop_slug, automation_id, id, event }: AutomationRun): RunMessage => ({
  shop_slug,
  automation_id,
  run_id: id,
  ...causeOf(event),
});

/** The event without its outbox keys and without its other subjects, which have their own runs. */
function eventAbout(item: StoredEvent, { occurrence }: EventSubject): StoredEvent {
  const {
    pk: _pk,
    sk: _sk,
    kind: _kind,
    region: _region,
    expires_at: _expiry,
    ...event
  } = item as StoredEvent & OutboxKeys;
  return event.source === 'shipments' ? { ...event, shipments: [occurrence] } : event;
}

type OutboxKeys = Partial<Record<'pk' | 'sk' | 'kind' | 'region' | 'expires_at', unknown>>;

/** How runs look in the table. These functions build items, and run-store.ts writes them. */

/** A pending run has a `kind`, so the stream passes it to fan-out, which puts it on the queue. */
export const runItem = (run: AutomationRun) => ({
  ...keyOf.automationRun(run.shop_slug, run.automation_id, run.id),
  ...(run.status === 'pending' && streamMark('run')),
  ...madeBy(run),
  ...run,
});

const madeBy = ({ id, event }: AutomationRun) =>
  event.simulation === undefined ? {} : indexKeyOf.madeBySimulation(event.simulation.id, id);

export function toRun(item: Record<string, unknown>): AutomationRun {
  const { pk: _pk, sk: _sk, kind: _kind, region: _region, timeline_pk: _list, timeline_sk: _place, ...run } = item;
  return run as unknown as AutomationRun;
}

export type RunDueItem = DueItem & RunMessage;

/** The due item of a scheduled run. */
export const runDueItem = (run: AutomationRun) =>
  dueItem(keyOf.dueRun(run.shop_slug, run.automation_id, run.id), {
    kind: 'automation_run' as const,
    due_at: run.due_at,
    ...messageOf(run),
  });
