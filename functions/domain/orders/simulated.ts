import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { linesOf } from '#platform/table/packed-text.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { Action } from '#platform/table/writes.ts';

/** What may belong to a simulation, such as an order or a claim. */
interface Simulated {
  simulation_id?: string | undefined;
}

/** The time at which something happens to an order: of a simulated one, that of its simulation. */
export async function clockOf(slug: string, { simulation_id }: Simulated, now: Date): Promise<Date> {
  if (simulation_id === undefined) return now;
  const [item] = await batchGet([keyOf.simulation(slug, simulation_id)]);
  if (!item) return now;
  const [{ clock }] = linesOf(item.document as Uint8Array) as [{ clock: string }];
  return new Date(clock);
}

interface Made extends Simulated {
  shop_slug: string;
}

/**
 * The part of a transaction that lets nothing be made for a simulation that is removed: its events may still be on their
 * way then. Empty if nothing is simulated.
 */
export function whileSimulated({ shop_slug, simulation_id }: Made): Action[] {
  if (simulation_id === undefined) return [];
  const Key = keyOf.simulation(shop_slug, simulation_id);
  const ConditionExpression = 'attribute_exists(pk) AND attribute_not_exists(removed_at)';
  return [{ ConditionCheck: { TableName: tableName(), Key, ConditionExpression } }];
}

/**
 * False if it is for a simulation that is removed. A body that is too big for the table is stored before the transaction
 * with the check above, so this is asked first.
 */
export async function isStillWanted({ shop_slug, simulation_id }: Made): Promise<boolean> {
  if (simulation_id === undefined) return true;
  const [item] = await batchGet([keyOf.simulation(shop_slug, simulation_id)]);
  return item !== undefined && item.removed_at === undefined;
}
