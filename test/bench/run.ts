import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchDeliveries } from './deliveries.ts';
import { benchDue } from './due.ts';
import { benchHandler } from './handler-time.ts';
import { benchLoad } from './load-time.ts';
import { benchNeighbours } from './neighbours.ts';

/**
 * `npm run bench`: every figure beside a floor that is measured in the same run, since machines differ. The names of
 * benches as arguments choose among them.
 */
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const benches = {
  functions: async () => {
    await benchLoad(folder);
    await benchHandler(folder);
  },
  deliveries: benchDeliveries,
  due: benchDue,
  neighbours: benchNeighbours,
};
const isBench = (name: string): name is keyof typeof benches => name in benches;

try {
  const given = process.argv.slice(2);
  for (const name of given.length > 0 ? given : Object.keys(benches)) {
    if (!isBench(name)) throw new Error(`There is no bench ${name}, but: ${Object.keys(benches).join(', ')}.`);
    await benches[name]();
  }
} finally {
  await rm(folder, { recursive: true });
}
