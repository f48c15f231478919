import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newSlug, superAdmin, url } from './kit/shared-stack.ts';

/** The first order of the README, and the simulation of the next one, run as they are written except for the values that differ between runs. */
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const chapter = readme.split('## A first order\n')[1]!.split('\n## ')[0]!;
const codeIn = (text: string) => [...text.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code]) => code!);
const [start, receiver, commands] = codeIn(chapter);

const simulations = new URL('../../functions/api/simulations/README.md', import.meta.url);
const [simulation] = codeIn(readFileSync(simulations, 'utf8'));

const adapted = (text: string, slug: string, port: number) =>
  text
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('operator:first-order-secret', superAdmin)
    .replaceAll('my-shop', slug)
    .replaceAll('4000', String(port));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Runs the receiver of the README; `printed` is its first line. */
async function startReceiver(code: string): Promise<{ printed: Promise<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, `${code}\nprocess.stderr.write('ready');\n`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill();
    rmSync(folder, { recursive: true });
  });
  const printed = once(child.stdout, 'data').then(([line]) => String(line).trim());
  await once(child.stderr, 'data');
  return { printed };
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('the key in the README is one that the service accepts', () => {
  expect(start).toMatch(/^SUPERADMIN_KEY=\w+:[\w-]{16,} npm start\n$/);
});

test.skipIf(!hasCurl)(
  'the first order of the README arrives at its webhook with a signature, and its simulation plays',
  async () => {
    const [slug, port] = [newSlug('readme'), await freePort()];
    const { printed } = await startReceiver(adapted(receiver!, slug, port));
    const run = (script: string) =>
      promisify(execFile)('sh', ['-ec', adapted(script, slug, port)], { timeout: 30_000 });
    const { stdout } = await run(commands!);
    expect(stdout).toContain('"tracking_number":"00340434161094042557"');
    const promised = /prints `([^`]+)`/.exec(chapter)![1];
    expect(await printed).toBe(promised);
    const [api, shop] = commands!.split('\n');
    const simulated = await run(`${api}\n${shop}\n${simulation}`);
    const [waiting, collected, removed] = simulated.stdout.trim().split('\n');
    expect(waiting).toMatch(/"status":"running".*Arrived at the parcel shop"/);
    expect(collected).toMatch(/"status":"ended".*Collected from the parcel shop"/);
    expect(removed).toMatch(/"removed":true/);
  },
);
