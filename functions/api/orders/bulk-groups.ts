import type { OrderUpsert } from '#schemas/families/orders.ts';

/** The places of items that may be about one order, because they share an id of any kind, in the order of the call. */
export function groupsOfSameOrder(items: readonly OrderUpsert[]): number[][] {
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
