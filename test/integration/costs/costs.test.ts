import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { allOperations } from '#schemas/families/index.ts';
import { type MeasuredShop, startMeasuredShop } from './measured-shop.ts';
import { type Cost, readUnitsOf, renderTable, writeTable, writtenTable } from './readme-table.ts';
import { scenarios } from './scenarios.ts';

let shop: MeasuredShop;
beforeAll(async () => {
  shop = await startMeasuredShop();
}, 240_000);
afterAll(() => shop?.end());

test('every operation has a cost', () => {
  const measured = new Set(scenarios.map(({ operation }) => operation));
  expect(allOperations.map(({ id }) => id).filter((id) => !measured.has(id))).toEqual([]);
});

/** The pipeline works in the background, so that its requests do not count. */
function ownUsages(operation: string): Usage[] {
  const { family } = allOperations.find(({ id }) => id === operation)!;
  return shop.stack.usage
    .take()
    .filter(({ functionId }) => functionId.toLowerCase().startsWith(`${family.replaceAll('-', '')}api`));
}

test('every operation costs what the table in its README says', async () => {
  const costs: Cost[] = [];
  shop.stack.usage.start();
  for (const scenario of scenarios) {
    const prepared = (await scenario.prepare?.(shop)) ?? '';
    shop.stack.usage.take();
    expect((await scenario.run(shop, prepared)).status, scenario.operation).toBeOneOf([200, 204, 302, 303]);
    const usages = ownUsages(scenario.operation);
    const { maxReadUnits = Number.POSITIVE_INFINITY } = scenario;
    expect(readUnitsOf(usages), scenario.operation).toBeLessThanOrEqual(maxReadUnits);
    costs.push({ scenario, usages });
  }
  const table = renderTable(costs);
  if (process.env.UPDATE_COSTS) writeTable(table);
  expect(writtenTable()).toBe(table);
});
