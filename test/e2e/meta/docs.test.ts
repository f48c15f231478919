import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api, newSlug, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';
import { hasPrograms, Shell } from '#test/e2e/kit/shell.ts';
import { codeIn } from './docs-code.ts';

/** The steps of the first page and the guides, run as they are written except for the values that differ between runs. */

const folder = mkdtempSync(join(tmpdir(), 'docs-'));
const slug = newSlug('docs');
let port: number;
let start: ReturnType<typeof codeIn>;
let guides: ReturnType<typeof codeIn>;
let shell: Shell;

const adapted = (text: string) =>
  text
    .replaceAll('operator:first-order-secret', superAdmin)
    .replaceAll('my-shop', slug)
    .replaceAll('4000', String(port));

beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as { port: number });
  server.close();
  const pages = await Promise.all(['/docs', '/docs/guides'].map((path) => api('GET', path)));
  [start, guides] = pages.map(({ text }) => codeIn(text)) as [typeof start, typeof guides];
  shell = new Shell(folder);
});
afterAll(() => {
  shell?.[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Runs a receiver of the page; `printed` is its first line. */
async function startReceiver(program: string, file: string): Promise<{ printed: Promise<string> }> {
  const { text } = start.find(({ label }) => label === file)!;
  writeFileSync(join(folder, file), adapted(text));
  const child = spawn(program, [file], { cwd: folder });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const printed = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  await expect.poll(isListening).toBe(true);
  return { printed };
}

async function isListening(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

async function run(commands: string): Promise<string> {
  const { printed, code } = await shell.run(adapted(commands));
  expect(code, `${commands}\n${printed}`).toBe(0);
  expect(printed).not.toMatch(/"type":"(invalid_request|api)_error"/);
  return printed;
}

const receivers = [
  ['node', 'receiver.mjs'],
  ['python3', 'receiver.py'],
] as const;

describe.skipIf(!hasPrograms('curl', 'bash'))('the docs', () => {
  test('the first page says where the service is that shows it', () => {
    expect(start.map(({ text }) => text).join('\n')).toContain(`base=${url}\n`);
  });

  test('the first steps run as they stand, and the webhook arrives with a signature that Node.js accepts', async () => {
    const steps = start.filter(({ label }) => label === 'Terminal 2').map(({ text }) => text);
    const [shop, key, endpoint, order, page] = steps;
    await run(shop!);
    expect(await run(key!)).toContain(`"slug":"${slug}"`);
    const { printed } = await startReceiver('node', 'receiver.mjs');
    await run(endpoint!);
    await run(order!);
    expect(await printed).toBe('signed shipments/order_processed/ORDER_PROCESSED');
    const address = await run(page!);
    expect(await (await fetch(address.trim())).text()).toContain('<!doctype html>');
  });

  test.skipIf(!hasPrograms('python3'))('the receiver in Python accepts the signature, too', async () => {
    const { printed } = await startReceiver('python3', 'receiver.py');
    await run(
      `api -X PUT "$shop/orders" -d '{ "id": "1003", "order": {}, "trackings": [{ "tracking_number": "T1003" }] }'`,
    );
    expect(await printed).toMatch(/^signed shipments\/order_processed/);
  });

  test.each(receivers.filter(([program]) => hasPrograms(program)))(
    'the receiver for %s refuses another signature',
    async (program, file) => {
      const { printed } = await startReceiver(program, file);
      const headers = { 'service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
      const answer = await fetch(`http://127.0.0.1:${port}/events`, {
        method: 'POST',
        headers,
        body: '{ "ref": "x" }',
      });
      expect(answer.status).toBe(401);
      expect(await printed).toBe('NOT SIGNED x');
    },
  );

  test('the commands of the guides run as they stand after them', async () => {
    const commands = guides.filter(({ label }) => label === 'Shell');
    expect(commands.length).toBeGreaterThan(10);
    for (const { text } of commands) await run(text);
  });
});

test('a page that does not exist, and a name that leads out of the folder, are not found', async () => {
  for (const page of ['nothing', '..%2Fopenapi', 'ORDERS', 'start.html']) {
    expect((await api('GET', `/docs/${page}`)).body).toMatchObject({ key: 'route_not_found' });
  }
});
