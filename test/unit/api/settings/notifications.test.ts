import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/settings/handler.ts';
import { notificationsOf } from '#domain/deliveries/notifications.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { loadAudience } from '#pipeline/fan-out/event-work.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type ThirdParty, thirdParties } from '#schemas/catalogues/integrations.ts';
import { directions, groupOf, refOf, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import type { Notifications } from '#schemas/shapes/trigger-shapes.ts';
import { storedEndpoint } from '#test/kit/endpoints.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { orderWithEvent } from '#test/kit/outbox-records.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const viewer = keyFor('blue', 'viewer');
afterEach(() => void vi.unstubAllEnvs());

async function notifications(
  settings: StoredSettings,
  ...others: object[]
): Promise<Record<ThirdParty, Notifications>> {
  const target = { url: 'https://mail.example.com/', scheme: 'bearer' };
  vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target, integration_7: target }));
  tableWith(viewer.item, shopItem('blue'), { ...keyOf.settings('blue'), ...settings }, ...others);
  const { status, body } = await invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/settings/notifications',
    params: { slug: 'blue' },
    headers: basic('blue', viewer.secret),
  });
  expect(status).toBe(200);
  expect(body.map(({ integration }: Notifications) => integration)).toEqual([...thirdParties]);
  return Object.fromEntries(body.map((entry: Notifications) => [entry.integration, entry])) as never;
}

const key = { ...keyOf.integrationKey('blue', 'integration_1'), origin: null };
const internal_triggers = [{ id: 't1', name: 'Slow', operator: 'AND', phase_in: [] }];
const triggersOf = (id: ThirdParty) => ({ ...keyOf.internalTriggers('blue', id), internal_triggers });
const on = (own: object = {}) => ({ triggers: { integration_1: true }, trigger_settings: { integration_1: own } });

/** The groups of shipment events that fan-out sends there, of every event in the catalogue. */
async function sentByFanOut(id: ThirdParty): Promise<Set<string>> {
  const audience = (await loadAudience('blue', new Date()))!;
  const { event } = orderWithEvent('blue', 'A1');
  const sent = shipmentEventNames.flatMap((event_name) =>
    directions.flatMap((direction) => {
      const one = {
        ...event,
        event_name,
        event_group: groupOf(event_name, direction),
        ref: refOf(event_name, direction),
      };
      return notificationsOf(one as typeof event, event.shipments[0]!, audience).flatMap(({ event_group, targets }) =>
        targets.some((target) => (id === 'webhook' ? target.kind === id : target.id === id)) ? [event_group] : [],
      );
    }),
  );
  return new Set(sent);
}

const isOfEvents = (group: string) => !group.startsWith('claim_') && group !== 'shipment_internal_trigger';

describe('what each integration gets', () => {
  test.each<[string, ThirdParty, StoredSettings, object[]]>([
    ['an integration that is on', 'integration_1', on(), [key]],
    ['one with all events of arrivals', 'integration_1', on({ trigger_delivered_all_events: true }), [key]],
    ['one without a key', 'integration_1', on(), []],
    ['one that is off', 'integration_1', {}, [key]],
    ['one that takes nothing old', 'integration_1', on({ stale_event_threshold: 0 }), [key]],
    ['endpoints for everything', 'webhook', {}, [storedEndpoint({ status: 'active', enabled_events: ['*'] })]],
    [
      'endpoints for arrivals and one event',
      'webhook',
      { trigger_settings: { webhook: { trigger_delivered_all_events: true } } },
      [
        storedEndpoint({
          status: 'active',
          enabled_events: ['shipments/delivered', 'shipments/in_transit/IN_TRANSIT'],
        }),
      ],
    ],
    [
      'endpoints for claims only',
      'webhook',
      { trigger_settings: { webhook: { trigger_delivered_all_events: true } } },
      [storedEndpoint({ status: 'active', enabled_events: ['claims'] })],
    ],
    ['no endpoint that is active', 'webhook', {}, [storedEndpoint({ status: 'inactive' })]],
  ])('is what fan-out sends, for %s', async (_, id, settings, others) => {
    const { event_groups } = (await notifications(settings, ...others))[id];
    expect(new Set(event_groups.filter(isOfEvents))).toEqual(await sentByFanOut(id));
  });

  test('includes claims, for endpoints only those that they listen to', async () => {
    const endpoint = storedEndpoint({ status: 'active', enabled_events: ['claims/created'] });
    const { integration_1, webhook } = await notifications(on(), key, endpoint);
    expect(integration_1.event_groups).toEqual(expect.arrayContaining(['claim_created', 'claim_updated']));
    expect(webhook.event_groups).toEqual(['claim_created']);
  });

  test('includes internal triggers of any age, while events reach it', async () => {
    const fires = async (...given: Parameters<typeof notifications>) => {
      const { event_groups, internal_triggers: triggers } = (await notifications(...given)).integration_1;
      return [event_groups.includes('shipment_internal_trigger'), triggers.map(({ name }) => name)];
    };
    const triggers = triggersOf('integration_1');
    expect(await fires(on(), key, triggers)).toEqual([true, ['Slow']]);
    expect(await fires(on({ stale_event_threshold: 0 }), key, triggers)).toEqual([true, ['Slow']]);
    expect(await fires(on(), triggers)).toEqual([false, []]);
    expect(await fires(on(), key)).toEqual([false, []]);
  });

  test('says why nothing is sent, how old news may be, and whether segments are fetched', async () => {
    const all = await notifications({ ...on({ stale_event_threshold: 9 }), segments: { integration_1: true } });
    expect(all.integration_1).toMatchObject({
      effective: { active: false, reason: 'no_key' },
      event_groups: [],
      stale_event_threshold: 9,
      fetches_segments: true,
    });
    expect(all.integration_7).toMatchObject({ effective: { reason: 'switch_off' }, fetches_segments: false });
    expect(all.webhook).toMatchObject({ effective: { reason: 'no_endpoint' }, internal_triggers: [] });
  });
});
