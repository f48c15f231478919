import {
  phases,
  returnEventNames,
  type ShipmentEventName,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import { wordOf } from '../texts/texts.ts';
import type { Option } from './fields.tsx';

/** An event in the words of the tracking page. That a parcel is announced says something else if a customer sends it back. */
export const eventWords = (name: string, isReturn = false): string =>
  wordOf(isReturn && announcements.includes(name) ? 'shipmentEvents.returns' : 'shipmentEvents', name);

const announcements: readonly string[] = returnEventNames;

/** Events by the phase that they lead to, in the order of a journey. */
export function eventOptions(names: readonly ShipmentEventName[]): Option[] {
  const journey = ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'collect', 'delivered', ...phases];
  return [...new Set(journey)].flatMap((phase) =>
    names
      .filter((name) => shipmentEvents[name].phase === phase)
      .map((name) => ({ value: name, label: eventWords(name), group: wordOf('common.phases', phase) })),
  );
}
