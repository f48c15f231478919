import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/privacy/handler.ts';
import { disclosureKey } from '#domain/privacy/download.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { dueWork } from '#domain/privacy/work-store.ts';
import { keyOf, privacyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const stranger = keyFor('red', 'admin');

const callAs = (slug: string, secret: string) => (method: string, rest: string, body?: object) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}/privacy/requests${rest === '' ? '' : '/{uuid}'}`,
    params: { slug, ...(rest !== '' && { uuid: rest }) },
    headers: basic(slug, secret),
    ...(body && { body }),
  });
const call = callAs('blue', admin.secret);
const ask = async (body: object) => (await call('POST', '', body)).body;

beforeEach(() => {
  vi.stubEnv('PAYLOAD_BUCKET', 'payloads');
  tableWith(shopItem('blue'), admin.item, shopItem('red'), stranger.item);
});
afterEach(() => void vi.unstubAllEnvs());

const stored = () => memoryTable.all(privacyOf('blue'));
const nobody = '00000000-0000-7000-8000-000000000000';

describe('a request', () => {
  test('is answered at once and waits for the function that works on it', async () => {
    const { status, body } = await call('POST', '', { kind: 'erasure', email_id: 'Ida@Example.com', reference: 'T-1' });
    expect([status, body]).toEqual([
      200,
      {
        uuid: expect.any(String),
        kind: 'erasure',
        status: 'running',
        dry_run: false,
        reference: 'T-1',
        created_at: expect.any(String),
        done_at: null,
        orders: 0,
        stores: [],
        download_url: null,
        requested_by: expect.stringContaining('****'),
      },
    ]);
    expect(await dueWork(new Date())).toMatchObject([
      { shop_slug: 'blue', ...keyOf.privacyRequest('blue', body.uuid) },
    ]);
  });

  test.each([{}, { email_id: null, order_numbers: null }, { order_numbers: [] }])(
    'that names nobody (%j) is refused and changes nothing',
    async (who) => {
      const { status, body } = await call('POST', '', { kind: 'erasure', ...who });
      expect([status, body.key, body.errors[0].loc]).toEqual([422, 'invalid_payload', ['body']]);
      expect(stored()).toEqual([]);
    },
  );

  test.each([
    [{ kind: 'forget', email_id: 'a@b.example' }, 'kind'],
    [{ kind: 'erasure', email_id: '   ' }, 'email_id'],
    [{ kind: 'erasure', external_customer_id: '' }, 'external_customer_id'],
    [{ kind: 'erasure', order_numbers: Array.from({ length: 101 }, (_, i) => `${i}`) }, 'order_numbers'],
    [{ kind: 'erasure', order_numbers: ['1'], dry_run: 'yes' }, 'dry_run'],
  ])('with the faulty field of %j is refused', async (body, field) => {
    const answer = await call('POST', '', body);
    expect([answer.status, answer.body.errors[0].loc]).toEqual([422, ['body', field]]);
    expect(stored()).toEqual([]);
  });

  test('that is sent again while it runs is the same request, in whatever case and order', async () => {
    const first = await ask({ kind: 'erasure', email_id: 'ida@example.com', order_numbers: ['2', '1'] });
    expect(await ask({ kind: 'erasure', email_id: 'IDA@example.com', order_numbers: ['1', '2', '2'] })).toEqual(first);
    const others = [
      { kind: 'disclosure', email_id: 'ida@example.com', order_numbers: ['1', '2'] },
      { kind: 'erasure', email_id: 'ida@example.com', order_numbers: ['1', '2'], dry_run: true },
      { kind: 'erasure', email_id: 'ida@example.com' },
    ];
    const uuids = [first.uuid, ...(await Promise.all(others.map(async (other) => (await ask(other)).uuid)))];
    expect(new Set(uuids).size).toBe(4);
  });

  test('is found by its uuid, in its own shop only, and listed without the person', async () => {
    const first = await ask({ kind: 'erasure', email_id: 'ida@example.com' });
    const second = await ask({ kind: 'disclosure', external_customer_id: 'C-77' });
    expect((await call('GET', first.uuid.toUpperCase())).body).toEqual(first);
    const list = (await call('GET', '')).body;
    expect(list.map(({ uuid }: { uuid: string }) => uuid).sort()).toEqual([first.uuid, second.uuid].sort());
    expect(JSON.stringify(list)).not.toMatch(/ida@example|C-77/);
    const foreign = await callAs('red', stranger.secret)('GET', first.uuid);
    expect([foreign.status, foreign.body.key]).toEqual([404, 'privacy_request_not_found']);
    expect((await call('GET', nobody)).body.key).toBe('privacy_request_not_found');
  });

  test.each(['viewer', 'editor'] as const)('is nothing for a %s', async (role) => {
    const key = keyFor('blue', role);
    memoryTable.put(key.item);
    const asked = callAs('blue', key.secret);
    const answers = [await asked('POST', '', { kind: 'erasure', email_id: 'a@b.example' }), await asked('GET', '')];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(stored()).toEqual([]);
  });

  test('that is done says what was found where, and why something stays', async () => {
    const { uuid } = await ask({ kind: 'erasure', email_id: 'ida@example.com' });
    const counts = {
      orders: { found: 2, erased: 2, kept: 0 },
      automation_runs: { found: 3, erased: 1, kept: 2 },
      order_references: { found: 2, erased: 1, kept: 1 },
      claims: { found: 0, erased: 0, kept: 0 },
    };
    change(uuid, { status: 'done', done_at: '2026-11-14T12:00:00.000Z', orders: 2, counts });
    const { body } = await call('GET', uuid);
    expect(body).toMatchObject({ status: 'done', orders: 2, download_url: null });
    const keptOfRuns = 'They say which automation ran when, without anybody’s words.';
    const keptOfReferences = 'They find the order by its number and its external id, and name no person.';
    expect(body.stores).toEqual([
      { store: 'automation_runs', found: 3, erased: 1, kept: 2, kept_because: keptOfRuns },
      { store: 'order_references', found: 2, erased: 1, kept: 1, kept_because: keptOfReferences },
      { store: 'orders', found: 2, erased: 2, kept: 0, kept_because: null },
    ]);
  });
});

describe('the download of a disclosure', () => {
  const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
  const eightDaysAgo = () => new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
  const done = () => ({ status: 'done' as const, done_at: hourAgo() });

  test('is signed anew with each read, for an hour', async () => {
    const { uuid } = await ask({ kind: 'disclosure', email_id: 'ida@example.com' });
    change(uuid, done());
    const url = new URL((await call('GET', uuid)).body.download_url);
    expect(decodeURIComponent(url.pathname)).toContain(disclosureKey('blue', uuid));
    expect(url.searchParams.get('X-Amz-Expires')).toBe('3600');
  });

  test.each<[string, () => Partial<PrivacyRequest>]>([
    ['while it runs', () => ({})],
    ['after seven days', () => ({ status: 'done', done_at: eightDaysAgo() })],
    ['if it failed', () => ({ status: 'failed', done_at: hourAgo() })],
    ['of a dry run', () => ({ ...done(), dry_run: true })],
    ['of an erasure', () => ({ ...done(), kind: 'erasure' })],
    ['after the person was erased', () => ({ ...done(), download_gone: true })],
  ])('does not exist %s', async (_when, fields) => {
    const { uuid } = await ask({ kind: 'disclosure', email_id: 'ida@example.com' });
    change(uuid, fields());
    expect((await call('GET', uuid)).body.download_url).toBeNull();
  });
});

function change(uuid: string, fields: Partial<PrivacyRequest>): void {
  memoryTable.put({ ...memoryTable.read(keyOf.privacyRequest('blue', uuid)), ...fields });
}
