import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient, clientName } from '#lib/bundling/client.ts';

const execute = promisify(execFile);
const tsc = resolve(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc');

/** An empty folder of somebody who installs the package. */
let folder: string;
let installed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uses-client-'));
  installed = join(folder, 'node_modules', clientName);
  await mkdir(join(folder, 'node_modules'));
  await buildClient(join(folder, 'built'));
  // Only what would be published.
  const { files } = JSON.parse(await readFile(join(folder, 'built/package.json'), 'utf8'));
  expect(files).toEqual(['*.js', '*.d.ts']);
  await cp(join(folder, 'built'), installed, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

test('the package has one module of at most 8 KB compressed, types, a README and no dependency', async () => {
  expect((await readdir(installed)).sort()).toEqual(
    [
      ...['README.md', 'index.js', 'package.json'],
      ...['client', 'create-client', 'errors', 'feed', 'index', 'signature', 'types', 'wait'].map(
        (name) => `${name}.d.ts`,
      ),
    ].sort(),
  );
  const code = await readFile(join(installed, 'index.js'));
  expect(gzipSync(code).length).toBeLessThanOrEqual(8 * 1024);
  expect(code.toString()).not.toMatch(/\bimport\b\s*[\w{*"']/);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.private]).toEqual([undefined, undefined]);
});

test('the package works in Node without anything else', async () => {
  const program = `
    import { createClient, digestOf, signatureHeaders, verifySignature } from '${clientName}';
    const body = new TextEncoder().encode('{}');
    const headers = await signatureHeaders(body, { id: 'a', secret: 'of-the-endpoint', seconds: Math.floor(Date.now() / 1000) });
    const client = createClient({
      shop: 'blue',
      fetch: async (url) => new Response(JSON.stringify({ url }), { headers: { 'content-type': 'application/json' } }),
    });
    const answers = [await verifySignature(body, headers, 'of-the-endpoint'), await client.getShop(), await digestOf([])];
    console.log(JSON.stringify(answers));`;
  await writeFile(join(folder, 'use.js'), program);
  const { stdout } = await execute(process.execPath, ['use.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([true, { url: '/v1/shops/blue' }, '0'.repeat(64)]);
});

test('the published types take and refuse the same calls as the declarations', async () => {
  const calls = await readFile(join(import.meta.dirname, 'calls.ts'), 'utf8');
  const published = calls.replace('#schemas/client/index.ts', clientName);
  await writeFile(join(folder, 'calls.ts'), published);
  await expect(compile('calls.ts')).resolves.toBe('');
  await writeFile(join(folder, 'calls.ts'), published.replaceAll(/ *\/\/ @ts-expect-error.*\n/g, ''));
  const refused = (await compile('calls.ts')).match(/error TS/g);
  expect(refused).toHaveLength(published.match(/@ts-expect-error/g)!.length);
}, 60_000);

/** What the compiler says. */
async function compile(file: string): Promise<string> {
  const options = ['--ignoreConfig', '--strict', '--noEmit', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
  const browser = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--types', ''];
  return execute(process.execPath, [tsc, ...options, ...browser, file], { cwd: folder, timeout: 50_000 }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}
