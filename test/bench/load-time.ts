import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { familyNames } from '#schemas/families/index.ts';
import { fixed, median } from './statistics.ts';

const rounds = 25;

/** Size and module-load time of each function's bundle, beside a bundle of the bare document client. */
export async function benchLoad(folder: string): Promise<void> {
  const entries = [
    { name: 'floor', entry: 'test/bench/floor.ts' },
    ...familyNames.map((name) => ({ name, entry: `functions/api/${name}/handler.ts` })),
  ];
  const bundles = await Promise.all(
    entries.map(async ({ name, entry }) => {
      const path = join(folder, 'bundles', name);
      return { name, path, metafile: (await bundleEntry(entry, path)).metafile!, times: [] as number[] };
    }),
  );
  // Interleaved, so that a slow moment of the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    for (const { path, times } of bundles) times.push(loadTime(path));
  }
  const floor = median(bundles[0]!.times);
  const rows = bundles.map(({ name, metafile, times }) => {
    const { atStart, all } = sizes(metafile);
    const load = median(times);
    const figures = {
      'loaded at start, KB': fixed(atStart / 1024, 0),
      'all code, KB': fixed(all / 1024, 0),
      'load, ms': fixed(load),
      'of the floor': fixed(load / floor, 2),
    };
    return [name, figures];
  });
  console.table(Object.fromEntries(rows));
}

/** Static imports of the entry are loaded at start, and the rest when a request needs it. */
function sizes({ outputs }: Metafile): { atStart: number; all: number } {
  const code = Object.keys(outputs).filter((file) => file.endsWith('.mjs'));
  const loaded = new Set(code.filter((file) => file.endsWith('/index.mjs')));
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]!.imports) {
      if (kind === 'import-statement' && outputs[path]) loaded.add(path);
    }
  }
  const bytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + outputs[file]!.bytes, 0);
  return { atStart: bytes(loaded), all: bytes(code) };
}

/** In a fresh process each time, as Lambda starts it. */
function loadTime(bundle: string): number {
  const script = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(join(bundle, 'index.mjs')))}); console.log(performance.now() - start);`;
  const env = {
    ...process.env,
    POWERTOOLS_METRICS_NAMESPACE: 'bench',
    POWERTOOLS_SERVICE_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
  };
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }));
}
