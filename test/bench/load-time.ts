import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { bundleEntry, unusedInLambda } from '#lib/bundling/bundle.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { familyNames } from '#schemas/families/index.ts';
import { loadedAtStart } from '#test/kit/loaded-at-start.ts';
import { fixed } from './statistics.ts';

const rounds = 25;

interface Bundle {
  name: string;
  path: string;
  metafile: Metafile;
  loads: Load[];
}

/** One start of a function. */
interface Load {
  ms: number;
  cpuMs: number;
  /** The modules of Node that the code loaded. */
  builtins: number;
}

/**
 * What each function loads at start, and how long that takes, beside a bundle of the bare document client. Then what it
 * loads beyond that client, biggest first: a part that its first request does not need could be loaded later.
 */
export async function benchLoad(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const bundles = await bundled(folder);
    // Interleaved, so that a slow moment of the machine affects all of them.
    for (let round = 0; round < rounds; round++) {
      for (const { path, loads } of bundles) loads.push(load(path));
    }
    const [floor, ...functions] = bundles as [Bundle, ...Bundle[]];
    console.table(Object.fromEntries(bundles.map((bundle) => [bundle.name, figuresOf(bundle, floor)])));
    for (const { name, metafile } of functions) listParts(name, metafile, floor.metafile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundled(folder: string): Promise<Bundle[]> {
  const entries = [
    ...familyNames.map((name) => ({ name, entry: `functions/api/${name}/handler.ts` })),
    ...pipelineNames.map((name) => ({ name, entry: `functions/pipeline/${name}/handler.ts` })),
  ];
  const floor = join(folder, 'floor');
  const bundles: Bundle[] = [{ name: 'floor', path: floor, metafile: await bundleFloor(floor), loads: [] }];
  for (const { name, entry } of entries) {
    const path = join(folder, name);
    bundles.push({ name, path, metafile: await bundleEntry(entry, path), loads: [] });
  }
  return bundles;
}

/** As esbuild bundles it, with nothing of what our bundles leave out and join. */
async function bundleFloor(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: { index: 'test/bench/floor.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    splitting: true,
    mainFields: ['module', 'main'],
    minify: true,
    external: unusedInLambda,
    metafile: true,
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  return metafile;
}

/** The least of all rounds: whatever else the machine does can only add to it. */
const least = (loads: readonly Load[], of: keyof Load) => Math.min(...loads.map((one) => one[of]));

function figuresOf({ metafile, loads }: Bundle, floor: Bundle) {
  const { files, bytes, modules } = loadedAtStart(metafile);
  return {
    'files at start': files,
    KB: fixed(bytes / 1024, 0),
    modules: modules.size,
    "Node's modules": least(loads, 'builtins'),
    'load, ms': fixed(least(loads, 'ms')),
    'of the floor': fixed(least(loads, 'ms') / least(floor.loads, 'ms'), 2),
    'CPU, ms': fixed(least(loads, 'cpuMs')),
    'CPU of the floor': fixed(least(loads, 'cpuMs') / least(floor.loads, 'cpuMs'), 2),
  };
}

const partsShown = 12;

/** A package, or a folder of ours. */
const partOf = (module: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ??
  module.replace(/^((?:functions|schemas)\/[^/]+\/[^/]+)\/.*$/, '$1');

function listParts(name: string, metafile: Metafile, floor: Metafile): void {
  const inFloor = loadedAtStart(floor).modules;
  const parts = new Map<string, { bytes: number; modules: number }>();
  for (const [module, bytes] of loadedAtStart(metafile).modules) {
    if (inFloor.has(module)) continue;
    const part = parts.get(partOf(module)) ?? { bytes: 0, modules: 0 };
    parts.set(partOf(module), { bytes: part.bytes + bytes, modules: part.modules + 1 });
  }
  const biggest = [...parts].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, partsShown);
  const texts = biggest.map(([part, { bytes, modules }]) => `${part} ${fixed(bytes / 1024)} KB (${modules})`);
  console.log(`\n${name} loads beyond the floor: ${texts.join(', ')}`);
}

/** In a fresh process each time, as Lambda starts it. */
function load(bundle: string): Load {
  const script = `
    const builtins = process.moduleLoadList.length, cpu = process.cpuUsage(), start = performance.now();
    await import(${JSON.stringify(pathToFileURL(join(bundle, 'index.mjs')))});
    const ms = performance.now() - start, { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000, builtins: process.moduleLoadList.length - builtins }));`;
  const env = {
    ...process.env,
    POWERTOOLS_METRICS_NAMESPACE: 'bench',
    POWERTOOLS_SERVICE_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
  };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }));
}
