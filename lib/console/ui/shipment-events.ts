import { phases, type ShipmentEventName, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import { wordOf } from '../texts/texts.ts';
import type { Option } from './fields.tsx';

/** An event in words: "Out for delivery". */
export const eventWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** Events by the phase that they lead to, in the order of a journey. */
export function eventOptions(names: readonly ShipmentEventName[]): Option[] {
  const journey = ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'collect', 'delivered', ...phases];
  return [...new Set(journey)].flatMap((phase) =>
    names
      .filter((name) => shipmentEvents[name].phase === phase)
      .map((name) => ({ value: name, label: eventWords(name), group: wordOf('common.phases', phase) })),
  );
}
