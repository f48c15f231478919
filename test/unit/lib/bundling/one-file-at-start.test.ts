import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { loadedAtStart } from '#test/kit/loaded-at-start.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sources = {
  'counter.ts': 'let count = 0; export const increment = () => ++count;',
  'later.ts': "import { increment } from './counter.ts'; export const incremented = () => increment();",
  'entry.ts': `import { increment } from './counter.ts';
    export const handler = async () => [increment(), (await import('./later.ts')).incremented(), increment()];`,
};

it('joins what a bundle loads at start to one file, which shares its state with the files that are loaded later', async () => {
  for (const [name, code] of Object.entries(sources)) await writeFile(join(folder, name), code);
  const bundle = join(folder, 'bundle');
  const metafile = await bundleEntry(join(folder, 'entry.ts'), bundle);
  const { files, modules } = loadedAtStart(metafile);
  expect(files).toBe(1);
  expect([...modules.keys()].filter((name) => name.endsWith('counter.ts'))).toHaveLength(1);
  const entry = join(bundle, 'index.mjs');
  expect(await readFile(entry, 'utf8')).not.toContain('chunk-');
  const { handler } = await import(/* @vite-ignore */ pathToFileURL(entry).href);
  expect(await handler()).toEqual([1, 2, 3]);
});
