import { statisticsOf, testCountsPrefix } from '#platform/table/keys.ts';
import { itemsIn, queryAll } from '#platform/table/reads.ts';
import { type Arm, control, orderedCounter, reorderedCounter, type TestCell } from './test-figures.ts';

/** What was counted for a test with so many campaigns, one cell for each day and arm. */
export async function readTestCells(slug: string, testId: string, campaigns: number): Promise<TestCell[]> {
  const prefix = testCountsPrefix(testId);
  const items = await queryAll<Record<string, unknown>>(itemsIn(statisticsOf(slug), { prefix }));
  const arms: Arm[] = [control, ...Array.from({ length: campaigns }, (_, position) => position)];
  return items.flatMap((item) =>
    arms.map((arm) => ({
      testId,
      day: String(item.sk).slice(prefix.length),
      arm,
      orders: Number(item[orderedCounter(arm)] ?? 0),
      reordered: Number(item[reorderedCounter(arm)] ?? 0),
    })),
  );
}
