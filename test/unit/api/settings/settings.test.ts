import { PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler } from '#api/settings/handler.ts';
import { loadSettingsWithTriggers, triggerRules } from '#domain/settings/trigger-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import { notifiedIntegrations, thirdParties } from '#schemas/catalogues/integrations.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const base = '/v1/shops/{slug}/settings';

const call = (method: string, path: string, body?: unknown, params: Record<string, string> = {}) =>
  invoke(handler, {
    method,
    resource: base + path,
    params: { slug: 'blue', ...params },
    headers: basic('blue', admin.secret),
    ...(body !== undefined && { body }),
  });

const anything = expect.any(String);
const holds = (...items: object[]) => tableWith(admin.item, shopItem('blue'), ...items);
/** Settings are written in a transaction with the version of the storefront, and internal triggers alone. */
const puts = () => [
  ...dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input),
  ...dynamo
    .commandCalls(TransactWriteCommand)
    .flatMap(({ args }) => args[0].input.TransactItems!.flatMap(({ Put }) => Put ?? [])),
];
const each = (value: boolean) => Object.fromEntries(notifiedIntegrations.map((id) => [id, value]));

describe('a shop without stored settings', () => {
  test('answers the defaults', async () => {
    holds();
    const { status, body } = await call('GET', '');
    expect(status).toBe(200);
    expect(body).toEqual({
      carriers: { shipment_updates: false },
      triggers: each(false),
      segments: each(false),
      campaigns: { product_recommendations_enabled: null },
      brand_palette: expect.any(Object),
    });
    for (const colour of Object.values(body.brand_palette)) expect(colour).toMatch(/^#[0-9A-F]{6}$/);
    expect((await call('GET', '/mappings')).body).toEqual({ version: 1, data: {} });
  });

  test.each(thirdParties)('answers the default trigger settings of %s', async (integration) => {
    holds();
    const { body } = await call('GET', '/triggers/{integration}', undefined, { integration });
    const threshold = { integration_7: 48, webhook: 24 }[integration as string] ?? 4;
    const own = {
      integration_2: { use_proxy: false },
      integration_3: { rest_endpoint: null },
      integration_4: { portal_id: null },
      integration_6: { instance_id: null },
    }[integration as string];
    const general = { trigger_delivered_all_events: false, segments_enabled: false, internal_triggers: [], ...own };
    expect(body).toEqual({
      effective: { active: false, reason: integration === 'webhook' ? 'no_endpoint' : 'switch_off', message: anything },
      status: integration === 'webhook',
      stale_event_threshold: threshold,
      ...(integration !== 'integration_7' && general),
    });
  });

  test('gets an item with its first change, unless another change came first', async () => {
    holds();
    expect((await call('PATCH', '/triggers', { integration_1: true })).status).toBe(200);
    expect(puts()).toMatchObject([
      {
        Item: { ...keyOf.settings('blue'), triggers: { integration_1: true }, version: 1 },
        ConditionExpression: 'attribute_not_exists(version)',
      },
    ]);
  });
});

describe('switching shipment updates on', () => {
  const backlogs = () => memoryTable.all('OUTBOX#blue#').map(({ kind, generation }) => ({ kind, generation }));
  const switchTo = async (shipment_updates: boolean | null) =>
    (await call('PATCH', '/carriers', { shipment_updates })).body;

  test('also asks for the parcels under way, in the same transaction', async () => {
    holds({ ...keyOf.settings('blue'), version: 7 });
    expect(await switchTo(true)).toEqual({ shipment_updates: true });
    expect(backlogs()).toEqual([{ kind: 'tracking_backlog', generation: 8 }]);
    expect(memoryTable.read(keyOf.settings('blue'))).toMatchObject({ version: 8, carriers: { generation: 8 } });
  });

  test('asks once for each time that they were off before', async () => {
    holds();
    for (const state of [true, true, null, false, null, true]) await switchTo(state);
    expect(backlogs().map(({ generation }) => generation)).toEqual([1, 6]);
  });

  test('asks for nothing if somebody else switched them on at the same moment', async () => {
    holds({ ...keyOf.settings('blue'), version: 7 });
    const other = { ...keyOf.settings('blue'), version: 8, carriers: { shipment_updates: true, generation: 8 } };
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(other));
    expect(await switchTo(true)).toEqual({ shipment_updates: true });
    expect(backlogs()).toEqual([]);
  });
});

test('a change that loses a race is made again on what the other change wrote', async () => {
  const before = { ...keyOf.settings('blue'), version: 7, triggers: { integration_2: true } };
  holds(before);
  beforeNextRequest(TransactWriteCommand, () =>
    memoryTable.put({ ...before, version: 8, segments: { integration_1: true } }),
  );
  const { body } = await call('PATCH', '/triggers', { integration_1: true, integration_2: null });
  expect(body).toEqual({ ...each(false), integration_1: true, integration_2: true });
  expect(puts()[1]).toMatchObject({
    Item: { version: 9, triggers: { integration_1: true, integration_2: true }, segments: { integration_1: true } },
    ExpressionAttributeValues: { ':before': 8 },
  });
});

describe('an update with null', () => {
  const triggers = { integration_1: true };
  const item = {
    ...keyOf.settings('blue'),
    triggers,
    segments: triggers,
    carriers: { shipment_updates: true },
    campaigns: { product_recommendations_enabled: true },
    brand_palette: { surface: '#123456' },
    trigger_settings: { integration_3: { status: false, stale_event_threshold: 9, rest_endpoint: 'https://a.org' } },
  };

  test.each([
    ['/carriers', { shipment_updates: null }, { shipment_updates: true }],
    ['/triggers', { integration_1: null }, { ...each(false), integration_1: true }],
    ['/segments', { integration_1: null }, { ...each(false), integration_1: true }],
  ])('changes nothing in %s', async (path, given, answer) => {
    holds(item);
    expect((await call('PATCH', path, given)).body).toEqual(answer);
  });

  test('clears campaigns and resets a colour and trigger settings to their defaults', async () => {
    holds(item);
    const campaigns = await call('PATCH', '/campaigns', { product_recommendations_enabled: null });
    expect(campaigns.body).toEqual({ product_recommendations_enabled: null });
    const { body: before } = await call('GET', '/brand-palette');
    const { body: after } = await call('PATCH', '/brand-palette', { surface: null, background: '#abcDEF' });
    expect(before.surface).toBe('#123456');
    expect(after).toEqual({ ...before, surface: expect.not.stringContaining('#123456'), background: '#abcDEF' });
    const given = { status: null, stale_event_threshold: null, rest_endpoint: null };
    const answer = await call('PATCH', '/triggers/{integration}', given, { integration: 'integration_3' });
    expect(answer.body).toMatchObject({ status: false, stale_event_threshold: 4, rest_endpoint: null });
    expect(puts().at(-1)!.Item!.trigger_settings).toEqual({ integration_3: {} });
  });
});

describe('an update of trigger settings', () => {
  const update = (integration: string, body: object) => call('PATCH', '/triggers/{integration}', body, { integration });

  test('takes only two fields for the shop system, which has no segments', async () => {
    holds();
    const all = { status: true, stale_event_threshold: 5, trigger_delivered_all_events: true, portal_id: 'x' };
    expect((await update('integration_7', all)).body).toEqual({
      effective: { active: false, reason: 'switch_off', message: anything },
      status: true,
      stale_event_threshold: 5,
    });
    expect(puts()[0]!.Item!.trigger_settings).toEqual({ integration_7: { status: true, stale_event_threshold: 5 } });
    const segments = await call('PATCH', '/segments', { integration_6: true, integration_7: true });
    expect(segments.body).toEqual({ ...each(false), integration_6: true });
  });

  test('ignores the extra fields of other integrations', async () => {
    holds();
    const extras = { use_proxy: true, rest_endpoint: 'https://example.com/', portal_id: 'p', instance_id: 'i' };
    expect((await update('integration_4', extras)).body).toMatchObject({ portal_id: 'p' });
    expect(puts()[0]!.Item!.trigger_settings).toEqual({ integration_4: { portal_id: 'p' } });
  });

  test.each([
    ['integration_3', { rest_endpoint: 'https://10.0.0.1/' }, ['body', 'rest_endpoint']],
    ['integration_3', { rest_endpoint: 'http://push.example.com/' }, ['body', 'rest_endpoint']],
    ['integration_3', { rest_endpoint: 'https://user:pass@push.example.com/' }, ['body', 'rest_endpoint']],
    ['integration_3', { rest_endpoint: 'push' }, ['body', 'rest_endpoint']],
    ['integration_4', { portal_id: 'a\r\nb: c' }, ['body', 'portal_id']],
    ['integration_1', { stale_event_threshold: -1 }, ['body', 'stale_event_threshold']],
    ['integration_1', { stale_event_threshold: 1.5 }, ['body', 'stale_event_threshold']],
    ['integration_1', { status: 'on' }, ['body', 'status']],
    ['integration_8', { status: true }, ['path', 'integration']],
    ['shop_system_2', { status: true }, ['path', 'integration']],
    ['__proto__', { status: true }, ['path', 'integration']],
    ['__defineGetter__', { status: true }, ['path', 'integration']],
  ])('of %s is refused with %j', async (integration, body, loc) => {
    holds();
    const answer = await update(integration, body);
    expect(answer).toMatchObject({ status: 422, body: { key: 'invalid_payload' } });
    expect(new Set(answer.body.errors.map((error: { loc: string[] }) => error.loc.join()))).toEqual(
      new Set([loc.join()]),
    );
    expect(puts()).toEqual([]);
  });
});

const trigger = { name: 'Slow', operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 48 };
const filled = {
  ...trigger,
  phase_in: [],
  phase_not_in: [],
  event_key_in: [],
  event_key_not_in: [],
  shipment_direction: 'merchant_customer',
};

describe('internal triggers', () => {
  const path = '/triggers/{integration}/internal-triggers';
  const one = `${path}/{trigger_id}`;
  const webhook = { integration: 'webhook' };
  const holdsTriggers = (count: number) => {
    const internal_triggers = Array.from({ length: count }, (_, i) => ({ id: `t${i}`, ...filled }));
    holds({ ...keyOf.internalTriggers('blue', 'webhook'), version: 1, internal_triggers });
  };

  test('are created with their defaults', async () => {
    holds();
    const { status, body } = await call('POST', path, trigger, webhook);
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String), ...filled } });
    expect(puts()[0]!.Item).toEqual({
      ...keyOf.internalTriggers('blue', 'webhook'),
      version: 1,
      internal_triggers: [body],
    });
  });

  test('are created once, though the answer of the table was lost and the SDK wrote again', async () => {
    holds();
    beforeNextRequest(PutCommand, ({ Item }) => memoryTable.put(Item!));
    const { body } = await call('POST', path, trigger, webhook);
    expect((await call('GET', path, undefined, webhook)).body).toEqual([body]);
  });

  test.each([
    [0, 200],
    [8760, 200],
    [-1, 422],
    [8761, 422],
    [0.5, 422],
  ])('that wait %d hours are answered %d', async (time_threshold_value, expected) => {
    holds();
    const { status, body } = await call('POST', path, { ...trigger, time_threshold_value }, webhook);
    expect(status).toBe(expected);
    if (status === 422) expect(body.errors[0].loc).toEqual(['body', 'time_threshold_value']);
  });

  test('can be 20 at most', async () => {
    holdsTriggers(19);
    expect((await call('POST', path, trigger, webhook)).status).toBe(200);
    holdsTriggers(20);
    expect(await call('POST', path, trigger, webhook)).toMatchObject({ status: 422, body: { key: 'invalid_payload' } });
    expect(puts()).toEqual([]);
    expect((await call('PUT', one, trigger, { ...webhook, trigger_id: 't19' })).status).toBe(200);
  });

  test('are replaced and deleted by their id and leave the others alone', async () => {
    holdsTriggers(3);
    const at = { ...webhook, trigger_id: 't1' };
    const { body } = await call('PUT', one, { ...trigger, name: 'Slower', phase_in: ['in_transit'] }, at);
    expect(body).toEqual({ id: 't1', ...filled, name: 'Slower', phase_in: ['in_transit'] });
    expect((await call('DELETE', one, undefined, at)).body).toBeNull();
    expect(puts()[1]!.Item!.internal_triggers.map(({ id }: { id: string }) => id)).toEqual(['t0', 't2']);
  });

  test.each(['GET', 'PUT', 'DELETE'])('are not found by %s when they do not exist', async (method) => {
    holdsTriggers(1);
    const answer = await call(method, one, method === 'PUT' ? trigger : undefined, { ...webhook, trigger_id: 'none' });
    expect(answer).toMatchObject({ status: 404, body: { key: 'internal_trigger_not_found' } });
    expect(puts()).toEqual([]);
  });

  test('are refused with all their faults at once', async () => {
    holds();
    const wrong = {
      name: 'half \ud83d',
      phase_in: ['lost'],
      operator: 'XOR',
      time_threshold_value: -1,
      shipment_direction: null,
    };
    const { body } = await call('POST', path, wrong, webhook);
    expect(body.errors.map(({ loc }: { loc: string[] }) => loc.join('.')).toSorted()).toEqual([
      'body.name',
      'body.operator',
      'body.phase_in.0',
      'body.shipment_direction',
      'body.time_threshold_type',
      'body.time_threshold_value',
    ]);
  });

  test('are read in one request with the rules of their integration', async () => {
    const internal_triggers = [{ id: 't', ...filled }];
    dynamo.on(QueryCommand).resolves({
      Items: [
        { ...keyOf.settings('blue'), triggers: { integration_2: true } },
        { ...keyOf.internalTriggers('blue', 'integration_2'), internal_triggers },
      ],
    });
    const { settings, internalTriggers } = await loadSettingsWithTriggers('blue');
    expect(triggerRules(settings).integration_2).toEqual({
      enabled: true,
      trigger_delivered_all_events: false,
      stale_event_threshold: 4,
    });
    expect(internalTriggers.integration_2).toEqual(internal_triggers);
    expect(Object.keys(internalTriggers)).toEqual([...thirdParties]);
    expect(internalTriggers.webhook).toEqual([]);
  });
});

describe('the mappings of a shop', () => {
  const rule = { source: { key: 'number', type: 'note_attribute' }, target: 'marketplace_order_number' };
  const off = { status: 'disabled', enabled_carriers: [], disabled_carriers: [] };
  const source = (prefix: string, { status, enabled_carriers, disabled_carriers } = off) => ({
    [`${prefix}_status`]: status,
    [`${prefix}_enabled_carriers`]: enabled_carriers,
    [`${prefix}_disabled_carriers`]: disabled_carriers,
    [`override_${prefix}_tracking_config_for_segments`]: [],
  });

  test('are refused with half a character, which the table does not take', async () => {
    holds();
    const half = { source: { key: '\ud83d', type: '\udca5' }, target: 'a\ud83d' };
    const { status, body } = await call('PUT', '/mappings', { data: { 'shop_system_1.order': [half] } });
    expect([status, body.errors.length]).toEqual([422, 3]);
    const whole = { source: { key: '💥', type: '💥' }, target: '💥' };
    expect((await call('PUT', '/mappings', { data: { 'shop_system_1.order': [whole] } })).status).toBe(200);
  });

  test('are answered together with triggers and carriers', async () => {
    const settings = { carriers: { shipment_updates: true }, triggers: { integration_2: true } };
    holds({ ...keyOf.settings('blue'), ...settings });
    const data = { 'shop_system_1.order': [rule] };
    const { body } = await call('PUT', '/mappings', { data });
    expect(body.mappings).toEqual({ version: 1, data });
    expect(body.carriers).toEqual({
      version: 1,
      data: { ...source('pp', { ...off, status: 'enabled' }), ...source('aftership'), ...source('hc') },
    });
    expect(body.triggers.version).toBe(1);
    expect(Object.keys(body.triggers.data)).toEqual([...thirdParties]);
    expect(body.triggers.data.integration_2).toEqual({
      status: 'enabled',
      stale_event_threshold: 4,
      shipment_group_key: 'shipment_id',
      trigger_delivered_all_events: false,
      segments_enabled: false,
      internal_triggers: [],
      use_proxy: false,
    });
    expect(body.triggers.data.integration_7).toMatchObject({ status: 'disabled', stale_event_threshold: 48 });
    const mappings = { version: 1, data };
    expect(memoryTable.read(keyOf.settings('blue'))).toEqual({
      ...keyOf.settings('blue'),
      ...settings,
      version: 1,
      mappings,
    });
  });

  test.each(['shop_system_9.order', 'shop_system_1.orders', 'Shop_system_1.order', 'order', '', '__defineGetter__'])(
    'stay as they are if a request names the kind %j, which does not exist',
    async (kind) => {
      const item = { ...keyOf.settings('blue'), mappings: { version: 1, data: { 'shop_system_1.order': [rule] } } };
      holds(item);
      const { status, body } = await call('PUT', '/mappings', { data: { 'shop_system_2.order': [], [kind]: [rule] } });
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        { loc: ['body', 'data'], msg: expect.stringContaining('shop_system_3.order'), type: 'value_error' },
      ]);
      expect(memoryTable.read(keyOf.settings('blue'))).toEqual(item);
    },
  );

  test('are refused quickly if they name very many kinds that do not exist', async () => {
    holds();
    const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`kind ${i}`, [rule]]));
    const { status, body } = await call('PUT', '/mappings', { data });
    expect([status, body.errors.length]).toEqual([422, 101]);
  });

  test.each([
    [{}, 'body.data'],
    [{ version: 2, data: {} }, 'body.version'],
    [
      { data: { 'shop_system_1.order': [{ source: { key: 'a' }, target: 'b' }] } },
      'body.data.shop_system_1.order.0.source.type',
    ],
  ])('are refused with %j', async (given, loc) => {
    holds();
    const { status, body } = await call('PUT', '/mappings', given);
    expect(status).toBe(422);
    expect(body.errors.map((error: { loc: string[] }) => error.loc.join('.'))).toEqual([loc]);
  });
});
