/** How the orders of the day and their parcels are called, and which is meant by a name. */

const prefix = 'DAY-';
const numberPrefix = '00340434';

export const orderNumberOf = (order: number): string => `${prefix}${String(order).padStart(7, '0')}`;

export const trackingNumberOf = (order: number): string => `${numberPrefix}${String(order).padStart(12, '0')}`;

export const emailOf = (order: number): string => `customer-${order}@example.com`;

/** Undefined if the name is none of the day. */
export function orderOfNumber(orderNumber: string | undefined, orders: number): number | undefined {
  return orderNumber?.startsWith(prefix) ? within(Number(orderNumber.slice(prefix.length)), orders) : undefined;
}

export function orderOfTracking(trackingNumber: string | undefined, orders: number): number | undefined {
  return trackingNumber?.startsWith(numberPrefix)
    ? within(Number(trackingNumber.slice(numberPrefix.length)), orders)
    : undefined;
}

const within = (order: number, orders: number) =>
  Number.isInteger(order) && order >= 0 && order < orders ? order : undefined;
