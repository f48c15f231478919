import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { allOperations } from '#schemas/families/index.ts';
import { functionIds, synthesize } from '#test/infra/synthesis.ts';
import { type MeasuredShop, startMeasuredShop } from './measured-shop.ts';
import { scenarios } from './scenarios.ts';
import { type Cost, expectTable, readUnitsOf, renderTable, tableNames } from './tables.ts';

test('every operation has a cost', () => {
  const measured = new Set(scenarios.map(({ operation }) => operation));
  expect(allOperations.map(({ id }) => id).filter((id) => !measured.has(id))).toEqual([]);
});

/** The pipeline works in the background, so that its requests do not count. */
function ownUsages({ stack }: MeasuredShop, functionOf: string): Usage[] {
  return stack.usage.take().filter(({ functionId }) => functionId === functionOf);
}

const familyOf = (operation: string) => allOperations.find(({ id }) => id === operation)!.family;

describe('in a shop that has something of everything', () => {
  let shop: MeasuredShop;
  beforeAll(async () => {
    shop = await startMeasuredShop();
    shop.stack.usage.start();
  }, 240_000);
  afterAll(() => shop?.end());

  test('every operation costs what the table of its family says', async () => {
    const costs: Cost[] = [];
    const functions = functionIds(synthesize());
    for (const scenario of scenarios) {
      const prepared = (await scenario.prepare?.(shop)) ?? '';
      shop.stack.usage.take();
      expect((await scenario.run(shop, prepared)).status, scenario.operation).toBeOneOf([200, 204, 302, 303]);
      const usages = ownUsages(shop, functions[familyOf(scenario.operation)]!);
      expect(usages.length > 0, `${scenario.operation} asks AWS for something`).toBe(scenario.access !== 'nothing');
      const { maxReadUnits = Number.POSITIVE_INFINITY } = scenario;
      expect(readUnitsOf(usages), scenario.operation).toBeLessThanOrEqual(maxReadUnits);
      costs.push({ scenario, usages });
    }
    for (const [family, some] of Map.groupBy(costs, ({ scenario }) => familyOf(scenario.operation)))
      expectTable(family, `What the operations of ${family} cost`, renderTable('Operation', some));
  }, 400_000);
});

test('each family has a table, and there is none of another', () => {
  const families = new Set(allOperations.map(({ family }) => family));
  expect(tableNames().toSorted()).toEqual([...families, 'bill', 'ceilings', 'pipeline'].toSorted());
});
