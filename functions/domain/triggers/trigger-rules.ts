import { currentEvent, phaseOf } from '#domain/orders/event-rules.ts';
import type { Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';

/** What a trigger looks at. */
export type Watched = Pick<Shipment, 'direction' | 'events' | 'created_at'>;

/**
 * When the trigger is to fire for the shipment as it is: the hours of its threshold after the time it names.
 * Undefined where the shipment does not match.
 */
export function dueTime(trigger: InternalTrigger, shipment: Watched): string | undefined {
  if (shipment.events.length === 0 || shipment.direction !== trigger.shipment_direction) return undefined;
  const newest = currentEvent(shipment.events);
  if (!matchesPhase(trigger, newest) || !matchesKey(trigger, newest)) return undefined;
  const since = trigger.time_threshold_type === 'created_at' ? shipment.created_at : newest.time;
  return hoursAfter(since, trigger.time_threshold_value);
}

function matchesPhase({ phase_in, phase_not_in }: InternalTrigger, event: ShipmentEvent): boolean {
  const phase = phaseOf(event);
  return (phase_in.length === 0 || phase_in.includes(phase)) && !phase_not_in.includes(phase);
}

/** The operator joins the two lists. An empty one asks for nothing, so it is not joined: with OR it would let all in. */
function matchesKey({ event_key_in, event_key_not_in, operator }: InternalTrigger, { event_name }: ShipmentEvent) {
  const asked = [
    ...(event_key_in.length > 0 ? [event_key_in.includes(event_name)] : []),
    ...(event_key_not_in.length > 0 ? [!event_key_not_in.includes(event_name)] : []),
  ];
  return operator === 'AND' || asked.length === 0 ? !asked.includes(false) : asked.includes(true);
}

/** Undefined beyond the years that sort as text: that is never. */
function hoursAfter(time: string, hours: number): string | undefined {
  const due = Date.parse(time) + hours * 3_600_000;
  return due <= lastMoment ? new Date(due).toISOString() : undefined;
}

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');
