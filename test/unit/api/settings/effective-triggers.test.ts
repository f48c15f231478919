import { afterEach, describe, expect, test, vi } from 'vitest';
import { effectiveTriggers } from '#api/settings/effective-triggers.ts';
import { handler } from '#api/settings/handler.ts';
import { notificationsOf } from '#domain/deliveries/notifications.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { loadAudience } from '#pipeline/fan-out/event-work.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { storedEndpoint } from '#test/kit/endpoints.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWithEvent } from '#test/kit/outbox-records.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const call = async (method: string, integration: ThirdParty, body?: object) => {
  const answer = await invoke(handler, {
    method,
    resource: '/v1/shops/{slug}/settings/triggers/{integration}',
    params: { slug: 'blue', integration },
    headers: basic('blue', admin.secret),
    ...(body && { body }),
  });
  return answer.body.effective;
};

const deployed = (...ids: ThirdParty[]) =>
  vi.stubEnv(
    'INTEGRATION_TARGETS',
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, { url: 'https://mail.example.com/', scheme: 'bearer' }]))),
  );
afterEach(() => void vi.unstubAllEnvs());

const storedKey = (id: ThirdParty, origin: string | null) => ({ ...keyOf.integrationKey('blue', id), origin });
const on = (id: ThirdParty, own: object = {}) => ({ triggers: { [id]: true }, trigger_settings: { [id]: own } });

type Row = [reason: string | null, id: ThirdParty, settings: StoredSettings, others: object[]];

const endpoint = storedEndpoint({ status: 'active' });
const rows: Row[] = [
  ['switch_off', 'integration_1', {}, [storedKey('integration_1', null)]],
  ['switch_off', 'integration_1', { trigger_settings: { integration_1: { status: true } } }, []],
  ['status_off', 'integration_1', on('integration_1', { status: false }), [storedKey('integration_1', null)]],
  ['no_address', 'integration_2', on('integration_2'), [storedKey('integration_2', null)]],
  ['no_key', 'integration_1', on('integration_1'), []],
  [null, 'integration_1', on('integration_1'), [storedKey('integration_1', null)]],
  [null, 'integration_1', on('integration_1', { status: true }), [storedKey('integration_1', null)]],
  ['no_address', 'integration_3', on('integration_3'), [storedKey('integration_3', null)]],
  ['no_key', 'integration_3', on('integration_3', { rest_endpoint: 'https://a.org/x' }), []],
  [
    'key_for_other_server',
    'integration_3',
    on('integration_3', { rest_endpoint: 'https://a.org/x' }),
    [storedKey('integration_3', 'https://b.org')],
  ],
  [
    null,
    'integration_3',
    on('integration_3', { rest_endpoint: 'https://a.org/x' }),
    [storedKey('integration_3', 'https://a.org')],
  ],
  [
    'threshold_zero',
    'integration_1',
    on('integration_1', { stale_event_threshold: 0 }),
    [storedKey('integration_1', null)],
  ],
  ['no_endpoint', 'webhook', {}, []],
  ['no_endpoint', 'webhook', {}, [storedEndpoint({ status: 'inactive' })]],
  ['status_off', 'webhook', { trigger_settings: { webhook: { status: false } } }, [endpoint]],
  ['threshold_zero', 'webhook', { trigger_settings: { webhook: { stale_event_threshold: 0 } } }, [endpoint]],
  [null, 'webhook', {}, [endpoint]],
];

describe('the settings of a trigger show whether events reach it', () => {
  test.each(rows)('%s: %s with %j', async (reason, id, settings, others) => {
    deployed('integration_1');
    tableWith(admin.item, shopItem('blue'), { ...keyOf.settings('blue'), ...settings }, ...others);
    const effective = await call('GET', id);
    expect(effective).toMatchObject({ active: reason === null, reason });
    expect(typeof effective.message).toBe(reason === null ? 'object' : 'string');
    expect(await isReached(id)).toBe(effective.active);
  });

  test.each([
    ['key_for_other_server', 'https://red.myshopify.com'],
    ['key_for_other_server', null],
    [null, 'https://blue.myshopify.com'],
  ])('%s: at the shop system with a key for %s', async (reason, origin) => {
    const target = { url: 'https://fallback.example.com', dialect: 'shopify' };
    vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target }));
    const shop = shopItem('blue', { shop_admin_url: 'https://blue.myshopify.com/admin/' });
    const settings = { ...keyOf.settings('blue'), ...on('integration_1') };
    tableWith(admin.item, shop, settings, storedKey('integration_1', origin));
    expect(await call('GET', 'integration_1')).toMatchObject({ active: reason === null, reason });
    expect(await isReached('integration_1')).toBe(reason === null);
  });

  test('for the change that was just made', async () => {
    deployed('integration_1');
    tableWith(admin.item, shopItem('blue'), storedKey('integration_1', null));
    memoryTable.put({ ...keyOf.settings('blue'), triggers: { integration_1: true } });
    expect(await call('PATCH', 'integration_1', { status: false })).toMatchObject({ reason: 'status_off' });
    expect(await call('PATCH', 'integration_1', { status: null })).toEqual({
      active: true,
      reason: null,
      message: null,
    });
  });
});

/** Whether fan-out would send an event there. */
async function isReached(id: ThirdParty): Promise<boolean> {
  const audience = (await loadAudience('blue', new Date()))!;
  const { event } = orderWithEvent('blue', 'A1');
  const kind = id === 'webhook' ? 'webhook' : 'integration';
  return notificationsOf(event, event.shipments[0]!, audience).some(({ targets }) =>
    targets.some((target) => target.kind === kind && (kind === 'webhook' || target.id === id)),
  );
}

test('the reason that the merchant can mend first is named first', () => {
  const receivers = { shop: {}, key: undefined, hasEndpoint: false };
  const reasonOf = (settings: StoredSettings) => effectiveTriggers(settings, 'integration_3', receivers).reason;
  expect(reasonOf({ trigger_settings: { integration_3: { status: false } } })).toBe('switch_off');
  expect(reasonOf(on('integration_3', { status: false }))).toBe('status_off');
  expect(reasonOf(on('integration_3'))).toBe('no_address');
});
