import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Order, ShipmentRecord } from '#schemas/shapes/order-shapes.ts';
import type { Answer, Call } from './client.ts';
import { api, newShop, superAdmin } from './shared-stack.ts';

export type Fields = Record<string, unknown>;
export type Query = Record<string, string | number>;

interface ShipmentPage {
  shipments: ShipmentRecord[];
  pagination: Record<string, unknown>;
}

/** A shop, and the requests of its merchant for orders. */
export interface Merchant {
  slug: string;
  /** Any operation of the shop; `path` follows the slug. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** PUT orders; without trackings unless they are given. */
  upsert(body: Fields): Promise<Answer>;
  /** A new order that must be accepted, read back. */
  order(fields?: Fields, trackings?: readonly Fields[]): Promise<Order>;
  orders(query?: Query): Promise<Order[]>;
  /** The only order with this number. */
  orderWith(number: string): Promise<Order>;
  shipments(query?: Query): Promise<ShipmentPage>;
}

export const newNumber = (prefix = 'N') => `${prefix}-${randomUUID()}`;

export async function newMerchant(): Promise<Merchant> {
  const slug = await newShop();
  const call: Merchant['call'] = (method, path, more = {}) =>
    api(method, `/v1/shops/${slug}${path}`, { key: superAdmin, ...more });
  const upsert: Merchant['upsert'] = (body) => call('PUT', '/orders', { body: { trackings: [], ...body } });
  const orders: Merchant['orders'] = async (query = {}) => accepted(await call('GET', '/orders', { query }));
  const orderWith: Merchant['orderWith'] = async (number) => {
    const found = await orders({ order_number: number });
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  return {
    slug,
    call,
    upsert,
    orders,
    orderWith,
    shipments: async (query = {}) => accepted(await call('GET', '/shipments', { query })),
    order: async (fields = {}, trackings = []) => {
      const number = String(fields.order_number ?? newNumber());
      accepted(await upsert({ id: number, order: { order_number: number, ...fields }, trackings }));
      return orderWith(number);
    },
  };
}

/** The body of an answer that is no error. */
export function accepted(answer: Answer): Answer['body'] {
  expect(answer.status, answer.text.slice(0, 1000)).toBe(200);
  return answer.body;
}

/** An operation that answers `null`. */
export function expectDone(answer: Answer): void {
  expect({ status: answer.status, text: answer.text.slice(0, 1000) }).toEqual({ status: 200, text: 'null' });
}

/** The request was accepted, or refused in the form of the contract; `sent` names it in a failure. */
export function expectNoFailure({ status, body }: Answer, sent: string): void {
  expect(status, sent).toBeLessThan(500);
  if (status === 200) return;
  expect(body, sent).toEqual({
    key: expect.any(String),
    message: expect.any(String),
    type: 'invalid_request_error',
    errors: expect.any(Array),
  });
}

export const trackingsOf = (...numbers: string[]) => numbers.map((tracking_number) => ({ tracking_number }));
export const numbersOf = ({ trackings }: Pick<Order, 'trackings'>) =>
  trackings.map(({ carrier }) => carrier.tracking_number);

/** Several calls at once, but no more than the machine can serve. */
export async function inParts<T, R>(items: readonly T[], size: number, call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += size) {
    results.push(...(await Promise.all(items.slice(from, from + size).map(call))));
  }
  return results;
}
