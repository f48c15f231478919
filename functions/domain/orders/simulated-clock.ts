import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { unpack } from './order-items.ts';

/** What may belong to a simulation, such as an order or a claim. */
interface Simulated {
  simulation_id?: string | undefined;
}

/** The time at which something happens to an order: of a simulated one, that of its simulation. */
export async function clockOf(slug: string, { simulation_id }: Simulated, now: Date): Promise<Date> {
  if (simulation_id === undefined) return now;
  const [item] = await batchGet([keyOf.simulation(slug, simulation_id)]);
  return item ? new Date(unpack<{ clock: string }>(item.document as Uint8Array).clock) : now;
}
