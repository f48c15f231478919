import { v7 as uuidv7 } from 'uuid';

/**
 * An order's uuid ends in 000, and its shipments have the same uuid with 001, 002, … at the end. So the order of a
 * shipment is known from the shipment's uuid alone: no index, no second read, nothing to keep in step. 62 random bits
 * in front of the slot keep orders apart.
 */
export const lastSlot = 0xfff;

export const newOrderId = (now: Date): string => withSlot(uuidv7({ msecs: now.getTime() }), 0);

export const shipmentId = (orderId: string, slot: number): string => withSlot(orderId, slot);

export const orderIdOf = (shipmentId: string): string => withSlot(shipmentId.toLowerCase(), 0);

export const slotOf = (shipmentId: string): number => Number.parseInt(shipmentId.slice(-3), 16);

const withSlot = (uuid: string, slot: number) => uuid.slice(0, -3) + slot.toString(16).padStart(3, '0');
