import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { settings } from '#schemas/families/settings.ts';
import type { Answer } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { callSettings, someTrigger } from '#test/e2e/kit/settings-tour.ts';
import { api, keyFor, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

const call = (slug: string, method: string, path: string, body?: unknown) =>
  api(method, `/v1/shops/${slug}/settings${path}`, { key: superAdmin, ...(body !== undefined && { body }) });
const done = async (slug: string, method: string, path: string, body?: unknown) =>
  accepted(await call(slug, method, path, body));
const each = (value: boolean) => Object.fromEntries(notifiedIntegrations.map((id) => [id, value]));

describe('the settings of a shop', () => {
  test('begin with those of its creation', async () => {
    const given = { integration_1_enabled: true, carriers_enabled: true };
    const all = await done(await newShop({ settings: given }), 'GET', '');
    expect(all).toMatchObject({
      carriers: { shipment_updates: true },
      triggers: { ...each(false), integration_1: true },
      segments: each(false),
      campaigns: { product_recommendations_enabled: null },
    });
  });

  test('keep all of several changes at once', async () => {
    const slug = await newShop();
    const changes: [string, object][] = [
      ['/triggers', { integration_1: true }],
      ['/triggers', { integration_4: true, integration_1: null }],
      ['/carriers', { shipment_updates: true }],
      ['/segments', { integration_2: true, integration_3: null }],
      ['/campaigns', { product_recommendations_enabled: true }],
      ['/brand-palette', { primary_dark: '#010203' }],
      ['/brand-palette', { primary_light: '#0A0B0C' }],
      ['/triggers/integration_4', { portal_id: 'p-1', stale_event_threshold: 9 }],
      ['/triggers/webhook', { trigger_delivered_all_events: true }],
    ];
    const answers = await Promise.all(changes.map(([path, body]) => call(slug, 'PATCH', path, body)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await done(slug, 'GET', '')).toEqual({
      carriers: { shipment_updates: true },
      triggers: { ...each(false), integration_1: true, integration_4: true },
      segments: { ...each(false), integration_2: true },
      campaigns: { product_recommendations_enabled: true },
      brand_palette: expect.objectContaining({ primary_dark: '#010203', primary_light: '#0A0B0C' }),
    });
    expect(await done(slug, 'GET', '/triggers/integration_4')).toMatchObject({
      status: true,
      portal_id: 'p-1',
      stale_event_threshold: 9,
    });
    expect(await done(slug, 'GET', '/triggers/webhook')).toMatchObject({ trigger_delivered_all_events: true });
  });

  test('are not changed from a page that was read before somebody else changed them', async () => {
    const slug = await newShop();
    const path = `/v1/shops/${slug}/settings/brand-palette`;
    const tagOf = ({ headers }: Answer) => headers.get('etag')!;
    const tag = tagOf(await api('GET', path, { key: superAdmin }));
    const change = (surface: string, known: string) =>
      api('PATCH', path, { key: superAdmin, body: { surface }, headers: { 'If-Match': known } });
    const first = await change('#111111', tag);
    expect(first.status).toBe(200);
    expectError(await change('#222222', tag), 412, 'changed_since_read');
    expect(accepted(await change('#333333', tagOf(first)))).toMatchObject({ surface: '#333333' });
  });

  test('are refused with all faults, and stay as they are', async () => {
    const slug = await newShop();
    const before = await done(slug, 'GET', '');
    expectInvalid(
      await call(slug, 'PATCH', '/brand-palette', { surface: 'red', background: '#12345', primary_dark: '#123456' }),
      ['body.surface', 'value_error'],
      ['body.background', 'value_error'],
    );
    expectInvalid(await call(slug, 'PATCH', '/triggers', { integration_1: 'yes' }), [
      'body.integration_1',
      'type_error',
    ]);
    expectInvalid(await call(slug, 'PATCH', '/triggers/integration_9', {}), ['path.integration', 'value_error']);
    expectInvalid(await call(slug, 'GET', '/triggers/shop_system_2'), ['path.integration', 'value_error']);
    expect(await done(slug, 'GET', '')).toEqual(before);
  });
});

describe('internal triggers', () => {
  const path = '/triggers/integration_1/internal-triggers';

  test('are created, read, replaced and deleted, and appear in the settings of their integration only', async () => {
    const slug = await newShop();
    const made = await done(slug, 'POST', path, someTrigger);
    const other = await done(slug, 'POST', path, { ...someTrigger, name: 'Another' });
    expect(await done(slug, 'GET', path)).toEqual([made, other]);
    const changed = await done(slug, 'PUT', `${path}/${made.id}`, { ...someTrigger, event_key_in: ['IN_DELIVERY'] });
    expect(changed).toEqual({ ...made, event_key_in: ['IN_DELIVERY'] });
    expect(await done(slug, 'GET', `${path}/${made.id}`)).toEqual(changed);
    expect((await done(slug, 'GET', '/triggers/integration_1')).internal_triggers).toEqual([changed, other]);
    expect((await done(slug, 'GET', '/triggers/webhook')).internal_triggers).toEqual([]);
    expectError(
      await call(slug, 'GET', `/triggers/webhook/internal-triggers/${made.id}`),
      404,
      'internal_trigger_not_found',
    );
    expect(await done(slug, 'DELETE', `${path}/${made.id}`)).toBeNull();
    expectError(await call(slug, 'DELETE', `${path}/${made.id}`), 404, 'internal_trigger_not_found');
    expect(await done(slug, 'GET', path)).toEqual([other]);
  });

  test('are all kept when they are created at once', async () => {
    const slug = await newShop();
    const made = await Promise.all(Array.from({ length: 5 }, () => done(slug, 'POST', path, someTrigger)));
    const ids = (triggers: { id: string }[]) => triggers.map(({ id }) => id).toSorted();
    expect(ids(await done(slug, 'GET', path))).toEqual(ids(made));
  });
});

test('mappings are replaced as a whole and answered with the other settings', async () => {
  const slug = await newShop();
  const rule = { source: { key: 'number', type: 'note_attribute' }, target: 'marketplace_order_number' };
  const mappings = { version: 1, data: { 'shop_system_1.order': [rule] } };
  const trigger = await done(slug, 'POST', '/triggers/webhook/internal-triggers', someTrigger);
  const bundle = await done(slug, 'PUT', '/mappings', mappings);
  expect(bundle).toMatchObject({
    mappings,
    triggers: { version: 1, data: { webhook: { status: 'enabled', internal_triggers: [trigger] } } },
    carriers: { version: 1, data: { pp_status: 'disabled', hc_enabled_carriers: [] } },
  });
  expect(await done(slug, 'GET', '/mappings')).toEqual(mappings);
  await done(slug, 'PUT', '/mappings', { data: {} });
  expect(await done(slug, 'GET', '/mappings')).toEqual({ version: 1, data: {} });
});

describe('in the settings family', () => {
  /** The operations for viewers, written by hand from the contract; all others are for admins. */
  const forViewers = [
    'getSettings',
    'getBrandPalette',
    'getTrackingPageSettings',
    'getMappings',
    'getTriggerSettings',
    'listNotifications',
    'listInternalTriggers',
    'getInternalTrigger',
  ];
  const keys = {} as Record<(typeof shopRoles)[number] | 'stranger', string>;
  let slug: string;

  beforeAll(async () => {
    slug = await newShop();
    for (const role of shopRoles) keys[role] = await keyFor(slug, role);
    keys.stranger = await keyFor(await newShop());
  });

  test.each(Object.keys(settings) as (keyof typeof settings)[])(
    'the operation %s is allowed to its roles only',
    async (id) => {
      const allowed = forViewers.includes(id) ? shopRoles : (['admin'] as const);
      const { id: trigger } = await done(slug, 'POST', '/triggers/webhook/internal-triggers', someTrigger);
      const refused = [...shopRoles, 'stranger' as const].filter((role) => !allowed.includes(role as 'admin'));
      for (const role of refused) {
        expectError(await callSettings(api, keys[role], slug, id, trigger), 403, 'insufficient_rights');
      }
      for (const role of allowed) {
        const { status, text } = await callSettings(api, keys[role], slug, id, trigger);
        expect(status, text).toBe(200);
      }
    },
  );
});
