import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupsOfSameOrder } from '#api/orders/same-order.ts';

type Item = Parameters<typeof groupsOfSameOrder>[0][number];

const item = (id: string, order: Item['order'] = {}): Item => ({ id, id_type: 'order_number', order });

describe('the items of a bulk call', () => {
  test('belong together if they share an id of any kind, also through another item', () => {
    const items = [
      item('1', { external_id: 'A' }),
      item('2'),
      item('3', { order_name: 'N' }),
      item('4', { external_id: 'A', order_name: 'N' }),
      { id: 'B', id_type: 'external_id', order: {} } as const,
      item('2'),
    ];
    expect(groupsOfSameOrder(items)).toEqual([[0, 2, 3], [1, 5], [4]]);
  });

  test('are each in one group, in the order of the request, and no id is in two groups', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const order = fc.record({ external_id: name, order_name: name }, { requiredKeys: [] });
    const property = fc.property(fc.array(fc.tuple(name, order), { maxLength: 12 }), (pairs) => {
      const items = pairs.map(([id, order]) => item(id, order));
      const groups = groupsOfSameOrder(items);
      expect(groups.flat().toSorted((a, b) => a - b)).toEqual([...items.keys()]);
      for (const group of groups) expect(group).toEqual(group.toSorted((a, b) => a - b));
      for (const ids of [(i: Item) => i.id, (i: Item) => i.order?.external_id, (i: Item) => i.order?.order_name]) {
        const owners = groups.flatMap((group, g) =>
          [...new Set(group.map((position) => ids(items[position]!)))].flatMap((id) => (id ? [[id, g] as const] : [])),
        );
        expect(new Map(owners).size).toBe(owners.length);
      }
    });
    fc.assert(property);
  });

  test('are each looked at once, also if all of them share their ids', () => {
    let looks = 0;
    const counted = Array.from({ length: 500 }, (_, i) => ({
      ...item('1', { external_id: `e${i}`, order_name: 'N' }),
      get id() {
        looks++;
        return '1';
      },
    }));
    expect(groupsOfSameOrder(counted)).toHaveLength(1);
    expect(looks).toBe(500);
  });
});
