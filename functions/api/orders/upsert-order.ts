import { place, upsert } from '#domain/orders/upsert.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { invalid, valueError } from '#platform/errors.ts';
import { knownError } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { clockSince } from '#platform/time.ts';
import { errorBody, type FieldError } from '#schemas/catalogues/errors.ts';
import type { orders } from '#schemas/families/orders.ts';
import { groupsOfSameOrder } from './same-order.ts';

export const upsertOrder: Implementation<typeof orders.upsertOrder> = async ({ shop, body, now }) => {
  await upsert(shop, body, now);
  return null;
};

export const placeOrder: Implementation<typeof orders.placeOrder> = async ({ shop, body, now }) => {
  await place(shop, body, now);
  return null;
};

/** The items of one order are processed in sequence. This many orders are processed at the same time. */
const maxConcurrentOrders = 8;

export const fulfilOrders: Implementation<typeof orders.fulfilOrders> = async ({ shop, body, now }) => {
  const results: BulkEntryResult[] = [];
  const clock = clockSince(now);
  const upsertInTurn = async (group: readonly number[]): Promise<void> => {
    for (const i of group) results[i] = await resultOf(i, upsert(shop, body[i]!, clock()));
  };
  await mapConcurrently(groupsOfSameOrder(body), upsertInTurn, maxConcurrentOrders);
  const failed = results.find(({ fault }) => fault !== undefined);
  if (failed) throw failed.fault;
  const errors = results.flatMap((result) => result.errors);
  if (errors.length > 0) throw invalid(...errors);
  return null;
};

interface BulkEntryResult {
  errors: FieldError[];
  /** An error of our own. It is thrown only after every item has been processed. */
  fault?: unknown;
}

/** The errors of one item, with its position in the array. */
async function resultOf(index: number, upserting: Promise<unknown>): Promise<BulkEntryResult> {
  try {
    await upserting;
    return { errors: [] };
  } catch (error) {
    const known = knownError(error);
    if (!known || known.isFaultOfService) return { errors: [], fault: error };
    const { message, errors } = errorBody(known.key, known.details);
    if (errors.length > 0) return { errors: errors.map((e) => ({ ...e, loc: ['body', index, ...e.loc.slice(1)] })) };
    return { errors: [valueError(['body', index, 'id'], `${known.key}: ${message}`)] };
  }
}
