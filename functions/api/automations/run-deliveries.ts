import type { ActionResult, AutomationRun } from '#domain/automations/run.ts';
import type { Delivery } from '#domain/deliveries/model.ts';
import { chunks } from '#platform/chunks.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';

type Place = NonNullable<ActionResult['delivery']>;

export type DeliveryOf = (place: Place) => Pick<Delivery, 'status' | 'attempt_count'> | undefined;

/** How far the deliveries of runs have come; one that is gone by now is missing. */
export async function deliveriesOfRuns(slug: string, runs: readonly AutomationRun[]): Promise<DeliveryOf> {
  const places = runs.flatMap(({ results }) => Object.values(results).flatMap(({ delivery }) => delivery ?? []));
  const keys = places.map(({ target, id }) => keyOf.delivery(slug, target, id));
  const items = (await Promise.all(chunks(keys, 100).map(batchGet))).flat();
  const found = new Map(places.map((place, i) => [nameOf(place), items[i]]));
  return (place) => found.get(nameOf(place)) as unknown as ReturnType<DeliveryOf>;
}

const nameOf = ({ target, id }: Place) => `${target} ${id}`;
