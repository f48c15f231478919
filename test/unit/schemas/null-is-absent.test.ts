import { describe, expect, test } from 'vitest';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { allOperations } from '#schemas/families/index.ts';
import { type BodyPlace, placesIn, type Schema } from '#test/kit/body-places.ts';

type Place = Pick<BodyPlace, 'path' | 'schema'>;

const operations = allOperations.flatMap(({ id, method, path, nullIsAbsent, body }) =>
  nullIsAbsent ? [{ id, method, path, nullIsAbsent, places: placesIn(body as Schema) }] : [],
);

/** The places that nulls are removed from, and the fields that are left alone. */
const looked = ({ nullIsAbsent: { notWithin = [] }, places }: (typeof operations)[number]) =>
  places.filter(({ path }) => !path.slice(0, -1).some((name) => notWithin.includes(name)));

const titlesOf = (places: readonly Place[]) => places.map(({ path }) => path.filter((name) => name !== '*').join('.'));

describe('null counts as absent', () => {
  test('in the operations that take orders, their addresses and their products', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual([
      ...['createShipment', 'fulfilOrders', 'placeOrder', 'startSimulation'],
      ...['updateOrder', 'updateOrderShipment', 'upsertOrder'],
    ]);
  });

  test('also in fields that may be null, only where both mean the same', () => {
    const unlike = operations.map((operation) => {
      const { except = [], notWithin = [] } = operation.nullIsAbsent;
      const nullable = looked(operation).filter(
        ({ path, schema }) =>
          [schema.type].flat().includes('null') && ![...except, ...notWithin].includes(path.at(-1) ?? ''),
      );
      return [operation.id, titlesOf(nullable)];
    });
    const ofTracking = ['trackings.tracking_company', 'trackings.carrier_reference', 'trackings.products'];
    expect(Object.fromEntries(unlike)).toEqual({
      upsertOrder: ofTracking,
      fulfilOrders: ofTracking,
      placeOrder: [],
      updateOrder: [],
      updateOrderShipment: ['products'],
      startSimulation: [],
      createShipment: [
        ...['tracking_number', 'carrier_reference', 'tracking_placed_at', 'external_shipment_id', 'products'],
        ...['products.product_id', 'products.variant_id'],
      ],
    });
  });

  test('nowhere within an object that may have any fields', () => {
    const open = operations.flatMap((operation) => {
      const { notWithin = [] } = operation.nullIsAbsent;
      const isOpen = ({ type, properties, additionalProperties }: Schema) =>
        [type].flat().includes('object') && (!properties || typeof additionalProperties === 'object');
      return looked(operation).filter(
        ({ path, schema }) => isOpen(schema) && !notWithin.some((name) => path.includes(name)),
      );
    });
    expect(titlesOf(open)).toEqual([]);
  });

  test('as the description of each of them says', () => {
    const { paths } = openApiDescription() as { paths: Record<string, Record<string, { description: string }>> };
    for (const { method, path } of operations)
      expect(paths[path]![method.toLowerCase()]!.description).toContain('that is null counts as left out');
    expect(paths['/v1/shops/{slug}/orders']!.put!.description).toContain(
      'counts as left out, except `alt`. What is in `order_analytics` and `tax_lines` stays as you send it.',
    );
  });
});
