import type { Lane } from '#platform/table/keys.ts';
import { carrierNames } from '#schemas/catalogues/carriers.ts';
import type { Shipment } from './model.ts';

/** Shops write any text as the carrier. One that is not in the catalogue has no place in a key. */
const carrierOf = (reference: string | null): string =>
  reference !== null && Object.hasOwn(carrierNames, reference) ? reference : '-';

/** Undefined if an earlier release wrote the shipment: those do not know their country. */
export const laneOf = ({ carrier_reference, country }: Placed): Lane | undefined =>
  country === undefined ? undefined : { carrier: carrierOf(carrier_reference), country };

/** The country has two letters, or is `-`. */
type Placed = Pick<Shipment, 'carrier_reference'> & { country?: string };
