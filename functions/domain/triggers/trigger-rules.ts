import type { Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { eventId, type OutboxEvent } from '#domain/orders/outbox.ts';
import { currentPhase, latestEvents } from '#domain/orders/shipment-rules.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { type Phase, refOf } from '#schemas/catalogues/shipment-events.ts';

/** The fields of a shipment that a trigger depends on. */
export type Watched = Pick<Shipment, 'direction' | 'events' | 'created_at'>;

/**
 * The shipment with its latest events only, which is all that triggers look at. Do this once before asking many triggers:
 * a shipment may have thousands of events, and a shop 160 triggers.
 */
export const withLatestEvents = <S extends Watched>(shipment: S): S =>
  shipment.events.length > 1 ? { ...shipment, events: latestEvents(shipment.events) } : shipment;

/**
 * When the trigger fires for the shipment in its current state: the hours of its threshold after the time it names.
 * Undefined if the shipment does not match.
 */
export function dueTime(trigger: InternalTrigger, shipment: Watched): string | undefined {
  if (shipment.events.length === 0 || shipment.direction !== trigger.shipment_direction) return undefined;
  const event = watchedEvent(trigger, shipment);
  if (!matchesPhase(trigger, currentPhase(shipment)) || !matchesKey(trigger, event)) return undefined;
  const since = trigger.time_threshold_type === 'created_at' ? shipment.created_at : event.time;
  return hoursAfter(since, trigger.time_threshold_value);
}

/** The event that says where the parcel is, or a later remark that the trigger names. */
function watchedEvent({ event_key_in }: InternalTrigger, { events }: Watched): ShipmentEvent {
  const latest = latestEvents(events);
  return latest.findLast(({ event_name }) => event_key_in.includes(event_name)) ?? latest[0]!;
}

function matchesPhase({ phase_in, phase_not_in }: InternalTrigger, phase: Phase): boolean {
  return (phase_in.length === 0 || phase_in.includes(phase)) && !phase_not_in.includes(phase);
}

/** The operator combines the two lists. An empty list is not combined, because with OR it would match every event. */
function matchesKey({ event_key_in, event_key_not_in, operator }: InternalTrigger, { event_name }: ShipmentEvent) {
  const results = [
    ...(event_key_in.length > 0 ? [event_key_in.includes(event_name)] : []),
    ...(event_key_not_in.length > 0 ? [!event_key_not_in.includes(event_name)] : []),
  ];
  return operator === 'AND' || results.length === 0 ? !results.includes(false) : results.includes(true);
}

/** Undefined after the year 9999, because later times do not sort as text. Such a trigger never fires. */
function hoursAfter(time: string, hours: number): string | undefined {
  const due = Date.parse(time) + hours * 3_600_000;
  return due <= maxTime ? new Date(due).toISOString() : undefined;
}

const maxTime = Date.parse('9999-12-31T23:59:59.999Z');

/** An internal trigger and the third party that receives its event. */
export interface OwnedTrigger {
  third_party: ThirdParty;
  trigger: InternalTrigger;
}

/**
 * The event of a trigger that fires: the event that it watched in a separate group, for the owner of the trigger only.
 * @param version of the shipment: the event tells no change of it
 */
export function triggerEvent(
  shipment: Shipment,
  { third_party, trigger }: OwnedTrigger,
  now: Date,
  version: number,
): OutboxEvent {
  const { event_name, time } = watchedEvent(trigger, shipment);
  return {
    id: eventId('internal_trigger', shipment.uuid, third_party, trigger.id),
    source: 'shipments',
    ref: refOf(event_name, shipment.direction),
    event_name,
    event_group: 'shipment_internal_trigger',
    triggered_at: now.toISOString(),
    order_id: shipment.order_id,
    shipments: [{ shipment_id: shipment.uuid, time, version }],
    only_for: third_party,
    internal_trigger: { id: trigger.id, name: trigger.name },
  };
}
