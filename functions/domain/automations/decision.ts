import type { EventSubject } from '#domain/deliveries/event-payload.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { customerGroups } from '#schemas/catalogues/shipment-events.ts';
import type { RunReason } from '#schemas/families/automations.ts';
import { areMet, outcomesOf } from './conditions.ts';
import { type AutomationRecord, actionName, chainFault, chainOf, type Trigger } from './model.ts';
import type { ActionResult, AutomationRun, RunStart } from './run.ts';

const hour = 3_600_000;

/**
 * A withdrawal starts none, also not one that every event starts: what automations do is for parcels and claims. What the shop
 * wrote to a customer is an event for the e-mail alone.
 */
export const isTriggered = ({ status, trigger }: AutomationRecord, event: StoredEvent): boolean =>
  status !== 'inactive' &&
  event.source !== 'withdrawals' &&
  event.only_for !== emailTarget &&
  matchesTrigger(trigger, event);

/**
 * How a run begins when its event arrives, or undefined if the event starts no run. Conditions that are not met leave
 * no trace, unless the automation is in testing: then the merchant wants to see them.
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

/**
 * Compares with the time of the event, not with now, so a replay decides the same. Internal triggers are never too old:
 * they fire because time has passed.
 */
const isTooOld = ({ max_age_hours }: AutomationRecord, event: StoredEvent, { occurrence }: EventSubject) =>
  !('internal_trigger' in event) && Date.parse(event.triggered_at) - Date.parse(occurrence.time) > max_age_hours * hour;

export const wouldDo = ({ actions }: AutomationRecord): Record<string, ActionResult> =>
  Object.fromEntries(actions.map((action) => [actionName(action), { status: 'would_do' as const }]));

/**
 * The reason to skip a run that is due, before its order is read. `automation` is its current state, not its state when
 * the event arrived. Lateness is none: only an outage of ours delays a run, and its conditions are checked again anyway.
 */
export function skipReason(automation: AutomationRecord | undefined, run: AutomationRun): RunReason | undefined {
  if (!automation) return 'automation_deleted';
  if (automation.status === 'inactive') return 'automation_inactive';
  return matchesTrigger(automation.trigger, run.event) ? undefined : 'trigger_changed';
}

interface TriggeringEvent {
  ref: string;
  event_group: string | null;
  /** Set if the event fired because time has passed. It then repeats the ref of an earlier event. */
  internal_trigger?: unknown;
}

export function matchesTrigger(trigger: Trigger, event: TriggeringEvent): boolean {
  if ('ref' in trigger) return event.internal_trigger === undefined && matchesEvent([trigger.ref], event.ref);
  return trigger.event_group === event.event_group || isCatchAll(trigger.event_group, event);
}

/**
 * This group means every event of the phase `delivered` that goes to the customer, whatever the event's own group is.
 */
const isCatchAll = (group: string, { ref, event_group }: TriggeringEvent) =>
  group === 'shipment_delivered_all_events' &&
  ref.startsWith('shipments/delivered/') &&
  (customerGroups as readonly (string | null)[]).includes(event_group);

/** Whether an event of a claim can match this trigger. */
export const canMatchClaimEvents = (trigger: Trigger): boolean =>
  'ref' in trigger ? trigger.ref === '*' || /^claims\b/.test(trigger.ref) : trigger.event_group.startsWith('claim_');
