import { place, upsert } from '#domain/orders/upsert.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { invalid, toApiError } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { errorBody, type FieldError } from '#schemas/catalogues/errors.ts';
import type { OrderUpsert, orders } from '#schemas/families/orders.ts';

export const upsertOrder: Implementation<typeof orders.upsertOrder> = async ({ shop, body, now }) => {
  await upsert(shop, body, now);
  return null;
};

export const placeOrder: Implementation<typeof orders.placeOrder> = async ({ shop, body, now }) => {
  await place(shop, body, now);
  return null;
};

/** Items of one order follow each other in their order; beyond that a few are done at a time. */
const maxConcurrentOrders = 8;

export const fulfilOrders: Implementation<typeof orders.fulfilOrders> = async ({ shop, body, now }) => {
  const outcomes: BulkEntryResult[] = [];
  const upsertInTurn = async (group: readonly number[]): Promise<void> => {
    for (const i of group) outcomes[i] = await outcomeOf(i, upsert(shop, body[i]!, now));
  };
  await mapConcurrently(groupsOfSameOrder(body), upsertInTurn, maxConcurrentOrders);
  const ours = outcomes.find(({ fault }) => fault !== undefined);
  if (ours) throw ours.fault;
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  if (errors.length > 0) throw invalid(...errors);
  return null;
};

interface BulkEntryResult {
  errors: FieldError[];
  /** A fault of ours. It is answered only when every item has had its turn. */
  fault?: unknown;
}

/** What hinders one item, at its place in the array. */
async function outcomeOf(index: number, upserting: Promise<unknown>): Promise<BulkEntryResult> {
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

/** The places of items that may be about one order, because they share an id of any kind, in the order of the call. */
function groupsOfSameOrder(items: readonly OrderUpsert[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [place, item] of items.entries()) {
    const ids = idsOf(item);
    const merged = [...new Set(ids.flatMap((id) => groups.get(id) ?? [])), place].sort((a, b) => a - b);
    const touched = new Set(merged.flatMap((i) => idsOf(items[i]!)));
    for (const id of [...touched, ...ids]) groups.set(id, merged);
  }
  return [...new Set(groups.values())];
}

function idsOf({ id, id_type, order }: OrderUpsert): string[] {
  const { order_number, external_id, order_name } = order ?? {};
  return [
    `${id_type} ${id}`,
    ...(order_number === undefined ? [] : [`order_number ${order_number}`]),
    ...(external_id === undefined ? [] : [`external_id ${external_id}`]),
    ...(order_name === undefined ? [] : [`order_name ${order_name}`]),
  ];
}
