import { cpSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accept, type EventReceiver, refuse, startEventReceiver } from '#test/kit/event-receiver.ts';
import { clientOf } from './kit/client.ts';
import { type RunningStack, Stacks } from './kit/local-stack.ts';
import { run } from './kit/processes.ts';
import { assembly, newSlug, superAdmin } from './kit/shared-stack.ts';
import { Shell } from './kit/shell.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** A schedule runs once a minute, and an erasure takes some rounds. */
const withinMinutes = { timeout: 240_000, interval: 500 };

const stacks = new Stacks();
let receiver: EventReceiver;
let stack: RunningStack;
afterAll(async () => {
  await stacks[Symbol.asyncDispose]();
  await receiver?.stop();
});

const dataDir = stacks.folder();
const backup = stacks.folder();
const start = () => stacks.start({ DATA_DIR: dataDir, ASSEMBLY: assembly });
const call = (method: string, path: string, body?: object, key = superAdmin) =>
  clientOf(stack.url)(method, path, { key, ...(body && { body }) });
const must = async (method: string, path: string, body?: object) => {
  const answer = await call(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
  return answer.body;
};

const shop = newSlug('stays');
const removed = newSlug('removed');
const ordersOf = (slug: string) => must('GET', `/v1/shops/${slug}/orders`);
const orderOf = (name: string) => ({
  id: name,
  order: { email_id: `${name}@example.com` },
  trackings: [{ tracking_number: newSlug('T') }],
});
let keyOfRemoved: string;
const seen = () => receiver.received('/hook').map(({ headers }) => String(headers['webhook-id']));

beforeAll(async () => {
  receiver = await startEventReceiver();
  stack = await start();
  for (const slug of [shop, removed]) await must('POST', '/v1/shops', { name: 'A shop', slug });
  const { username, secret } = await must('POST', `/v1/shops/${removed}/api-keys`, { role: 'admin', expiration: 0 });
  keyOfRemoved = `${username}:${secret}`;
  await must('POST', `/v1/shops/${shop}/webhooks`, { url: receiver.urlOf('/hook') });
  receiver.behave('/hook', refuse);
  for (const name of ['ida', 'bo']) await must('PUT', `/v1/shops/${shop}/orders`, orderOf(name));
  await vi.waitFor(() => expect(new Set(seen()).size).toBe(2), withinMinutes);
  await stack.stop('SIGINT');
  cpSync(dataDir, backup, { recursive: true });
});

let waiting: Set<string>;

test('after the copy was made, a person is erased, a shop is removed, and an order is written', async () => {
  waiting = new Set(seen());
  stack = await start();
  await must('POST', `/v1/shops/${shop}/privacy/requests`, { kind: 'erasure', email_id: 'ida@example.com' });
  await must('DELETE', `/v1/shops/${removed}?confirm=${removed}`);
  await must('PUT', `/v1/shops/${shop}/orders`, orderOf('new'));
  await vi.waitFor(async () => expect(JSON.stringify(await ordersOf(shop))).not.toContain('ida@'), withinMinutes);
  expect((await call('GET', `/v1/shops/${removed}/orders`, undefined, keyOfRemoved)).status).not.toBe(200);
});

/** Each step of the document, and what somebody who reads it does. */
const steps = stepsOf('lib/operations.md', '### On this machine');

test('the steps are those of the document, and each is one that somebody can do', async () => {
  expect(steps.map((step) => actionOf(step).name)).toEqual(['stop', 'copy', 'begin', 'eraseAgain', 'removeAgain']);
});

test('before the erasures are repeated, the restored folder has the person and the shop, and not the new order', async () => {
  for (const step of steps.slice(0, 3)) await actionOf(step)(step);
  const orders = JSON.stringify(await ordersOf(shop));
  expect(orders).toContain('ida@example.com');
  expect(orders).toContain('bo@example.com');
  expect(orders).not.toContain('new@example.com');
  expect((await call('GET', `/v1/shops/${removed}/orders`, undefined, keyOfRemoved)).status).toBe(200);
});

test('after all steps the person is erased, the shop and its keys are gone, and the others have what they had', async () => {
  for (const step of steps.slice(3)) await actionOf(step)(step);
  const orders = JSON.stringify(await ordersOf(shop));
  expect(orders).not.toContain('ida@example.com');
  expect(orders).toContain('bo@example.com');
  expect((await call('GET', `/v1/shops/${removed}/orders`, undefined, keyOfRemoved)).status).not.toBe(200);
});

test('what waited when the copy was made is sent, with the ids that it had, and nothing of whom was erased', async () => {
  receiver.behave('/hook', accept);
  const before = receiver.received('/hook').length;
  const ofBo = await vi.waitFor(() => {
    const sent = receiver.received('/hook').slice(before);
    const found = sent.find(({ body }) => body.includes('bo@example.com'));
    expect(found).toBeDefined();
    return found!;
  }, withinMinutes);
  expect(waiting).toContain(ofBo.headers['webhook-id']);
  const later = receiver.received('/hook').slice(before);
  expect(later.filter(({ body }) => body.includes('ida@example.com'))).toEqual([]);
});

test('the new order is written again as if it were the first time', async () => {
  await must('PUT', `/v1/shops/${shop}/orders`, orderOf('new'));
  expect(JSON.stringify(await ordersOf(shop))).toContain('new@example.com');
});

function stepsOf(file: string, heading: string): string[] {
  const [, after = ''] = readFileSync(file, 'utf8').split(`\n${heading}\n`);
  const [section = ''] = after.split(/\n#+ /);
  return section.split(/\n(?=\d+\. )/).slice(1);
}

type Action = (step: string) => Promise<void>;

function actionOf(step: string): Action {
  const found = actions.find(([says]) => says.test(step));
  if (!found) throw new Error(`Nobody knows how to do this: ${step}`);
  return found[1];
}

async function stop(): Promise<void> {
  await stack.stop('SIGINT');
}

async function copy(step: string): Promise<void> {
  const [, commands = ''] = step.match(/```sh\n([\s\S]*?)```/) ?? [];
  using shell = new Shell('.');
  const lines = commands
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of [`DATA_DIR='${dataDir}' BACKUP='${backup}'`, ...lines])
    expect(await shell.run(line)).toMatchObject({ code: 0 });
}

async function begin(): Promise<void> {
  stack = await start();
}

async function eraseAgain(step: string): Promise<void> {
  const [, command] = step.match(/`npm run operator -- ([\w-]+)`/)!;
  const says = async () => {
    const program = run('operator.ts', [command!], { DATA_DIR: dataDir });
    expect(await program.ended, program.stderr()).toBe(0);
    return program.stdout();
  };
  expect(await says()).toContain('Being erased again, orders: 1.');
  await vi.waitFor(async () => expect(await says()).toContain('All that is in the ledger is erased.'), {
    ...withinMinutes,
    interval: 5000,
  });
}

async function removeAgain(step: string): Promise<void> {
  const [, method, path] = step.match(/`(DELETE) (\S+)`/)!;
  await must(method!, path!.replaceAll('{slug}', removed));
}

const actions: readonly (readonly [RegExp, Action])[] = [
  [/Ctrl-C/, stop],
  [/```sh/, copy],
  [/`npm start`/, begin],
  [/erase-again/, eraseAgain],
  [/`DELETE /, removeAgain],
];
