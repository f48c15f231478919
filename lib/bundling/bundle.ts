import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, stop } from 'esbuild';
import { type PipelineName, pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { docsPages } from '../docs/docs-pages.ts';
import { contractModules } from './contract-modules.ts';
import { minifiedTexts } from './minified-texts.ts';
import { joinStart } from './one-file-at-start.ts';

/** Writes `<outDir>/<name>/index.mjs`, the code of the Lambda function, for each family and each pipeline function. */
export async function bundleFunctions(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  const names = [...familyNames, ...pipelineNames];
  const bundleNext = async (): Promise<void> => {
    for (let name = names.shift(); name; name = names.shift()) await bundleFunction(name, join(outDir, name));
  };
  await whileBundling(() => Promise.all(Array.from({ length: maxConcurrentBundles }, bundleNext)));
}

// More are not faster: esbuild uses every core for each bundle, and all at the same time need 1.5 GB.
const maxConcurrentBundles = 4;

let runningBundles = 0;

/** Otherwise the esbuild process and its memory would stay until ours ends. It starts again when it is needed. */
export async function whileBundling<T>(work: () => Promise<T>): Promise<T> {
  runningBundles++;
  try {
    return await work();
  } finally {
    runningBundles--;
    if (runningBundles === 0) await stop();
  }
}

async function bundleFunction(name: FamilyName | PipelineName, outDir: string): Promise<void> {
  const metafile = await bundleEntry(`functions/${layerOf(name)}/${name}/handler.ts`, outDir);
  // Beside the bundle, not in it. https://esbuild.github.io/analyze/ shows the content of a function.
  await writeFile(metafileOf(outDir), JSON.stringify(metafile));
  for (const [file, content] of Object.entries(documentsOf(name))) await writeFile(join(outDir, file), content);
}

const layerOf = (name: FamilyName | PipelineName) =>
  familyNames.some((family) => family === name) ? 'api' : 'pipeline';

export const metafileOf = (bundle: string) => `${bundle}.meta.json`;

/** Files that a function serves unchanged. */
function documentsOf(name: FamilyName | PipelineName): Record<string, string> {
  if (name !== 'meta') return {};
  const pages = Object.entries(docsPages()).map(([page, html]) => [`docs-${page}.html`, html]);
  return { 'openapi.json': JSON.stringify(openApiDescription()), ...Object.fromEntries(pages) };
}

/** Returns what the bundle contains. */
export async function bundleEntry(entry: string, outDir: string, more: BuildOptions = {}): Promise<Metafile> {
  await mkdir(outDir, { recursive: true });
  const options = optionsOf(entry, outDir, more);
  return whileBundling(async () => {
    const { metafile } = await build({ ...options, metafile: true });
    return joinStart(metafile, outDir, options);
  });
}

function optionsOf(entry: string, outDir: string, { plugins = [], ...more }: BuildOptions): BuildOptions {
  return {
    entryPoints: { index: entry },
    inject: [stackTraces],
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    // undici's own sign that its second parser, an experiment of 165 KB, is left out.
    define: { esbuildDetection: '1' },
    format: 'esm',
    // A dynamic import becomes a separate file, which is loaded only when it is needed.
    splitting: true,
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    external: unusedInLambda,
    plugins: [
      ...plugins,
      contractModules.esbuild(),
      minifiedTexts.esbuild(),
      builtinsWithoutFacade(),
      undiciInPart(),
      lazyModules(),
    ],
    // Some dependencies are CommonJS and call require for Node's own modules.
    banner: { js: 'const require=process.getBuiltinModule;' },
    logLevel: 'error',
    ...more,
  };
}

/** What every function begins with. */
const stackTraces = 'functions/platform/stack-traces.ts';

/** Lambda passes credentials in the environment. The SDK would load these only to search for others. */
export const unusedInLambda = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
];

/**
 * `import ... from 'node:http'` makes Node evaluate every export of the module, and some of them are getters that load much
 * more: of `http` WebSockets and fetch, of `process` the streams of the standard output, of `fs` its promises, of `util` worker
 * threads. So these have what is used of them, and nothing is evaluated before its use: a start loads 18 modules of Node less.
 */
function builtinsWithoutFacade(): Plugin {
  const contents: Record<string, string> = {
    http: "module.exports = process.getBuiltinModule('node:http');",
    fs: "module.exports = process.getBuiltinModule('node:fs');",
    'fs/promises':
      "export const readFile = (...given) => process.getBuiltinModule('node:fs/promises').readFile(...given);",
    process: 'export const { env, versions } = globalThis.process;',
    util: "export const { isDeepStrictEqual, promisify } = process.getBuiltinModule('node:util');",
  };
  return {
    name: 'builtins-without-facade',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?(http|fs|fs\/promises|process|util)$/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path: path.replace('node:', ''), namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: contents[path]!, loader: 'js' }));
    },
  };
}

/**
 * The index of undici loads all that it can do: fetch, WebSockets, caches, mocks, parsers. Of its 700 KB our calls need the
 * agent and its connector, and of these neither HTTP/2, which the connector refuses, nor the bodies of fetch, nor the parser
 * for machines without SIMD. So the functions that call others load a sixth faster.
 */
function undiciInPart(): Plugin {
  return {
    name: 'undici-in-part',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'in-part' }));
      onLoad({ filter: /.*/, namespace: 'in-part' }, () => ({
        contents: partsOfUndici,
        resolveDir: '.',
        loader: 'js',
      }));
      onLoad({ filter: unusedOfUndici }, () => ({ contents: '', loader: 'js' }));
    },
  };
}

const unusedOfUndici = /undici\/lib\/(web\/.*|llhttp\/llhttp-wasm|dispatcher\/client-h2)\.js$/;

const partsOfUndici = `
require('undici/lib/dispatcher/dispatcher').prototype.request = require('undici/lib/api/api-request');
exports.Agent = require('undici/lib/dispatcher/agent');
exports.buildConnector = require('undici/lib/core/connect');`;

/**
 * A module of `functions/platform/lazy` becomes a separate file that shares no code with the rest. Otherwise the code
 * that a rarely used AWS client shares with the DynamoDB client would move to a chunk that every start loads.
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

/** It is the same for every function, so it is built once. */
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
    inject: [],
    splitting: false,
    write: false,
    plugins: [builtinsWithoutFacade()],
  });
  return outputFiles.map(({ path, contents }) => ({ path: basename(path), contents }));
}
