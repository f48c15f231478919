import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Api, clientOf } from './kit/client.ts';
import { Stacks } from './kit/local-stack.ts';
import { groupIsAlive, linesOf, run, runCommand, until } from './kit/processes.ts';
import { assembly, newSlug, superAdmin } from './kit/shared-stack.ts';

const shell = promisify(execFile);

/** A start that must fail with one line at the terminal. */
async function failedStart(settings: Record<string, string>): Promise<string> {
  const program = run('local.ts', [], { PORT: '0', ASSEMBLY: assembly, ...settings });
  expect(await program.ended).toBe(1);
  const announced = settings.ASSEMBLY === '' ? ['Making the template: this takes about 15 seconds.'] : [];
  expect(linesOf(program.stdout())).toEqual(announced);
  const lines = linesOf(program.stderr());
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

const npmStart = (settings: Record<string, string>) => runCommand('npm', ['start'], settings);

async function listensAt(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const credentialsIn = (banner: string) => banner.match(/SuperAdmin +(\S+:\S+)/)?.[1];

describe.concurrent('the local stack', () => {
  test('keeps every acknowledged shop when it is killed while it works', async () => {
    await using stacks = new Stacks();
    const settings = { DATA_DIR: stacks.folder(), ASSEMBLY: assembly };
    const stack = await stacks.start(settings);
    const acknowledged = await createUntilKilled(clientOf(stack.url), () => stack.kill());

    const restarted = await stacks.start(settings);
    await until(() => !groupIsAlive(stack.program), 'nothing outlives the killed stack');
    const kept = await allSlugs(clientOf(restarted.url));
    expect(new Set(kept).size).toBe(kept.length);
    expect(acknowledged.filter((slug) => !kept.includes(slug))).toEqual([]);
    const slug = newSlug();
    const created = await clientOf(restarted.url)('POST', '/v1/shops', { key: superAdmin, body: { name: 'x', slug } });
    expect(created.status).toBe(200);
  });

  /** Four writers create shops until the stack is gone; it is killed when enough are acknowledged. */
  async function createUntilKilled(api: Api, kill: () => Promise<void>): Promise<string[]> {
    const acknowledged: string[] = [];
    let killed: Promise<void> | undefined;
    const write = async () => {
      for (let written = 0; written < 200; written++) {
        const slug = newSlug();
        const answer = await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'x', slug } });
        if (answer.status !== 200) throw new Error(`Status ${answer.status}`);
        acknowledged.push(slug);
        if (acknowledged.length >= 45) killed ??= kill();
      }
    };
    const writers = await Promise.allSettled([write(), write(), write(), write()]);
    expect(writers.every(({ status }) => status === 'rejected')).toBe(true);
    await killed;
    return acknowledged;
  }

  async function allSlugs(api: Api): Promise<string[]> {
    const slugs: string[] = [];
    for (let page = 1; page <= 50; page++) {
      const { body } = await api('GET', '/v1/shops', { key: superAdmin, query: { page, per_page: 10 } });
      slugs.push(...body.map((shop: { slug: string }) => shop.slug));
      if (body.length < 10) break;
    }
    return slugs;
  }

  test.each(['SIGTERM', 'SIGINT'] as const)('ends at %s with code 0 and leaves no process behind', async (signal) => {
    await using stacks = new Stacks();
    const stack = await stacks.start({ ASSEMBLY: assembly });
    const slug = newSlug();
    const api = clientOf(stack.url);
    expect((await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'x', slug } })).status).toBe(200);
    expect(await stack.stop(signal)).toBe(0);
    await until(() => !groupIsAlive(stack.program), 'no process of its group remains');
    await expect(api('GET', '/health')).rejects.toThrow('The service could not be reached.');
    expect(stack.program.stderr()).toBe('');
  });

  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 0],
    ['SIGKILL', null],
  ] as const)('ends with npm when only npm gets %s, and frees its port and its folder', async (signal, code) => {
    await using stacks = new Stacks();
    const settings = { DATA_DIR: stacks.folder(), ASSEMBLY: assembly };
    const stack = await stacks.start(settings, npmStart);
    expect(await stack.stop(signal)).toBe(code);
    await until(() => !groupIsAlive(stack.program), 'no process of its group remains');
    (await listensAt(Number(new URL(stack.url).port))).close();
    const next = await stacks.start(settings);
    expect((await clientOf(next.url)('GET', '/v1/shops', { key: superAdmin })).status).toBe(200);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends with npm when npm gets %s during the synthesis', async (signal) => {
    await using stacks = new Stacks();
    const dataDir = stacks.folder();
    const program = npmStart({ PORT: '0', DATA_DIR: dataDir });
    await until(() => existsSync(join(dataDir, 'build/functions')), 'the functions are being bundled', 50_000);
    program.child.kill(signal);
    expect(await program.ended).toBe(signal === 'SIGTERM' ? 0 : null);
    await until(() => !groupIsAlive(program), 'no process of its group remains');
    expect(program.stdout()).not.toContain('ready');
    expect(linesOf(program.stderr()).filter((line) => !line.startsWith('npm warn'))).toEqual([]);
  });

  test('makes its SuperAdmin key once, keeps it, and shows a command that works', async () => {
    await using stacks = new Stacks();
    const settings = { DATA_DIR: stacks.folder(), ASSEMBLY: assembly, SUPERADMIN_KEY: '' };
    const first = await stacks.start(settings);
    const banner = first.program.stdout();
    const key = credentialsIn(banner)!;
    expect(banner).toContain(`${first.url}/docs`);
    const command = banner.match(/^ *curl [\s\S]*?\n\n/m)![0].trim();
    expect((await shell('sh', ['-c', `${command} -s`], { timeout: 20_000 })).stdout).toBe('null');
    await first.stop();

    const second = await stacks.start(settings);
    expect(credentialsIn(second.program.stdout())).toBe(key);
    const { status, body } = await clientOf(second.url)('GET', '/v1/shops/my-shop', { key });
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'My shop' });
    await second.stop();
  });

  test('refuses a data folder that another stack uses, and leaves that stack running', async () => {
    await using stacks = new Stacks();
    const stack = await stacks.start({ ASSEMBLY: assembly });
    expect(await failedStart({ DATA_DIR: stack.dataDir })).toContain('DATA_DIR');
    expect((await clientOf(stack.url)('GET', '/v1/shops', { key: superAdmin })).status).toBe(200);
    await stack.stop();
  });

  test('reports a port in use', async () => {
    await using stacks = new Stacks();
    const server = await listensAt(0);
    const { port } = server.address() as AddressInfo;
    const line = await failedStart({ PORT: String(port), DATA_DIR: stacks.folder() });
    expect(line).toContain(String(port));
    expect(line).toContain('PORT');
    server.close();
  });

  test('reports why the template cannot be made', async () => {
    await using stacks = new Stacks();
    const folder = stacks.folder();
    writeFileSync(join(folder, 'build'), 'a file where a folder is to be');
    expect(await failedStart({ DATA_DIR: folder, ASSEMBLY: '' })).toContain(join(folder, 'build'));
  });

  test.each([
    ['PORT', '70000'],
    ['SUPERADMIN_KEY', 'root:short'],
  ])('names the wrong setting %s=%s', async (name, value) => {
    await using stacks = new Stacks();
    expect(await failedStart({ DATA_DIR: stacks.folder(), [name]: value })).toContain(name);
  });
});
