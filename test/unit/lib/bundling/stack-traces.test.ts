import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleEntry } from '#lib/bundling/bundle.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'traces-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sources = {
  'rules.ts': `export function refuseOrder(): never {
  throw new TypeError('no order');
}`,
  'later.ts': "import { refuseOrder } from './rules.ts';\nexport const placeLater = () => refuseOrder();",
  'entry.ts': `export async function handler() {
  const { placeLater } = await import('./later.ts');
  return placeLater();
}`,
};

it('names the places of the sources in the stack trace of a minified bundle', async () => {
  for (const [name, code] of Object.entries(sources)) await writeFile(join(folder, name), code);
  const bundle = join(folder, 'bundle');
  await bundleEntry(join(folder, 'entry.ts'), bundle);
  const script = `const { handler } = await import(${JSON.stringify(pathToFileURL(join(bundle, 'index.mjs')))});
    await handler().catch((error) => console.log(error.stack));`;
  const trace = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(trace.split('\n').slice(0, 4)).toEqual([
    'TypeError: no order',
    '    at refuseOrder (rules.ts:2:9)',
    '    at placeLater (later.ts:2:33)',
    '    at entry.ts:3:10',
  ]);
});
