import { ServiceError } from '#platform/errors.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';

/** Counts what one request reads of orders, and ends the request when it is too much. */
export interface ReadBudget {
  addShipments: (count: number) => void;
  addText: (bytes: number) => void;
}

/** @param message of the error when it is spent */
export function readBudget(message = usualMessage): ReadBudget {
  let shipments = 0;
  let bytes = 0;
  return {
    addShipments: (count) => {
      shipments += count;
      if (shipments > searchLimits.shipments) throw tooLarge(message);
    },
    addText: (length) => {
      bytes += length;
      if (bytes > searchLimits.textBytes) throw tooLarge(message);
    },
  };
}

const usualMessage = 'The orders of this page are too large for one response. Use a smaller per_page.';

const tooLarge = (message: string) => new ServiceError('payload_too_large', { message });
