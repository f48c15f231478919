import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifySignature } from '#schemas/client/index.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { linesOf, type Program, run } from '../kit/processes.ts';
import { startReceiver } from '../kit/receiver.ts';
import { api, keyFor, superAdmin, url } from '../kit/shared-stack.ts';

const patience = { timeout: 30_000, interval: 50 };

/** Runs `npm run listen`, waits until it is ready, and ends it with Ctrl-C. */
async function listening(args: string[]) {
  const program = run('listen.ts', ['--api', url, ...args]);
  await vi.waitFor(() => expect(program.stdout(), program.stderr()).toContain('Ctrl-C ends'), patience);
  return { program, end: () => ended(program) };
}

async function ended(program: Program) {
  program.child.kill('SIGINT');
  const code = await program.ended;
  return { code, stderr: program.stderr(), lines: linesOf(program.stdout()) };
}

const get = async (slug: string, path: string) =>
  (await api('GET', `/v1/shops/${slug}${path}`, { key: superAdmin })).body;

test('listen makes an endpoint, passes on what the service sends, and deletes the endpoint at the end', async () => {
  await using receiver = await startReceiver();
  const shop = await newWebhookShop(api, superAdmin);
  const leftOver = { url: 'http://127.0.0.1:9/gone', description: 'Temporary, made by npm run listen' };
  await shop.call('POST', '/webhooks', { body: leftOver });
  const { end } = await listening(['--url', receiver.url, '--key', await keyFor(shop.slug)]);
  const [endpoint, ...others] = await get(shop.slug, '/webhooks');
  expect(others).toEqual([]);
  await shop.fulfil();
  const first = await receiver.next();
  await expect(verifySignature(first.body, first.headers, endpoint.secret)).resolves.toBe(true);
  const [delivery] = await vi.waitFor(async () => {
    const deliveries = await shop.deliveriesOf(endpoint);
    expect(deliveries).toMatchObject([{ status: 'delivered' }]);
    return deliveries;
  }, patience);
  await shop.call('POST', `/webhooks/${endpoint.uuid}/deliveries/${delivery!.id}/redeliver`);
  expect((await receiver.next()).headers['webhook-id']).toBe(delivery!.id);
  const { code, stderr, lines } = await end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(lines).toEqual([
    'Deleted the endpoint of a run that was killed.',
    expect.stringContaining('Ctrl-C ends'),
    expect.stringMatching(/^[\d:]{8} {2}200 .*shipments\/order_processed\/ORDER_PROCESSED$/),
    expect.stringMatching(/ORDER_PROCESSED {2}\(sent again\)$/),
    '2 accepted, 0 not.',
  ]);
  await expect(get(shop.slug, '/webhooks')).resolves.toEqual([]);
});

/** A file in a folder of its own. */
function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'listen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'cursor.json');
}

test('listen reads the feed of an endpoint, posts what the service sends, and goes on there the next time', async () => {
  await using merchant = await startReceiver();
  await using developer = await startReceiver();
  const shop = await newWebhookShop(api, superAdmin);
  await shop.call('PATCH', '/settings/events', { body: { feed_enabled: true } });
  const endpoint = await shop.addEndpoint(merchant.url);
  await shop.fulfil();
  const early = await merchant.next();
  const args = ['--url', developer.url, '--key', superAdmin, '--shop', shop.slug, '--endpoint', endpoint.uuid];
  const state = ['--state', stateFile()];
  const first = await listening([...args, ...state]);
  await shop.fulfil();
  const [sent, read] = [await merchant.next(), await developer.next()];
  expect(read.body).toBe(sent.body);
  const perRequest = [
    'host',
    'content-length',
    'connection',
    'service-signature',
    'webhook-timestamp',
    'webhook-signature',
  ];
  expect(read.headers).toMatchObject(
    Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !perRequest.includes(name))),
  );
  await expect(verifySignature(read.body, read.headers, endpoint.secret)).resolves.toBe(true);
  const ended = await first.end();
  expect({ ...ended, lines: ended.lines.slice(-2) }).toEqual({
    code: 0,
    stderr: '',
    lines: [expect.stringMatching(/ 200 .*ORDER_PROCESSED$/), '1 accepted, 0 not.'],
  });
  await shop.fulfil();
  const missed = await merchant.next();
  const second = await listening([...args, ...state]);
  expect((await developer.next()).headers['webhook-id']).toBe(missed.headers['webhook-id']);
  await second.end();
  const third = await listening([...args, ...state, '--from', 'start']);
  const again = [await developer.next(), await developer.next(), await developer.next()];
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual(
    [early, sent, missed].map(({ headers }) => headers['webhook-id']),
  );
  expect((await third.end()).lines.at(-1)).toBe('3 accepted, 0 not.');
  await shop.call('PATCH', '/settings/events', { body: { feed_enabled: false } });
  await shop.call('PATCH', '/settings/events', { body: { feed_enabled: true } });
  const refused = run('listen.ts', ['--api', url, ...args, ...state]);
  expect(await refused.ended).toBe(1);
  expect(refused.stderr()).toContain('--from start reads all that is kept');
});

test('without a feed listen says how to switch it on, reads the deliveries, and posts the same bytes with the same headers', async () => {
  await using merchant = await startReceiver();
  await using developer = await startReceiver();
  const shop = await newWebhookShop(api, superAdmin);
  const endpoint = await shop.addEndpoint(merchant.url);
  await shop.fulfil();
  await merchant.next();
  await vi.waitFor(
    async () => expect(await shop.deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered' }]),
    patience,
  );
  const args = ['--url', developer.url, '--key', superAdmin, '--shop', shop.slug, '--endpoint', endpoint.uuid];
  const { program, end } = await listening(args);
  expect(program.stdout()).toContain(
    `curl -X PATCH -u USERNAME:SECRET -H 'Content-Type: application/json' -d '{ "feed_enabled": true }' ${url}/v1/shops/${shop.slug}/settings/events`,
  );
  await shop.fulfil();
  const [sent, read] = [await merchant.next(), await developer.next()];
  const { host: _host, 'content-length': _length, connection: _connection, ...headers } = sent.headers;
  expect(read.headers).toMatchObject(headers);
  expect(read.body).toBe(sent.body);
  await shop.call('POST', `/webhooks/${endpoint.uuid}/deliveries/${sent.headers['webhook-id']}/redeliver`);
  expect((await developer.next()).body).toBe(sent.body);
  const { code, stderr, lines } = await end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(lines.at(-1)).toBe('2 accepted, 0 not.');
});

test.each([
  ['no receiver', ['--key', 'a:b'], 'Say where to post'],
  ['a receiver without its scheme', ['--url', 'localhost:8080/hook'], 'localhost:8080/hook is no address'],
  [
    'a service elsewhere and no endpoint',
    ['--url', 'http://127.0.0.1:9', '--api', 'https://api.example.com'],
    '--endpoint UUID',
  ],
  ['another beginning', ['--url', 'http://127.0.0.1:9', '--endpoint', 'u', '--from', 'here'], '--from start'],
  ['a beginning without an endpoint', ['--url', 'http://127.0.0.1:9', '--from', 'start'], '--endpoint UUID'],
  ['a wrong key', ['--url', 'http://127.0.0.1:9', '--key', 'operator:a-wrong-secret', '--api', url], '401'],
  [
    'a service that does not run',
    ['--url', 'http://127.0.0.1:9', '--key', 'a:b', '--api', 'http://127.0.0.1:9'],
    'npm start',
  ],
])('listen answers %s with one clear line', async (_what, args, said) => {
  const program = run('listen.ts', args);
  expect(await program.ended).toBe(1);
  expect(linesOf(program.stderr())[0]).toContain(said);
});
