import { randomUUID } from 'node:crypto';
import { orderIdFor } from '#domain/orders/model.ts';

/** The id of an order whose number nobody asks for. */
export const newOrderId = (): string => orderIdFor('a-shop', randomUUID());
