import { spawnSync } from 'node:child_process';

/**
 * `npm run bench`: every figure beside a floor that is measured in the same run, since machines differ. The names of
 * benches as arguments choose among them, and options follow the name of the one that takes them: `day --orders 100000`.
 */
const benches = {
  load: async () => (await import('./load-time.ts')).benchLoad(),
  handlers: async () => (await import('./handler-time.ts')).benchHandler(),
  sdk: async () => (await import('./sdk-shortcuts.ts')).benchShortcuts(),
  deliveries: async () => (await import('./deliveries.ts')).benchDeliveries(),
  due: async () => (await import('./due.ts')).benchDue(),
  providers: async () => (await import('./providers.ts')).benchProviders(),
  pages: async () => (await import('./pages.ts')).benchPages(),
  figures: async () => (await import('./figures.ts')).benchFigures(),
  'ab-tests': async () => (await import('./ab-tests.ts')).benchAbTests(),
  dashboard: async () => (await import('./dashboard.ts')).benchDashboard(),
  arrival: async () => (await import('./arrival.ts')).benchArrival(),
  neighbours: async () => (await import('./neighbours.ts')).benchNeighbours(),
  day: async () => (await import('./day/day.ts')).benchDay(options),
};
type BenchName = keyof typeof benches;

const [given, options] = namesAndOptions(process.argv.slice(2));
const unknown = given.find((name) => !(name in benches));
if (unknown !== undefined) throw new Error(`There is no bench ${unknown}, but: ${Object.keys(benches).join(', ')}.`);
const names = (given.length > 0 ? given : Object.keys(benches)) as BenchName[];

if (names.length === 1) await benches[names[0]!]();
// Each in a process of its own: clients, tables and environment of one must not be there for the next.
else for (const name of names) runAlone(name);

/** The first option and all that follows it are options. */
function namesAndOptions(args: readonly string[]): [names: string[], options: string[]] {
  const first = args.findIndex((arg) => arg.startsWith('--'));
  return first < 0 ? [[...args], []] : [args.slice(0, first), args.slice(first)];
}

function runAlone(name: BenchName): void {
  const { status } = spawnSync(process.execPath, [import.meta.filename, name, ...options], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The bench ${name} failed.`);
}
