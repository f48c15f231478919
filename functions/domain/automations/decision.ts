import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import type { EventSubject, StoredEvent } from '#domain/payload/event-payload.ts';
import { customerGroups } from '#schemas/catalogues/shipment-events.ts';
import type { RunReason } from '#schemas/families/automations.ts';
import { areMet, outcomesOf } from './conditions.ts';
import { type AutomationRecord, actionName, chainFault, chainOf, type Trigger } from './model.ts';
import type { ActionResult, AutomationRun, RunStart } from './run.ts';

const hour = 3_600_000;

/** Whether an event sets an automation off at all; inactive ones sleep. */
export const isTriggered = ({ status, trigger }: AutomationRecord, event: StoredEvent): boolean =>
  status !== 'inactive' && matchesTrigger(trigger, event);

/**
 * How a run begins when its event comes; undefined where there is none. Conditions that do not hold leave no trace,
 * unless the automation is being tested: then it is what its merchant wants to see.
 */
export function runStartOf(
  automation: AutomationRecord,
  event: StoredEvent,
  subject: EventSubject,
  payload: object,
): RunStart | undefined {
  const conditions = outcomesOf(automation.conditions, payload);
  const skipped = (reason: RunReason): RunStart => ({ status: 'skipped', reason, conditions });
  const isTest = automation.status === 'testing';
  if (!areMet(automation.conditions, conditions)) return isTest ? skipped('conditions_not_met') : undefined;
  const fault = chainFault(chainOf(event), automation.uuid);
  if (fault) return skipped(fault);
  if (isTooOld(automation, event, subject)) return skipped('too_old');
  if (isTest) return { status: 'tested', conditions, results: wouldDo(automation) };
  return { status: automation.delay_minutes > 0 ? 'scheduled' : 'pending', conditions };
}

/** When it was triggered, not now: a replay decides as the first one did. What fires because time has passed is news. */
const isTooOld = ({ max_age_hours }: AutomationRecord, event: StoredEvent, { occurrence }: EventSubject) =>
  !('internal_trigger' in event) && Date.parse(event.triggered_at) - Date.parse(occurrence.time) > max_age_hours * hour;

export const wouldDo = ({ actions }: AutomationRecord): Record<string, ActionResult> =>
  Object.fromEntries(actions.map((action) => [actionName(action), { status: 'would_do' as const }]));

/** Why a run that is due does nothing, before its order is looked at. The automation is as it is now. */
export function skipReason(
  automation: AutomationRecord | undefined,
  run: AutomationRun,
  now: Date,
): RunReason | undefined {
  if (!automation) return 'automation_deleted';
  if (automation.status === 'inactive') return 'automation_inactive';
  if (!matchesTrigger(automation.trigger, run.event)) return 'trigger_changed';
  const late = now.getTime() - Date.parse(run.due_at);
  return late > automation.max_age_hours * hour ? 'too_old' : undefined;
}

interface TriggeringEvent {
  ref: string;
  event_group: string | null;
  /** Of an event that is fired because time has passed, again under the ref of what happened before. */
  internal_trigger?: unknown;
}

export function matchesTrigger(trigger: Trigger, event: TriggeringEvent): boolean {
  if ('ref' in trigger) return event.internal_trigger === undefined && matchesEvent([trigger.ref], event.ref);
  return trigger.event_group === event.event_group || isCatchAll(trigger.event_group, event);
}

/** Every event of the phase `delivered` towards the customer, whatever its own group. */
const isCatchAll = (group: string, { ref, event_group }: TriggeringEvent) =>
  group === 'shipment_delivered_all_events' &&
  ref.startsWith('shipments/delivered/') &&
  (customerGroups as readonly (string | null)[]).includes(event_group);

/** Whether it can be set off by an event of a claim. */
export const isOfClaims = (trigger: Trigger): boolean =>
  'ref' in trigger ? trigger.ref === '*' || /^claims\b/.test(trigger.ref) : trigger.event_group.startsWith('claim_');
