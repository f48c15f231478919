import { invalidValue, ServiceError } from '#platform/errors.ts';
import { type Counter, countNew, countRemoved } from '#platform/table/counter.ts';
import { keyOf, simulationPrefix, simulationsOf } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import type { ListReader } from '#platform/table/paging.ts';
import { getItem, itemsIn, queryAll } from '#platform/table/reads.ts';
import { type Action, put } from '#platform/table/writes.ts';
import { simulationLimits } from '#schemas/catalogues/limits.ts';
import { type Simulation, type SimulationItem, simulationItem, toSimulation } from './simulation.ts';
import { hasEnded } from './simulation-rules.ts';

/** Also finds one that is being removed. */
export async function findSimulation(slug: string, uuid: string): Promise<Simulation | undefined> {
  const item = await getItem<SimulationItem>(keyOf.simulation(slug, uuid.toLowerCase()));
  return item && toSimulation(item);
}

export async function requireSimulation(slug: string, uuid: string): Promise<Simulation> {
  const simulation = await findSimulation(slug, uuid);
  if (!simulation || simulation.removed_at !== undefined) throw new ServiceError('simulation_not_found');
  return simulation;
}

/** The simulations of a shop, newest first. Few are being removed: instead of those, more are read. */
export const simulationReader = (slug: string): ListReader<Simulation> =>
  newestIn(simulationsOf(slug), simulationPrefix, {
    toEntry: (item) => (item.removed_at === undefined ? toSimulation(item as unknown as SimulationItem) : undefined),
  });

/** Fails if somebody else has changed the simulation since it was read. */
export const saveSimulation = (before: Simulation, after: Simulation): Action =>
  put(
    simulationItem({ ...after, version: before.version + 1 }),
    'version = :before AND attribute_not_exists(removed_at)',
    { ':before': before.version },
  );

const counterOf = (slug: string): Counter => ({
  key: keyOf.simulationCount(slug),
  max: simulationLimits.running,
  count: async () => {
    const items = await queryAll<SimulationItem>(
      itemsIn(simulationsOf(slug), { from: simulationPrefix, to: `${simulationPrefix}~` }),
    );
    return items.map(toSimulation).filter((one) => one.removed_at === undefined && !hasEnded(one)).length;
  },
  full: () =>
    invalidValue(
      ['body'],
      `cannot be started, because the shop already has ${simulationLimits.running} running simulations; end or remove one first`,
    ),
});

export const countStarted = (slug: string): Promise<Action> => countNew(counterOf(slug));
export const countEnded = (slug: string): Promise<Action> => countRemoved(counterOf(slug));
