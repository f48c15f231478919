import { v5 as uuidv5 } from 'uuid';
import type { Claim } from '#domain/claims/claim-rules.ts';
import type { Shipment } from '#domain/orders/model.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { groupOf, refOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

/** An event on its way out, written in the transaction of its change. Fan-out reads it from the table's stream. */
export type OutboxEvent = ShipmentOutboxEvent | ClaimOutboxEvent;

/** What events of every source have. */
export interface OutboxFields {
  id: string;
  ref: string;
  event_group: string | null;
  triggered_at: string;
  order_id: string;
  /** Absent: everybody who wants it. */
  only_for?: ThirdParty;
}

/** One item stands for the same event of several shipments, such as fifty parcels that one request fulfils. */
export interface ShipmentOutboxEvent extends OutboxFields {
  source: 'shipments';
  event_name: ShipmentEventName;
  shipments: { shipment_id: string; time: string }[];
  /** What fired, where it was an internal trigger. */
  internal_trigger?: { id: string; name: string };
}

/** Namespace of the ids of events: an arbitrary constant. */
const namespace = '6f1c1d0e-5d5b-4b43-9a6c-0f1f4a9e7c11';

/** The same event always has the same id. */
export const eventId = (...identity: readonly (string | number)[]): string => uuidv5(identity.join('|'), namespace);

/** Outgoing events: one for each direction among the shipments. */
export function outboxEvents(
  name: ShipmentEventName,
  shipments: readonly Shipment[],
  now: string,
): ShipmentOutboxEvent[] {
  const byDirection = Map.groupBy(shipments, ({ direction }) => direction);
  return [...byDirection].map(([direction, group]) => {
    const occurrences = group.map(({ uuid, events }) => ({
      shipment_id: uuid,
      time: events.findLast(({ event_name }) => event_name === name)!.time,
    }));
    const identity = occurrences.flatMap(({ shipment_id, time }) => [shipment_id, time]);
    return {
      id: eventId(name, ...identity),
      source: 'shipments',
      ref: refOf(name),
      event_name: name,
      event_group: groupOf(name, direction),
      triggered_at: now,
      order_id: group[0]!.order_id,
      shipments: occurrences,
    };
  });
}

/** The outgoing event of one report. */
export function outboxEvent(shipment: Shipment, event: { event_name: ShipmentEventName; time: string }, now: string) {
  return outboxEvents(event.event_name, [{ ...shipment, events: [event] }], now)[0]!;
}

export interface ClaimOutboxEvent extends OutboxFields {
  source: 'claims';
  event_name: 'CLAIM_CREATED' | 'CLAIM_UPDATED';
  claim_id: string;
  shipment_id: string;
  /** What can change of a claim, as this event left it: by the time it is sent there may have been another. */
  claim: Pick<Claim, 'status' | 'resolution_preference' | 'description' | 'updated_at'>;
  /** Who caused it: the id of an API key, or what else made the change. */
  by: string;
}

/** @param version of the claim: each has one event at most */
export function claimEvent(action: 'created' | 'updated', claim: Claim, version: number, by: string): ClaimOutboxEvent {
  const { uuid, order_id, shipment_id, status, resolution_preference, description, updated_at } = claim;
  const ref = `claims/${action}`;
  return {
    id: eventId(ref, uuid, version),
    source: 'claims',
    ref,
    event_name: action === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED',
    event_group: `claim_${action}`,
    triggered_at: updated_at,
    order_id,
    claim_id: uuid,
    shipment_id,
    claim: { status, resolution_preference, description, updated_at },
    by,
  };
}
