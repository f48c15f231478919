import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { clientTypes } from './client-types.ts';
import { tableModule } from './operation-table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['index.ts', 'client.ts', 'create-client.ts', 'errors.ts', 'feed.ts', 'signature.ts', 'wait.ts'];

export const clientName = 'post-purchase-client';

/**
 * Writes a package that can be published: one module, its types, package.json and README. The sources are compiled beside
 * written-out types and a finished table, so nothing of the declarations gets into it.
 */
export async function buildClient(outDir: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    for (const file of sources) await cp(join(root, 'schemas/client', file), join(folder, file));
    await writeFile(join(folder, 'types.ts'), clientTypes());
    await writeFile(join(folder, 'operations.ts'), tableModule());
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await rm(outDir, { recursive: true, force: true });
    await mkdir(outDir, { recursive: true });
    await Promise.all([bundle(folder, outDir), writeTypes(folder, outDir), writeManifest(outDir)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundle(folder: string, outDir: string): Promise<void> {
  await build({
    entryPoints: [join(folder, 'index.ts')],
    outfile: join(outDir, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
}

async function writeTypes(folder: string, outDir: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    ['--ignoreConfig', '--strict', '--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions'],
    ['--skipLibCheck', '--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable', '--types', ''],
  ].flat();
  await promisify(execFile)(process.execPath, [tsc, ...options, '--outDir', outDir, join(folder, 'index.ts')]);
  for (const file of sources) {
    const types = join(outDir, file.replace('.ts', '.d.ts'));
    await writeFile(types, (await readFile(types, 'utf8')).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  await rm(join(outDir, 'operations.d.ts'), { force: true });
}

async function writeManifest(outDir: string): Promise<void> {
  const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: clientName,
    version,
    description: 'The typed client of the post-purchase delivery-tracking API.',
    license,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    sideEffects: false,
    engines: { node: '>=20.3' },
    files: ['*.js', '*.d.ts'],
  };
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(root, 'schemas/client/README.md'), join(outDir, 'README.md'));
}
