import {
  isShipmentEventName,
  phases,
  returnWordsOf,
  type ShipmentEventName,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import { wordOf } from '../texts/texts.ts';
import type { Option } from './fields.tsx';

/** An event in the words of the tracking page, which says some things otherwise if a customer sends the parcel back. */
export function eventWords(name: string, isReturn = false): string {
  const words = isReturn && isShipmentEventName(name) ? returnWordsOf(name) : undefined;
  return words ? wordOf('shipmentEvents.returns', words) : wordOf('shipmentEvents', name);
}

/** Events by the phase that they lead to, in the order of a journey. */
export function eventOptions(names: readonly ShipmentEventName[]): Option[] {
  const journey = ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'collect', 'delivered', ...phases];
  return [...new Set(journey)].flatMap((phase) =>
    names
      .filter((name) => shipmentEvents[name].phase === phase)
      .map((name) => ({ value: name, label: eventWords(name), group: wordOf('common.phases', phase) })),
  );
}
