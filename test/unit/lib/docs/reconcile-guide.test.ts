import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { buildClient, clientName } from '#lib/bundling/client.ts';
import { linesOf } from '#test/e2e/kit/processes.ts';
import { uuid } from '#test/kit/fake-delivery-log.ts';
import { type FakeEvent, type FakeFeed, hourOf, newEvent, startFakeFeed } from '#test/kit/fake-feed.ts';

/** The programs of the guide, run as they are written, beside the package that `npm run client:build` makes. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reconcile-'));
  await mkdir(join(folder, 'node_modules'));
  await buildClient(join(folder, 'node_modules', clientName));
  const guide = await readFile(new URL('../../../../lib/docs/guides/reconcile.md', import.meta.url), 'utf8');
  const programs = [...guide.matchAll(/```js (\S+)\n([\s\S]*?)```/g)];
  expect(programs.map(([, name]) => name)).toEqual(['webhooks.mjs', 'reconcile.mjs', 'follow.mjs']);
  for (const [, name, code] of programs) await writeFile(join(folder, name!), code!);
  await writeFile(
    join(folder, 'receive.mjs'),
    `import { store } from './webhooks.mjs';\nfor (const headers of JSON.parse(process.argv[2])) store(headers);`,
  );
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => rm(join(folder, 'webhooks.txt'), { force: true }));

const settingsOf = ({ url }: FakeFeed) => ({ API: url, KEY: 'blue:secret', SHOP: 'blue', ENDPOINT: uuid });

async function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env });
  return linesOf(stdout);
}

/** The receiver of the guide gets these webhooks, each twice. */
const receive = (events: readonly FakeEvent[]) => {
  const headers = events.map((event) => ({ 'webhook-id': event.id, 'webhook-hour': hourOf(event) }));
  const test = { 'webhook-id': 'of-a-test-event' };
  return run('receive.mjs', [JSON.stringify([...headers, test, ...headers])]);
};

const hourMs = 3_600_000;
const now = Math.floor(Date.now() / hourMs) * hourMs + hourMs / 2;
/** Five events in each of the last 30 hours, and in this one. */
const happened = () =>
  Array.from({ length: 31 }, (_, hours) => Array.from({ length: 5 }, () => newEvent(new Date(now - hours * hourMs))))
    .reverse()
    .flat();

async function feedWith(events: readonly FakeEvent[]): Promise<FakeFeed> {
  const feed = await startFakeFeed({ settledUntil: new Date(now) });
  onTestFinished(() => feed[Symbol.asyncDispose]());
  feed.add(...events);
  return feed;
}

test('a receiver that has everything is told so with one request', async () => {
  const events = happened();
  const feed = await feedWith(events);
  await receive(events);
  expect(await run('reconcile.mjs', [], settingsOf(feed))).toEqual(['nothing is missing']);
  expect(feed.requests()).toBe(1);
});

test('a receiver that lost some finds exactly these, erased ones among them, and then has everything', async () => {
  const events = happened();
  const lost = [events[0]!, events[42]!, events[44]!, events[149]!];
  events[44] = { id: lost[2]!.id, at: lost[2]!.at, erased: true };
  const feed = await feedWith(events);
  await receive(events.filter(({ id }) => !lost.some((one) => one.id === id)));
  expect(await run('reconcile.mjs', [], settingsOf(feed))).toEqual([
    ...lost.map(({ id, ref }, i) => `missing ${id} ${i === 2 ? 'erased' : ref}`),
    'caught up',
  ]);
  expect(await run('reconcile.mjs', [], settingsOf(feed))).toEqual(['nothing is missing']);
});

test('what is missing in an hour that is not settled is no alarm', async () => {
  const events = happened();
  const feed = await feedWith(events);
  await receive(events.slice(0, -2));
  expect(await run('reconcile.mjs', [], settingsOf(feed))).toEqual(['nothing is missing']);
});

test('whoever follows the feed instead goes on where it was', async () => {
  const events = happened();
  const feed = await feedWith(events.slice(0, 120));
  /** Ends when the program has kept the cursor behind so many events. @returns the ids that it printed */
  const followUntil = async (count: number) => {
    const child = spawn(process.execPath, ['follow.mjs'], { cwd: folder, env: settingsOf(feed) });
    const printed = text(child.stdout);
    await expect.poll(() => readFile(join(folder, 'cursor.txt'), 'utf8').catch(() => '')).toBe(String(count));
    child.kill();
    return linesOf(await printed).map((line) => line.split(' ')[0]);
  };
  const ids = events.map(({ id }) => id);
  expect(await followUntil(120)).toEqual(ids.slice(0, 120));
  feed.add(...events.slice(120));
  expect(await followUntil(155)).toEqual(ids.slice(120));
});
