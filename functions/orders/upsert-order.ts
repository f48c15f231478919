import { errorBody, type FieldError } from '#schemas/errors.ts';
import type { orders } from '#schemas/orders.ts';
import { ApiError, invalid } from '#shared/api-error.ts';
import { place, upsert } from '#shared/orders/upsert.ts';
import type { Implementation } from '#shared/request.ts';

export const upsertOrder: Implementation<typeof orders.upsertOrder> = async ({ shop, body, now }) => {
  await upsert(shop, body, now);
  return null;
};

export const placeOrder: Implementation<typeof orders.placeOrder> = async ({ shop, body, now }) => {
  await place(shop, body, now);
  return null;
};

/** Items of one order follow each other; beyond that a few are done at a time. */
const atOnce = 8;

export const fulfilOrders: Implementation<typeof orders.fulfilOrders> = async ({ shop, body, now }) => {
  const errors: FieldError[][] = body.map(() => []);
  const queue = [...Map.groupBy(body.keys(), (i) => `${body[i]!.id_type}#${body[i]!.id}`).values()];
  const work = async () => {
    for (let group = queue.shift(); group; group = queue.shift()) {
      for (const i of group) errors[i] = await faultsOf(i, upsert(shop, body[i]!, now));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (errors.flat().length > 0) throw invalid(...errors.flat());
  return null;
};

/** What hinders one item, at its place in the array. A fault of ours is not the caller's: it goes on as it is. */
async function faultsOf(index: number, upserting: Promise<void>): Promise<FieldError[]> {
  try {
    await upserting;
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { message, errors } = errorBody(error.key, error.details);
    if (errors.length === 0)
      return [{ loc: ['body', index, 'id'], msg: `${error.key}: ${message}`, type: 'value_error' }];
    return errors.map((fault) => ({ ...fault, loc: ['body', index, ...fault.loc.slice(1)] }));
  }
}
