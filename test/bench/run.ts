import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run bench`: every figure beside a floor that is measured in the same run, since machines differ. The names of
 * benches as arguments choose among them.
 */
const folder = await mkdtemp(join(tmpdir(), 'bench-'));

/** Each is loaded when it is its turn: what it starts must not keep the process alive when others are chosen. */
const benches = {
  functions: async () => {
    const [{ benchLoad }, { benchHandler }] = await Promise.all([
      import('./load-time.ts'),
      import('./handler-time.ts'),
    ]);
    await benchLoad(folder);
    await benchHandler(folder);
  },
  deliveries: async () => (await import('./deliveries.ts')).benchDeliveries(),
  due: async () => (await import('./due.ts')).benchDue(),
  providers: async () => (await import('./providers.ts')).benchProviders(),
  pages: async () => (await import('./pages.ts')).benchPages(),
  neighbours: async () => (await import('./neighbours.ts')).benchNeighbours(),
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
