import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { whileBundling } from './bundle.ts';
import { operationTable } from './operation-table.ts';

const sources = fileURLToPath(new URL('../console/', import.meta.url));

const eventTexts = fileURLToPath(new URL('../../functions/domain/texts/', import.meta.url));

/** Where the console stands in the service's address. */
export const consolePath = 'console';

/**
 * Writes `<outDir>/console/index.html` and `<outDir>/console/assets/`. The names of assets hold a hash of their content,
 * so browsers may keep them for ever. Each view is a file of its own, which is loaded when it is opened.
 */
export async function bundleConsole(outDir: string): Promise<Metafile> {
  const assets = join(outDir, consolePath, 'assets');
  await rm(join(outDir, consolePath), { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  const { metafile } = await whileBundling(() =>
    build({
      entryPoints: [join(sources, 'main.tsx')],
      outdir: assets,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome120', 'firefox121', 'safari17'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      legalComments: 'none',
      metafile: true,
      plugins: [operationTable(), textModules()],
      logLevel: 'error',
    }),
  );
  const html = await readFile(join(sources, 'index.html'), 'utf8');
  const filled = html
    .replace('{{style}}', addressOf(metafile, '.css'))
    .replace('{{script}}', addressOf(metafile, '.js'))
    .replace(/\n/g, '');
  await writeFile(join(outDir, consolePath, 'index.html'), filled);
  return metafile;
}

function addressOf({ outputs }: Metafile, ending: '.css' | '.js'): string {
  const names = Object.keys(outputs).map((path) => basename(path));
  const name = names.find((one) => one.startsWith('main-') && one.endsWith(ending));
  return `/${consolePath}/assets/${name}`;
}

/**
 * `import('texts:en/support')` gives the texts of one area. `texts:en/base` gives those that every view needs, and the titles
 * of all views, which the navigation shows. `texts:en/shipmentEvents` gives the names of events that customers read, `texts:en/errors`
 * what the console says about the errors of the service, `texts:en/receivers` what the overview tells admins only,
 * `texts:en/newShop` what it says in an empty shop, and `texts:en/work` what views need that do more than show.
 */
function textModules(): Plugin {
  return {
    name: 'console-texts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^texts:/ }, ({ path }) => ({ path, namespace: 'texts' }));
      onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => {
        const [, language, part] = /^texts:(\w+)\/(\w+)$/.exec(path)!;
        return { contents: `export const texts = ${JSON.stringify(textsOf(language!, part!))};`, loader: 'js' };
      });
    },
  };
}

type Texts = { [name: string]: string | Texts };

function textsOf(language: string, part: string): Texts {
  const all: Texts = JSON.parse(readFileSync(join(sources, 'texts', `${language}.json`), 'utf8'));
  if (part === 'shipmentEvents') {
    return { [part]: eventNames(language), ...pick(all, besideEvents) };
  }
  if (part === 'work') return pick(all, ofWork);
  return part === 'base' ? baseTexts(all) : { [part]: all[part]! };
}

const pick = (all: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(names.map((name) => [name, all[name]!]));

interface EventTexts {
  events: Record<string, { list_label: string }>;
  returns: EventTexts['events'];
}

/** The same words that customers read, so that nobody has to learn others. `returns` has those of a parcel sent back. */
function eventNames(language: string): Texts {
  const { events, returns }: EventTexts = JSON.parse(readFileSync(join(eventTexts, `${language}.json`), 'utf8'));
  const labels = (of: EventTexts['events']): Texts =>
    Object.fromEntries(Object.entries(of).map(([name, { list_label }]) => [name, list_label]));
  return { ...labels(events), returns: labels(returns) };
}

/** What only views that show events need. */
const besideEvents = ['events', 'durations', 'timeline', 'preview', 'authors', 'deliveries'];

/** What only views need in which somebody works: forms, what lists can do, shops to choose from, and those that get deliveries. */
const ofWork = ['form', 'results', 'shopChoice', 'health', 'integrations'];

/** What not every view needs. */
const loadedLater = ['errors', 'login', 'receivers', 'newShop', ...besideEvents, ...ofWork];

function baseTexts(all: Texts): Texts {
  const files = globSync('views/*/routes.ts', { cwd: sources });
  const areas = new Set(files.map((file) => basename(dirname(file))));
  const base: Texts = Object.fromEntries(
    Object.entries(all).filter(([name]) => !areas.has(name) && !loadedLater.includes(name)),
  );
  for (const file of files) {
    const titles = readFileSync(join(sources, file), 'utf8').matchAll(/title: '([\w.]+)'/g);
    for (const [, title] of titles) copyText(all, base, title!.split('.'));
  }
  return base;
}

function copyText(from: Texts, to: Texts, [name, ...rest]: string[]): void {
  const text = from[name!];
  if (text === undefined) return;
  if (rest.length === 0) to[name!] = text;
  else {
    to[name!] = { ...(to[name!] as Texts | undefined) };
    copyText(text as Texts, to[name!] as Texts, rest);
  }
}
