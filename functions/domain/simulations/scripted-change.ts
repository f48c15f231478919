import { type Order, type Shipment, type ShipmentEvent, shipmentId } from '#domain/orders/model.ts';
import { nextSlot, shipmentById, timeOfChange, withShipment } from '#domain/orders/order-rules.ts';
import type { Loaded } from '#domain/orders/order-store.ts';
import { asDraft, canHappen, fulfilled, isDraft, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import type { Simulation, Step } from './simulation.ts';
import { reportOf, simulatedNumber } from './simulation-rules.ts';

/** What a step does to its order. */
export interface ScriptedChange {
  /** Absent if only the shipment changes. */
  order?: Order;
  /** Absent in the change that makes it. */
  before?: Shipment;
  shipment: Shipment;
  isFulfilled: boolean;
  /** The events that are new. None if the shipment has them already. */
  events: ShipmentEvent[];
}

/** The carrier of all simulated parcels. Its own page does not know them, so nothing links there. */
const carrier = { carrier_reference: 'dhl', tracking_url: null };

/** Undefined if the merchant has removed the parcel of the step. */
export function scriptedChange(
  simulation: Simulation,
  loaded: Loaded,
  step: Step,
  at: string,
): ScriptedChange | undefined {
  const known = parcelOf(simulation, loaded, step);
  const isNew = known === undefined && step.is_return === true && !(step.parcel in simulation.slots);
  if (!known && !isNew) return undefined;
  const events: ShipmentEvent[] = [];
  let shipment = known ?? newShipment(loaded.order, nextSlot(loaded.order), 'customer_merchant', at);
  const isFulfilled = isDraft(shipment) && needsNumber(step);
  if (isFulfilled) {
    const tracking_number = simulatedNumber(simulation, step.parcel);
    shipment = fulfilled(shipment, { tracking_number, ...carrier, placed_at: at }, at);
    events.push({ event_name: 'ORDER_PROCESSED', time: at });
  } else if (isNew) {
    shipment = asDraft(shipment);
    events.push({ event_name: 'ORDER_CREATED', time: at });
  }
  const report = reportOf(simulation, step, at);
  const result = reported(shipment, report, at);
  if (result.isNew) events.push(report.event);
  const after = timeOfChange(loaded, new Date(at)).toISOString();
  const isStored = known && loaded.shipments.some(({ uuid }) => uuid === known.uuid);
  return {
    ...(!isStored && { order: { ...withShipment(loaded.order, shipment), updated_at: after } }),
    ...(known && { before: known }),
    shipment: result.shipment === known ? known : { ...result.shipment, updated_at: after },
    isFulfilled,
    events,
  };
}

function parcelOf({ slots }: Simulation, loaded: Loaded, { parcel }: Step): Shipment | undefined {
  const slot = slots[parcel];
  if (slot === undefined) return undefined;
  const uuid = shipmentId(loaded.order.uuid, slot);
  return shipmentById(loaded, uuid);
}

/** A carrier's event gives a parcel its number, if nothing before did. */
const needsNumber = ({ event_name }: Step): boolean =>
  event_name === 'ORDER_PROCESSED' || !canHappen({ event_name, time: '' }, { tracking_number: null });
