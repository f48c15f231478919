import type { OrderUpsert } from '#schemas/families/orders.ts';

type Item = Pick<OrderUpsert, 'id' | 'id_type' | 'order'>;

/**
 * Groups the positions of items that may belong to one order, because they share an id of any kind. Each group keeps
 * the order of the request.
 */
export function groupsOfSameOrder(items: readonly Item[]): number[][] {
  const leaders = items.map((_, position) => position);
  const firstWith = new Map<string, number>();
  for (const [position, item] of items.entries()) {
    for (const id of idsOf(item)) {
      join(leaders, position, firstWith.get(id) ?? position);
      firstWith.set(id, position);
    }
  }
  return [...Map.groupBy(items.keys(), (position) => leaderOf(leaders, position)).values()];
}

/** The items of a group lead to each other, and in the end to the one that leads to itself. */
function leaderOf(leaders: number[], position: number): number {
  let at = position;
  while (leaders[at] !== at) {
    leaders[at] = leaders[leaders[at]!]!; // a shorter way for the next time
    at = leaders[at]!;
  }
  return at;
}

function join(leaders: number[], one: number, other: number): void {
  leaders[leaderOf(leaders, one)] = leaderOf(leaders, other);
}

function idsOf({ id, id_type, order }: Item): string[] {
  const { order_number, external_id, order_name } = order ?? {};
  return [
    `${id_type} ${id}`,
    ...(order_number === undefined ? [] : [`order_number ${order_number}`]),
    ...(external_id === undefined ? [] : [`external_id ${external_id}`]),
    ...(order_name === undefined ? [] : [`order_name ${order_name}`]),
  ];
}
