import { dayOf } from '#domain/figures/count-rules.ts';
import { laneOfCounter } from '#domain/figures/counter-names.ts';
import { firstLearnedDay, lanesAtOnce, learnLane, readShipped } from '#domain/figures/learn-lane.ts';
import { chunks } from '#platform/batches.ts';
import { countIn, queryCounters } from '#platform/table/counters.ts';
import { dayCountsPrefix, type Lane, laneName, statisticsOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';

/** Learns every lane anew that a shop has used in the days that speak. Returns their number. */
export async function learnShop(slug: string, now: Date): Promise<number> {
  const lanes = await lanesOf(slug, now);
  for (const some of chunks(lanes, lanesAtOnce)) {
    const shipped = await readShipped(slug, some, now);
    for (const lane of some) await learnLane(slug, lane, now, shipped);
  }
  return lanes.length;
}

async function lanesOf(slug: string, now: Date): Promise<Lane[]> {
  const first = firstLearnedDay(dayOf(now.toISOString()));
  // `~` sorts after every day.
  const days = itemsIn(statisticsOf(slug), { from: dayCountsPrefix + first, to: `${dayCountsPrefix}~` });
  const lanes = new Map<string, Lane>();
  for await (const items of queryCounters({ ...days, ConsistentRead: true }))
    for (const item of items)
      for (const name in item) {
        const lane = laneOfCounter(name);
        if (lane && countIn(item, name) > 0) lanes.set(laneName(lane), lane);
      }
  return [...lanes.values()];
}
