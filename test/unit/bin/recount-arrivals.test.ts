import { expect, test } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { laneCounters } from '#test/kit/lane-counters.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';
import { learnShop } from '../../../bin/operator/recount-arrivals.ts';

const now = new Date('2026-11-17T12:00:00.000Z');
const today = '2026-11-17';
const germany = { carrier: 'dhl', country: 'DE' };
const unknown = { carrier: '-', country: '-' };

test('every lane that a shop has used in the days that speak is learned anew, whatever is known about it', async () => {
  tableWith(
    ...laneCounters({ slug: 'blue', lane: germany, today, days: 30, parcels: 4 }),
    { ...keyOf.dayCounts('blue', '2026-11-17'), 's#-#-': 1, 's#gls#AT': 0, orders: 1 },
    { ...keyOf.dayCounts('blue', '2026-08-01'), 's#gls#FR': 3 },
    { ...keyOf.dayCounts('red', '2026-11-16'), 's#ups#FR': 3 },
    { ...keyOf.arrivalModel('blue', germany), made_at: '2026-11-17T11:59:00.000Z', parcels: 9, form: 1, model: '{}' },
  );
  expect(await learnShop('blue', now)).toBe(2);
  expect(memoryTable.read(keyOf.arrivalModel('blue', germany))).toMatchObject({
    made_at: now.toISOString(),
    parcels: 112,
  });
  expect(memoryTable.read(keyOf.arrivalModel('blue', unknown))).toMatchObject({ parcels: 0 });
  expect(memoryTable.all('STATISTICS#').filter(({ sk }) => sk.startsWith('ARRIVAL#'))).toHaveLength(2);
});
