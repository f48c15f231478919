import { matchesEvent } from '#domain/endpoints/event-filter.ts';
import { customerGroups } from '#schemas/catalogues/shipment-events.ts';
import type { Trigger } from './model.ts';

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
