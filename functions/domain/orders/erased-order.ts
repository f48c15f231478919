import { trackingUrl } from '#domain/carriers/detect.ts';
import { ServiceError } from '#platform/errors.ts';
import { type Declared, type Erasure, erased, personalPaths } from '#platform/personal-data.ts';
import type { Order, Shipment } from './model.ts';
import { orderData, shipmentData } from './personal-data.ts';

/** What an order is without personal data, and how it stays so. */

type MaybeErased = Pick<Order, 'erased_at'>;

export const isErased = ({ erased_at }: MaybeErased): boolean => erased_at !== undefined;

/** Throws `order_erased` if the input would bring personal data back. Other changes of an erased order go through. */
export function refusePersonal<T extends object>(order: MaybeErased, declaration: Declared<T>, input: Partial<T>) {
  if (isErased(order) && personalPaths(declaration, input).length > 0) throw new ServiceError('order_erased');
}

/** What an erased order takes of an input that nobody can correct, and other orders take whole. */
export const withoutPersonal = <T extends object>(order: MaybeErased, declaration: Declared<T>, input: T): T =>
  isErased(order) ? erased(declaration, input) : input;

export const erasedOrder = (order: Order, { at, by }: Pick<Erasure, 'at' | 'by'>): Order => ({
  ...erased(orderData, order),
  erased_at: order.erased_at ?? at,
  erased_by: order.erased_by ?? by,
});

/** The link to the carrier is made anew: a merchant may have set one with a zip code in it. */
export const erasedShipment = (shipment: Shipment): Shipment => ({
  ...erased(shipmentData, shipment),
  tracking_url:
    shipment.tracking_number === null ? null : trackingUrl(shipment.carrier_reference, shipment.tracking_number),
});
