import { place, upsert } from '#domain/orders/upsert.ts';
import { invalid } from '#platform/http/api-error.ts';
import { toApiError } from '#platform/http/error-mapping.ts';
import type { Implementation } from '#platform/http/request.ts';
import { errorBody, type FieldError } from '#schemas/catalogues/errors.ts';
import type { orders } from '#schemas/families/orders.ts';
import { groupsOfSameOrder } from './bulk-groups.ts';

export const upsertOrder: Implementation<typeof orders.upsertOrder> = async ({ shop, body, now }) => {
  await upsert(shop, body, now);
  return null;
};

export const placeOrder: Implementation<typeof orders.placeOrder> = async ({ shop, body, now }) => {
  await place(shop, body, now);
  return null;
};

/** Items of one order follow each other in their order; beyond that a few are done at a time. */
const atOnce = 8;

export const fulfilOrders: Implementation<typeof orders.fulfilOrders> = async ({ shop, body, now }) => {
  const outcomes: Outcome[] = [];
  const queue = groupsOfSameOrder(body);
  const work = async () => {
    for (let group = queue.shift(); group; group = queue.shift()) {
      for (const i of group) outcomes[i] = await outcomeOf(i, upsert(shop, body[i]!, now));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const ours = outcomes.find(({ fault }) => fault !== undefined);
  if (ours) throw ours.fault;
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  if (errors.length > 0) throw invalid(...errors);
  return null;
};

interface Outcome {
  errors: FieldError[];
  /** A fault of ours. It is answered only when every item has had its turn. */
  fault?: unknown;
}

/** What hinders one item, at its place in the array. */
async function outcomeOf(index: number, upserting: Promise<unknown>): Promise<Outcome> {
  try {
    await upserting;
    return { errors: [] };
  } catch (error) {
    const known = toApiError(error);
    if (!known || known.status >= 500) return { errors: [], fault: error };
    const { message, errors } = errorBody(known.key, known.details);
    if (errors.length > 0) return { errors: errors.map((e) => ({ ...e, loc: ['body', index, ...e.loc.slice(1)] })) };
    return { errors: [{ loc: ['body', index, 'id'], msg: `${known.key}: ${message}`, type: 'value_error' }] };
  }
}
