import { afterAll, beforeAll, expect, test } from 'vitest';
import { countsWindowSeconds } from '#lib/constructs/counts.ts';
import type { Usage } from '#lib/local/aws/usage.ts';
import { allOperations } from '#schemas/families/index.ts';
import { sumOf } from './bill.ts';
import { before } from './bill-before.ts';
import { renderBill, writeBill, writtenUnits } from './bill-table.ts';
import { measureOrder, recordsWithin } from './measured-order.ts';
import { type MeasuredShop, startMeasuredShop } from './measured-shop.ts';
import { measurePipeline } from './pipeline-scenarios.ts';
import { openPlayedShop } from './played-orders.ts';
import { type Cost, readUnitsOf, renderTable, sectionOf } from './readme-table.ts';
import { scenarios } from './scenarios.ts';

let shop: MeasuredShop;
beforeAll(async () => {
  shop = await startMeasuredShop();
  shop.stack.usage.start();
}, 240_000);
afterAll(() => shop?.end());

const assumptions = { logBytes: 300, kmsRequests: 0.01, methodsWithMetrics: 0 };
/** The README has one decimal. */
const rounding = 0.05;

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
  for (const scenario of scenarios) {
    const prepared = (await scenario.prepare?.(shop)) ?? '';
    shop.stack.usage.take();
    expect((await scenario.run(shop, prepared)).status, scenario.operation).toBeOneOf([200, 204, 302, 303]);
    const usages = ownUsages(scenario.operation);
    const { maxReadUnits = Number.POSITIVE_INFINITY } = scenario;
    expect(readUnitsOf(usages), scenario.operation).toBeLessThanOrEqual(maxReadUnits);
    costs.push({ scenario, usages });
  }
  compare('costs', renderTable('Operation', costs));
}, 180_000);

/** With the part of the README, which `npm run costs` writes anew first. */
function compare(name: string, table: string): void {
  const section = sectionOf(name);
  if (process.env.UPDATE_COSTS) section.write(table);
  expect(table.split('\n')).toEqual(section.read().split('\n'));
}

test('an order costs no more write units on its whole way than the bill in the README says', async () => {
  await using played = await openPlayedShop(shop.stack, shop.operator, 'billed-shop');
  const order = await measureOrder(shop.stack, played, 3, recordsWithin(countsWindowSeconds));
  if (process.env.UPDATE_COSTS) writeBill(renderBill(before, { order, assumptions }));
  expect(sumOf(order.writeUnits)).toBeLessThanOrEqual(writtenUnits() + rounding);
});

test('every function behind the API costs what the table in its README says', async () => {
  await using played = await openPlayedShop(shop.stack, shop.operator, 'piped-shop');
  compare('pipeline', renderTable('Function', await measurePipeline(shop, played)));
});
