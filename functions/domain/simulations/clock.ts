import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type SimulationItem, toSimulation } from './simulation.ts';

/** What may belong to a simulation, such as an order or a claim. */
interface Simulated {
  simulation_id?: string | undefined;
}

/** The time at which something happens to an order: of a simulated one, that of its simulation. */
export async function clockOf(slug: string, { simulation_id }: Simulated, now: Date): Promise<Date> {
  if (simulation_id === undefined) return now;
  const [item] = await batchGet([keyOf.simulation(slug, simulation_id)]);
  return item ? new Date(toSimulation(item as unknown as SimulationItem).clock) : now;
}
