import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin, stop } from 'esbuild';
import { type PipelineName, pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { contractModules } from './contract-modules.ts';
import { docsPage } from './docs-page.ts';

/** Writes `<outDir>/<name>/index.mjs` for each family and each pipeline function: the code of its Lambda function. */
export async function bundleFunctions(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  const names = [...familyNames, ...pipelineNames];
  const bundleNext = async (): Promise<void> => {
    for (let name = names.shift(); name; name = names.shift()) await bundleFunction(name, join(outDir, name));
  };
  await whileBundling(() => Promise.all(Array.from({ length: atATime }, bundleNext)));
}

// More at a time are not faster: esbuild uses every core for each of them, and all at once take 1.5 GB.
const atATime = 4;

let bundlings = 0;

/** esbuild's process would stay, with all that it has read, until ours ends. It starts anew where it is needed again. */
async function whileBundling<T>(work: () => Promise<T>): Promise<T> {
  bundlings++;
  try {
    return await work();
  } finally {
    bundlings--;
    if (bundlings === 0) await stop();
  }
}

async function bundleFunction(name: FamilyName | PipelineName, outDir: string): Promise<void> {
  const { metafile } = await bundleEntry(`functions/${layerOf(name)}/${name}/handler.ts`, outDir);
  // Beside the code, not in it: https://esbuild.github.io/analyze/ shows what a function is made of.
  await writeFile(metafileOf(outDir), JSON.stringify(metafile));
  for (const [file, content] of Object.entries(await documentsOf(name))) await writeFile(join(outDir, file), content);
}

/** Families answer the API, the others work behind it. */
const layerOf = (name: FamilyName | PipelineName) =>
  familyNames.some((family) => family === name) ? 'api' : 'pipeline';

export const metafileOf = (bundle: string) => `${bundle}.meta.json`;

/** Files that a function serves as they are. */
async function documentsOf(name: FamilyName | PipelineName): Promise<Record<string, string>> {
  if (name !== 'meta') return {};
  return { 'openapi.json': JSON.stringify(openApiDescription()), 'docs.html': await docsPage() };
}

export async function bundleEntry(entry: string, outDir: string, more: BuildOptions = {}): Promise<BuildResult> {
  await mkdir(outDir, { recursive: true });
  return whileBundling(() => build(optionsOf(entry, outDir, more)));
}

function optionsOf(entry: string, outDir: string, more: BuildOptions): BuildOptions {
  return {
    entryPoints: { index: entry },
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // What a function imports while it serves a request becomes a file of its own, loaded only then.
    splitting: true,
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    external: unusedInLambda,
    plugins: [contractModules.esbuild(), httpWithoutFacade(), lazyModules()],
    // Some dependencies are CommonJS inside and call require for Node's own modules.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'error',
    ...more,
  };
}

/** Lambda gives credentials in the environment; the SDK would load these only to look for others. */
const unusedInLambda = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
];

/**
 * `import ... from 'node:http'` makes Node evaluate every export of the module, among them getters that load its whole
 * WebSocket and fetch implementation: 20 ms of start-up for a table of status texts.
 */
function httpWithoutFacade(): Plugin {
  return {
    name: 'http-without-facade',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
        kind === 'import-statement' ? { path: 'http', namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'builtin' }, () => ({
        contents: "module.exports = process.getBuiltinModule('node:http');",
        loader: 'js',
      }));
    },
  };
}

/**
 * A module of `functions/platform/lazy` becomes a file of its own that shares no code with the rest. Otherwise what an AWS
 * client that is rarely needed has in common with the table's would move to a chunk that every start loads.
 */
function lazyModules(): Plugin {
  return {
    name: 'lazy-modules',
    setup({ onResolve, onEnd, initialOptions }) {
      const found = new Set<string>();
      onResolve({ filter: /^#platform\/lazy\// }, ({ path }) => {
        const name = basename(path, '.ts');
        found.add(name);
        return { path: `./lazy-${name}.mjs`, external: true };
      });
      onEnd(async () => {
        const files = await Promise.all([...found].map((name) => lazyModule(name, initialOptions)));
        for (const { path, contents } of files.flat()) await writeFile(join(initialOptions.outdir!, path), contents);
      });
    },
  };
}

const lazyBuilds = new Map<string, Promise<{ path: string; contents: Uint8Array }[]>>();

/** The same for every function, and so built once. */
function lazyModule(name: string, options: BuildOptions) {
  const building = lazyBuilds.get(name) ?? buildLazyModule(name, options);
  lazyBuilds.set(name, building);
  return building;
}

async function buildLazyModule(name: string, options: BuildOptions) {
  const entryPoints = [{ in: `functions/platform/lazy/${name}.ts`, out: `lazy-${name}` }];
  const { outputFiles } = await build({
    ...options,
    entryPoints,
    splitting: false,
    write: false,
    plugins: [httpWithoutFacade()],
  });
  return outputFiles.map(({ path, contents }) => ({ path: basename(path), contents }));
}
