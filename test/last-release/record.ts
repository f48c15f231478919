import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { contractModules } from '#lib/bundling/contract-modules.ts';
import { minifiedTexts } from '#lib/bundling/minified-texts.ts';
import { loadStage } from '#lib/stage.ts';
import { dictionaries } from '#platform/table/dictionary.ts';
import { synthesize } from '#test/infra/synthesis.ts';
import { deployedBy, keptStages, variablesOf, warmThroughputOf } from './deployed.ts';
import { grantedStages, grantsOf } from './grants.ts';

/**
 * Keeps what the commit that is checked out can read and may do, for the next versions: its functions in one file, their
 * grants and environment variables, the dictionaries that they read, and what of the template changes only in steps. `npm run release:record` is part of a release, after it has landed.
 */

/** Without those that store nothing that another function reads, and without the tracking pages, which are mostly texts. */
const leftOut = ['images', 'meta', 'pages', 'sessions', 'shop-system', 'tracking-providers'];

const entries = ['api', 'pipeline'].flatMap((layer) =>
  readdirSync(`functions/${layer}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !leftOut.includes(entry.name))
    .map(({ name }) => `export { handler as '${name}' } from './functions/${layer}/${name}/handler.ts';`),
);

/** Packages stay outside, so that tests can stand in for AWS. So do the texts of other languages. */
const ownCode: Plugin = {
  name: 'own-code',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(@?[a-z][\w-]*(\/|$)|node:)/ }, ({ path }) =>
      made.test(path) ? undefined : { path, external: true },
    );
    onLoad({ filter: /texts\/\w+\.json$/ }, ({ path }) =>
      path.endsWith('/en.json') ? undefined : { contents: '{}', loader: 'json' },
    );
  },
};

/** Modules that the bundler makes of the declarations. */
const made = /^(contract|message|form|minified|texts)[:/]/;

await build({
  stdin: { contents: entries.join('\n'), resolveDir: process.cwd() },
  outfile: 'test/last-release/functions.mjs',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
  plugins: [ownCode, contractModules.esbuild(), minifiedTexts.esbuild()],
});

const keep = (name: string, facts: object) =>
  writeFileSync(`test/last-release/${name}.json`, `${JSON.stringify(facts, null, 2)}\n`);

const [plain, full] = [synthesize(grantedStages.plain), synthesize(grantedStages.full)];
keep('grants', { plain: grantsOf(plain), full: grantsOf(full) });
const stages = await Promise.all(keptStages.map(async (name) => [name, synthesize(await loadStage(name))] as const));
keep('deployed', {
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  ...deployedBy(full),
  variables: { plain: variablesOf(plain), full: variablesOf(full) },
  warmThroughput: Object.fromEntries(stages.map(([name, template]) => [name, warmThroughputOf(template) ?? null])),
});
keep(
  'dictionaries',
  dictionaries.map((dictionary) => createHash('sha256').update(dictionary).digest('hex')),
);
