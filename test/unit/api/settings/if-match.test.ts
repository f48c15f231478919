import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/settings/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');

interface Sent {
  params?: Record<string, string>;
  body?: object;
  tag?: string | undefined;
}

const call = (method: string, path: string, { params, body, tag }: Sent = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}/settings${path}`,
    params: { slug: 'blue', ...params },
    headers: { ...basic('blue', admin.secret), ...(tag !== undefined && { 'If-Match': tag }) },
    ...(body && { body }),
  });

const stored = () => memoryTable.read(keyOf.settings('blue'));
const trigger = { name: 'Slow', operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 48 };

beforeEach(() => {
  tableWith(admin.item, shopItem('blue'), { ...keyOf.settings('blue'), version: 7 });
});

const rule = { source: { key: 'number', type: 'note_attribute' }, target: 'order_name' };

/** What is read, what changes it, and a change by somebody else. */
const parts: [read: string, method: string, change: string, mine: object, theirs: object, params?: Sent['params']][] = [
  ['', 'PATCH', '/carriers', { shipment_updates: true }, { carriers: { shipment_updates: true } }],
  ['', 'PATCH', '/triggers', { integration_1: true }, { triggers: { integration_1: true } }],
  ['', 'PATCH', '/segments', { integration_1: true }, { segments: { integration_2: true } }],
  [
    '',
    'PATCH',
    '/campaigns',
    { product_recommendations_enabled: true },
    { campaigns: { product_recommendations_enabled: false } },
  ],
  ['/brand-palette', 'PATCH', '/brand-palette', { surface: '#111111' }, { brand_palette: { surface: '#222222' } }],
  [
    '/mappings',
    'PUT',
    '/mappings',
    { data: {} },
    { mappings: { version: 1, data: { 'shop_system_1.order': [rule] } } },
  ],
  ['/tracking-page', 'PATCH', '/tracking-page', { enabled: false }, { tracking_page: { claims_enabled: false } }],
  [
    '/triggers/{integration}',
    'PATCH',
    '/triggers/{integration}',
    { stale_event_threshold: 9 },
    { trigger_settings: { integration_2: { use_proxy: true } } },
    { integration: 'integration_2' },
  ],
];

describe('a change that names the settings it is based on', () => {
  test.each(parts)('of "%s" with %s %s is made if they are still so', async (read, method, change, mine, _, params) => {
    const tag = (await call('GET', read, { params: params! })).headers.ETag;
    const first = await call(method, change, { params: params!, body: mine, tag });
    expect(first.status).toBe(200);
    const again = await call(method, change, { params: params!, body: mine, tag: first.headers.ETag });
    expect(again.status).toBe(200);
    expect((await call('GET', read, { params: params! })).headers.ETag).toBe(again.headers.ETag);
  });

  test.each(parts)(
    'of "%s" with %s %s is refused after another',
    async (read, method, change, mine, theirs, params) => {
      const tag = (await call('GET', read, { params: params! })).headers.ETag;
      const others = { ...keyOf.settings('blue'), version: 8, ...theirs };
      memoryTable.put(others);
      const answer = await call(method, change, { params: params!, body: mine, tag });
      expect(answer).toMatchObject({ status: 412, body: { key: 'changed_since_read' } });
      expect(stored()).toEqual(others);
    },
  );

  test('is refused also if the other change comes between its own read and write', async () => {
    const tag = (await call('GET', '/brand-palette')).headers.ETag;
    const others = { ...keyOf.settings('blue'), version: 8, brand_palette: { surface: '#222222' } };
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(others));
    const answer = await call('PATCH', '/brand-palette', { body: { surface: '#111111' }, tag });
    expect(answer.status).toBe(412);
    expect(stored()).toEqual(others);
  });

  test('is made if the other change is of something else', async () => {
    const tag = (await call('GET', '/brand-palette')).headers.ETag;
    await call('PUT', '/mappings', { body: { data: { 'shop_system_1.order': [rule] } } });
    expect((await call('PATCH', '/brand-palette', { body: { surface: '#111111' }, tag })).status).toBe(200);
    expect(stored()).toMatchObject({ brand_palette: { surface: '#111111' }, mappings: { data: expect.anything() } });
  });
});

describe('an internal trigger', () => {
  const all = '/triggers/{integration}/internal-triggers';
  const one = `${all}/{trigger_id}`;
  const made = async () => {
    const { body } = await call('POST', all, { params: { integration: 'webhook' }, body: trigger });
    return { integration: 'webhook', trigger_id: body.id as string };
  };

  test('is replaced and deleted if it is as the caller read it', async () => {
    const params = await made();
    const tag = (await call('GET', one, { params })).headers.ETag;
    const put = await call('PUT', one, { params, body: { ...trigger, name: 'Slower' }, tag });
    expect(put.status).toBe(200);
    expect((await call('DELETE', one, { params, tag: put.headers.ETag })).status).toBe(200);
  });

  test('is neither replaced nor deleted after somebody else changed it', async () => {
    const params = await made();
    const tag = (await call('GET', one, { params })).headers.ETag;
    await call('PUT', one, { params, body: { ...trigger, name: 'Theirs' } });
    const body = { ...trigger, name: 'Mine' };
    expect((await call('PUT', one, { params, body, tag })).status).toBe(412);
    expect((await call('DELETE', one, { params, tag })).status).toBe(412);
    expect((await call('GET', one, { params })).body.name).toBe('Theirs');
  });

  test('is not refused because of a change of another one', async () => {
    const [params, other] = [await made(), await made()];
    const tag = (await call('GET', one, { params })).headers.ETag;
    await call('PUT', one, { params: other, body: { ...trigger, name: 'Theirs' } });
    expect((await call('PUT', one, { params, body: trigger, tag })).status).toBe(200);
  });
});
