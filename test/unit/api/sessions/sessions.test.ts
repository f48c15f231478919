import { BatchGetCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler as images } from '#api/images/handler.ts';
import { handler } from '#api/sessions/handler.ts';
import { handler as shops } from '#api/shops/handler.ts';
import { logger } from '#platform/logging.ts';
import { accessLimits } from '#schemas/catalogues/limits.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, dynamo, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const begin = new Date('2026-11-14T12:00:00Z');
const twelveHours = 12 * 3600;
const ours = 'https://console.example.com';

const admin = keyFor('blue', 'admin');
const viewer = keyFor('blue', 'viewer');
const stranger = keyFor('green', 'admin');

beforeEach(() => {
  vi.useFakeTimers({ now: begin, toFake: ['Date'] });
  tableWith(
    admin.item,
    viewer.item,
    stranger.item,
    operator.item,
    shopItem('blue', { contact_email: 'a@example.com' }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

type Headers = Record<string, string>;

const logIn = (credentials: Headers, headers: Headers = { Origin: ours, 'Sec-Fetch-Site': 'same-origin' }) =>
  invoke(handler, { method: 'POST', resource: '/v1/sessions', headers: { ...credentials, ...headers } });

async function cookieOf(credentials: Headers, headers?: Headers): Promise<string> {
  const answer = await logIn(credentials, headers);
  expect(answer.status).toBe(200);
  return answer.headers['Set-Cookie']!.split(';')[0]!;
}

const asAdmin = basic('blue', admin.secret);
const current = (method: string, headers: Headers) =>
  invoke(handler, { method, resource: '/v1/sessions/current', headers });
const whoAmI = (headers: Headers) => current('GET', headers);
const getShop = (headers: Headers, slug = 'blue') =>
  invoke(shops, { method: 'GET', resource: '/v1/shops/{slug}', params: { slug }, headers });
const renameShop = (headers: Headers) =>
  invoke(shops, {
    method: 'PATCH',
    resource: '/v1/shops/{slug}',
    params: { slug: 'blue' },
    headers,
    body: { name: 'New name' },
  });
const outcome = ({ status, body }: { status: number; body: { key?: string } | null }) => [status, body?.key];
const refused = [401, 'session_required'];
const forbidden = [403, 'insufficient_rights'];

describe('a log-in', () => {
  test('answers who is logged in, where, and for how long', async () => {
    expect((await logIn(asAdmin)).body).toEqual({
      username: 'blue',
      role: null,
      shops: [{ shop_slug: 'blue', role: 'admin' }],
      expires_at: '2026-11-15T00:00:00.000Z',
      vendors: [],
    });
    expect((await logIn(asOperator)).body).toMatchObject({ username: 'operator', role: 'superadmin', shops: [] });
  });

  test('names the vendors that the deployment has given integrations to', async () => {
    const url = 'https://vendor.example';
    const targets = {
      integration_1: { url, dialect: 'klaviyo' },
      integration_2: { url },
      integration_4: { url, dialect: 'hubspot' },
    };
    vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify(targets));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await logIn(asAdmin)).body.vendors).toEqual([
      { integration: 'integration_1', vendor: 'klaviyo' },
      { integration: 'integration_4', vendor: 'hubspot' },
    ]);
  });

  test('sets a cookie that only our own host gets, over HTTPS, and no script can read', async () => {
    const { headers } = await logIn(asAdmin);
    expect(headers['Set-Cookie']).toMatch(
      /^__Host-session=[\w-]+\.[0-9a-v]{16}\.[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    expect(headers['Cache-Control']).toBe('no-store');
  });

  test('sets a cookie without Secure on the local stack, which has no HTTPS', async () => {
    vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:3000');
    const { headers } = await logIn(asAdmin);
    expect(headers['Set-Cookie']).toMatch(/^session=\S+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/);
    const [cookie] = headers['Set-Cookie']!.split(';');
    expect((await whoAmI({ cookie: cookie! })).status).toBe(200);
  });

  test('stores the hash of the secret, and nothing of the API key', async () => {
    const cookie = await cookieOf(asAdmin);
    const [, , secret] = cookie.split('=')[1]!.split('.');
    const [item, ...others] = memoryTable.all('SESSIONS#');
    expect(others).toEqual([]);
    expect(item).toEqual({
      pk: `SESSIONS#${admin.item.token_id}`,
      sk: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: begin.getTime() / 1000 + twelveHours,
      origin: ours,
    });
    expect(JSON.stringify(item)).not.toContain(secret);
    expect(cookie).not.toContain(admin.secret);
  });

  test('makes another secret each time, whatever cookie the browser sent with it', async () => {
    const first = await cookieOf(asAdmin);
    const second = await cookieOf(asAdmin, { Cookie: first, Origin: ours });
    expect(second).not.toBe(first);
    expect((await whoAmI({ cookie: second })).status).toBe(200);
  });

  test('ends the session that the browser had before, and no session if the log-in fails', async () => {
    const first = await cookieOf(asAdmin);
    expect((await logIn(basic('red', 'wrong'), { cookie: first, Origin: ours })).status).toBe(401);
    expect((await whoAmI({ cookie: first })).status).toBe(200);
    await cookieOf(asOperator, { cookie: first, Origin: ours });
    expect(outcome(await whoAmI({ cookie: first }))).toEqual(refused);
    await cookieOf(asAdmin, { cookie: '__Host-session=nonsense', Origin: ours });
  });

  test('takes no session in place of the key, so that nobody can lengthen a session', async () => {
    const cookie = await cookieOf(asAdmin);
    expect(outcome(await logIn({}, { cookie, Origin: ours }))).toEqual([400, 'invalid_merchant_or_key']);
  });

  test('counts wrong keys, as every request does', async () => {
    const tries = Array.from({ length: accessLimits.wrongKeys + 1 }, (_, i) => basic('red', `guess-${i}`));
    const statuses: number[] = [];
    for (const guess of tries) statuses.push((await logIn(guess)).status);
    expect(statuses).toEqual([...tries.slice(1).map(() => 401), 429]);
  });

  test('ends no later than its key', async () => {
    const soon = keyFor('blue', 'admin', begin.getTime() / 1000 + 600);
    memoryTable.put(soon.item);
    const { body, headers } = await logIn(basic('blue', soon.secret));
    expect(body.expires_at).toBe('2026-11-14T12:10:00.000Z');
    expect(headers['Set-Cookie']).toContain('Max-Age=600');
  });
});

describe('a session', () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = await cookieOf(asAdmin);
  });

  test('has the rights of its key, and no others', async () => {
    expect((await getShop({ cookie })).body).toMatchObject({ slug: 'blue' });
    expect((await renameShop({ cookie, Origin: ours })).status).toBe(200);
    expect(outcome(await getShop({ cookie }, 'green'))).toEqual(forbidden);
    const reader = await cookieOf(basic('blue', viewer.secret));
    expect(outcome(await renameShop({ cookie: reader, Origin: ours }))).toEqual(forbidden);
  });

  test('is found among other cookies', async () => {
    expect((await getShop({ cookie: `theme=dark; ${cookie};other="a b"` })).status).toBe(200);
  });

  test('costs one read, of the session, the key and the shop together', async () => {
    dynamo.resetHistory();
    await getShop({ cookie });
    const [call, ...others] = dynamo.commandCalls(BatchGetCommand);
    expect(others).toEqual([]);
    const { Keys = [] } = Object.values(call!.args[0].input.RequestItems!)[0]!;
    expect(Keys.map(({ pk }) => pk.split('#')[0]).sort()).toEqual(['KEYS', 'SESSIONS', 'SHOP']);
    expect(dynamo.commandCalls(PutCommand)).toEqual([]);
  });

  test('is not read if the request has a key, and the key counts alone', async () => {
    dynamo.resetHistory();
    const both = { cookie, ...basic('blue', viewer.secret) };
    expect(outcome(await renameShop(both))).toEqual(forbidden);
    const [call] = dynamo.commandCalls(BatchGetCommand);
    const { Keys = [] } = Object.values(call!.args[0].input.RequestItems!)[0]!;
    expect(Keys.map(({ pk }) => pk.split('#')[0]).sort()).toEqual(['KEYS', 'SHOP']);
    expect(outcome(await getShop({ cookie, ...basic('blue', 'wrong') }))).toEqual([401, 'invalid_merchant_or_key']);
    expect(outcome(await getShop({ cookie, Authorization: '' }))).toEqual([400, 'invalid_merchant_or_key']);
    expect(outcome(await whoAmI({ cookie, ...asAdmin }))).toEqual(refused);
  });

  test('answers who is logged in', async () => {
    const { status, body } = await whoAmI({ cookie });
    expect(status).toBe(200);
    expect(body).toEqual((await logIn(asAdmin)).body);
  });

  test('ends after twelve hours, also while the table still has it', async () => {
    vi.setSystemTime(begin.getTime() + twelveHours * 1000 - 1);
    expect((await getShop({ cookie })).status).toBe(200);
    vi.setSystemTime(begin.getTime() + twelveHours * 1000);
    expect(outcome(await getShop({ cookie }))).toEqual(refused);
    expect(memoryTable.all('SESSIONS#')).toHaveLength(1);
  });

  test('ends at once with the deletion of its key', async () => {
    memoryTable.remove(admin.item);
    expect(outcome(await getShop({ cookie }))).toEqual(refused);
  });

  test('ends at once with the expiry of its key', async () => {
    const soon = keyFor('blue', 'admin', begin.getTime() / 1000 + 600);
    memoryTable.put(soon.item);
    const short = await cookieOf(basic('blue', soon.secret));
    memoryTable.put(...memoryTable.all('SESSIONS#').map((item) => ({ ...item, expires_at: 9_999_999_999 })));
    vi.setSystemTime(begin.getTime() + 599_000);
    expect((await getShop({ cookie: short })).status).toBe(200);
    vi.setSystemTime(begin.getTime() + 600_000);
    expect(outcome(await getShop({ cookie: short }))).toEqual(refused);
  });

  test('ends with the log-out, which removes it and the cookie, and no other session of the key', async () => {
    const other = await cookieOf(asAdmin);
    const answer = await current('DELETE', { cookie, Origin: ours });
    expect([answer.status, answer.body]).toEqual([200, null]);
    expect(answer.headers['Set-Cookie']).toBe('__Host-session=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0');
    expect(outcome(await getShop({ cookie }))).toEqual(refused);
    expect(outcome(await current('DELETE', { cookie, Origin: ours }))).toEqual(refused);
    expect((await getShop({ cookie: other })).status).toBe(200);
    expect(dynamo.commandCalls(DeleteCommand)).toHaveLength(1);
  });

  test('is logged by the token id of its key, and the cookie is not', async () => {
    const log = vi.spyOn(logger, 'info');
    await getShop({ cookie });
    expect(log).toHaveBeenCalledWith('request', expect.objectContaining({ token_id: admin.item.token_id }));
    expect(JSON.stringify(log.mock.calls)).not.toContain(cookie.split('.')[2]);
  });
});

describe('a forged session is refused', () => {
  const swapped = (value: string, change: (parts: string[]) => unknown[]) =>
    `__Host-session=${change(value.split('=')[1]!.split('.')).join('.')}`;

  test('if the secret is another one', async () => {
    const cookie = await cookieOf(asAdmin);
    expect(outcome(await getShop({ cookie: swapped(cookie, ([a, b]) => [a, b, 'A'.repeat(43)]) }))).toEqual(refused);
  });

  test('if the secret is of the session of another key, of another shop or with another role', async () => {
    const [mine, of] = [await cookieOf(basic('blue', viewer.secret)), await cookieOf(asAdmin)];
    const [name, tokenId] = of.split('=')[1]!.split('.');
    const forged = swapped(mine, ([, , secret]) => [name, tokenId, secret]);
    expect(outcome(await renameShop({ cookie: forged, Origin: ours }))).toEqual(refused);
    const theirs = await cookieOf(basic('green', stranger.secret));
    expect(outcome(await getShop({ cookie: swapped(theirs, ([, , secret]) => [name, tokenId, secret]) }))).toEqual(
      refused,
    );
    expect(outcome(await getShop({ cookie: swapped(theirs, ([, id, secret]) => [name, id, secret]) }))).toEqual(
      refused,
    );
  });

  test('in the same words whether or not the key exists', async () => {
    const nobody = `__Host-session=${Buffer.from('nobody').toString('base64url')}.${'0'.repeat(16)}.${'A'.repeat(43)}`;
    const known = `__Host-session=${Buffer.from('blue').toString('base64url')}.${admin.item.token_id}.${'A'.repeat(43)}`;
    const answers = [await getShop({ cookie: nobody }), await getShop({ cookie: known })];
    expect(answers[0]!.body).toEqual(answers[1]!.body);
  });

  test('if another host of the domain planted it beside ours, or under the name without HTTPS', async () => {
    const cookie = await cookieOf(asAdmin);
    expect(outcome(await getShop({ cookie: `${cookie}; ${cookie}` }))).toEqual(refused);
    const plain = cookie.replace('__Host-', '');
    expect(outcome(await getShop({ cookie: plain }))).toEqual([400, 'invalid_merchant_or_key']);
  });

  const malformed = [
    '',
    '.',
    '..',
    'x',
    'YmxhZQ..',
    'a.b.c',
    `${'A'.repeat(4000)}.${'0'.repeat(16)}.${'A'.repeat(43)}`,
    `.${'0'.repeat(16)}.${'A'.repeat(43)}`,
    `!!!.${'0'.repeat(16)}.${'A'.repeat(43)}`,
    `YmxhZQ.${'z'.repeat(16)}.${'A'.repeat(43)}`,
    `YmxhZQ.${'0'.repeat(16)}.${'A'.repeat(44)}`,
    `YmxhZQ.${'0'.repeat(16)}.${'A'.repeat(43)}.x`,
    `"YmxhZQ.${'0'.repeat(16)}.${'A'.repeat(43)}"`,
    `gICA.${'0'.repeat(16)}.${'A'.repeat(43)}`,
    '\u0000\u00ff💥',
    '%00%ff',
    '__proto__',
    'x'.repeat(20_000),
  ];

  test.each(malformed)('if its cookie is malformed, case %#', async (value) => {
    expect(outcome(await getShop({ cookie: `__Host-session=${value}` }))).toEqual(refused);
    expect(outcome(await whoAmI({ cookie: `__Host-session=${value}` }))).toEqual(refused);
  });

  test.each(['', ';', '=', ';;;=;', '__Host-session', 'session=x', ' ', '__Host-sessionx=1'])(
    'if there is none in the cookies %j',
    async (cookie) => {
      expect(outcome(await getShop({ cookie }))).toEqual([400, 'invalid_merchant_or_key']);
      expect(outcome(await whoAmI({ cookie }))).toEqual(refused);
    },
  );
});

describe('a request with the cookie from another site is refused', () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = await cookieOf(asAdmin);
  });

  test.each(['cross-site', 'same-site', '', 'SAME-ORIGIN', 'x'])('with Sec-Fetch-Site: %s', async (site) => {
    expect(outcome(await getShop({ cookie, 'Sec-Fetch-Site': site }))).toEqual(forbidden);
    expect(outcome(await renameShop({ cookie, 'Sec-Fetch-Site': site, Origin: ours }))).toEqual(forbidden);
    expect(memoryTable.read(shopItem('blue'))).toMatchObject({ name: 'blue' });
  });

  test.each(['https://evil.example', 'null', '', 'http://console.example.com', `${ours}.evil.example`, `${ours}:444`])(
    'with Origin: %s',
    async (Origin) => {
      expect(outcome(await getShop({ cookie, Origin }))).toEqual(forbidden);
      expect(outcome(await renameShop({ cookie, Origin, 'Sec-Fetch-Site': 'same-origin' }))).toEqual(forbidden);
    },
  );

  test('unless it has neither header and is nothing that a form could send', async () => {
    expect((await renameShop({ cookie })).status).toBe(200);
    const upload = (headers: Headers) =>
      invoke(images, {
        method: 'POST',
        resource: '/v1/shops/{slug}/images',
        params: { slug: 'blue' },
        headers: { cookie, ...headers },
      });
    expect(outcome(await upload({ 'Content-Type': 'multipart/form-data; boundary=x' }))).toEqual(forbidden);
    expect(outcome(await upload({ 'Content-Type': 'text/plain' }))).toEqual(forbidden);
    expect(outcome(await upload({}))).toEqual(forbidden);
    expect(outcome(await upload({ 'Content-Type': 'multipart/form-data; boundary=x', Origin: ours }))).toEqual([
      422,
      'invalid_payload',
    ]);
  });

  test('but not if its address was typed in, or a page of ours sent it', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: ours },
      { Origin: 'https://api.example.com' },
    ] as Headers[]) {
      expect((await getShop({ cookie, ...headers })).status).toBe(200);
    }
  });

  test('also if the log-in itself named another site, or none', async () => {
    for (const headers of [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
      {},
    ] as Headers[]) {
      const session = await cookieOf(asAdmin, headers);
      expect(outcome(await getShop({ cookie: session, Origin: 'https://evil.example' }))).toEqual(forbidden);
      expect((await getShop({ cookie: session, Origin: 'https://service.example.com' })).status).toBe(200);
    }
  });

  test('with a key it is not, because no page of another site can send one', async () => {
    const headers = { ...asAdmin, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await getShop(headers)).status).toBe(200);
  });
});
