import { describe, expect, test } from 'vitest';
import { type Audience, notificationsOf, whyNobodyIsTold } from '#domain/deliveries/notifications.ts';
import { type ClaimOutboxEvent, claimEvent, type ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { groupOf } from '#schemas/catalogues/shipment-events.ts';
import { claimOf } from '#test/kit/claims.ts';
import { type EventOptions, orderWithEvent } from '#test/kit/outbox-records.ts';

const hoursBefore = (hours: number) =>
  new Date(Date.parse('2026-11-14T12:00:00.000Z') - hours * 3_600_000).toISOString();

const endpoint = (uuid: string, ...enabled_events: string[]) => ({ uuid, enabled_events });
const integrations = ['integration_1', 'integration_7'] as const;
const switchedOn: StoredSettings = { triggers: { integration_1: true, integration_7: true } };

/** The deliveries of an event as `group target`, or the target alone if the group is the event's own. */
function told(
  options: EventOptions,
  settings = switchedOn,
  more: Partial<ShipmentOutboxEvent & Audience> = {},
): string[] {
  const event: ShipmentOutboxEvent = { ...orderWithEvent('blue', 'A1', options).event, ...more };
  const audience = { endpoints: [endpoint('all', '*')], integrations, rules: triggerRules(settings), ...more };
  return notificationsOf(event, event.shipments[0]!, audience).flatMap(({ event_group, targets }) =>
    targets.map(({ id }) => (event_group === event.event_group ? id : `${event_group} ${id}`)),
  );
}

test('an event is sent to the endpoints that listen to it', () => {
  const endpoints = [
    endpoint('all', '*'),
    endpoint('source', 'shipments'),
    endpoint('phase', 'shipments/in_transit'),
    endpoint('event', 'claims', 'shipments/in_transit/SHIPMENT_EN_ROUTE'),
    endpoint('claims', 'claims'),
    endpoint('otherPhase', 'shipments/delivered'),
    endpoint('nothing'),
  ];
  expect(told({}, {}, { endpoints })).toEqual(['all', 'source', 'phase', 'event']);
});

describe('an event is sent', () => {
  const everybody = ['all', 'integration_1', 'integration_7'];
  const paused = { trigger_settings: { integration_1: { status: false } } };
  const cases: [string, EventOptions, StoredSettings, string[]][] = [
    ['to webhooks alone before any setting was made', {}, {}, ['all']],
    ['to integrations whose switch is on', {}, { triggers: { integration_7: true } }, ['all', 'integration_7']],
    ['to everybody whose switch and status are on', {}, switchedOn, everybody],
    ['to no integration whose status is off', {}, { ...switchedOn, ...paused }, ['all', 'integration_7']],
    [
      'to no integration whose status alone is on',
      {},
      { trigger_settings: { integration_1: { status: true } } },
      ['all'],
    ],
    [
      'to no endpoint while the status of webhooks is off',
      {},
      { ...switchedOn, trigger_settings: { webhook: { status: false } } },
      ['integration_1', 'integration_7'],
    ],
    ['to nobody when it has no group', { name: 'CARRIER_UNKNOWN' }, switchedOn, []],
    ['to everybody before it is 4 hours old', { time: hoursBefore(3.99) }, switchedOn, everybody],
    ['to webhooks and the shop system from 4 hours on', { time: hoursBefore(4) }, switchedOn, ['all', 'integration_7']],
    [
      'to webhooks and the shop system before it is 24 hours old',
      { time: hoursBefore(23.99) },
      switchedOn,
      ['all', 'integration_7'],
    ],
    ['to the shop system from 24 hours on', { time: hoursBefore(24) }, switchedOn, ['integration_7']],
    ['to the shop system before it is 48 hours old', { time: hoursBefore(47.99) }, switchedOn, ['integration_7']],
    ['to nobody from 48 hours on', { time: hoursBefore(48) }, switchedOn, []],
    ['to everybody when its time is in the future', { time: hoursBefore(-1) }, switchedOn, everybody],
    [
      'to everybody as long as their thresholds allow',
      { time: hoursBefore(99) },
      { ...switchedOn, trigger_settings: { integration_1: { stale_event_threshold: 100 } } },
      ['integration_1'],
    ],
    [
      'to nobody whose threshold is 0',
      {},
      { ...switchedOn, trigger_settings: { webhook: { stale_event_threshold: 0 } } },
      ['integration_1', 'integration_7'],
    ],
  ];
  test.each(cases)('%s', (_, options, settings, expected) => {
    expect(told(options, settings)).toEqual(expected);
  });
});

describe('an event of the phase delivered', () => {
  const asked: StoredSettings = {
    ...switchedOn,
    trigger_settings: {
      integration_1: { trigger_delivered_all_events: true },
      webhook: { trigger_delivered_all_events: true, stale_event_threshold: 2 },
    },
  };
  const group = 'shipment_delivered_all_events';

  test('also fires the catch-all group for integrations that have it on', () => {
    const everybody = ['all', 'integration_1', 'integration_7', `${group} all`, `${group} integration_1`];
    expect(told({ name: 'SUCCESSFULLY_DELIVERED' }, asked)).toEqual(everybody);
    expect(told({ name: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR' }, asked)).toEqual(everybody);
    expect(told({ name: 'SUCCESSFULLY_DELIVERED' })).toEqual(['all', 'integration_1', 'integration_7']);
  });

  test('fires the catch-all group by the same rules and to the same endpoints', () => {
    const options = { name: 'SUCCESSFULLY_DELIVERED', time: hoursBefore(3) } as const;
    expect(told(options, asked)).toEqual(['integration_1', 'integration_7', `${group} integration_1`]);
    const endpoints = [endpoint('moves', 'shipments/in_transit')];
    const reached = told({ name: 'SUCCESSFULLY_DELIVERED' }, asked, { endpoints });
    expect(reached).toEqual(['integration_1', 'integration_7', `${group} integration_1`]);
    const off = { ...asked, triggers: { integration_1: false } };
    expect(told({ name: 'SUCCESSFULLY_DELIVERED' }, off)).toEqual(['all', `${group} all`]);
  });

  test('of a return does not fire the catch-all group, because it is delivered to the merchant', () => {
    const event_group = groupOf('SUCCESSFULLY_DELIVERED', 'customer_merchant');
    const reached = told({ name: 'SUCCESSFULLY_DELIVERED' }, asked, { event_group });
    expect(reached).toEqual(['all', 'integration_1', 'integration_7']);
  });

  test('is the only one that fires the catch-all group', () => {
    expect(told({ name: 'SHIPMENT_EN_ROUTE' }, asked)).toEqual(['all', 'integration_1', 'integration_7']);
  });
});

describe('the event of an internal trigger is sent', () => {
  const fired = (only_for: ThirdParty, settings = switchedOn, more: Partial<ShipmentOutboxEvent & Audience> = {}) =>
    told({ name: 'SUCCESSFULLY_DELIVERED', time: hoursBefore(1000) }, settings, {
      event_group: 'shipment_internal_trigger',
      internal_trigger: { id: 't1', name: 'Stuck' },
      only_for,
      ...more,
    });

  test('only to the owner of the trigger, however old the event is', () => {
    expect(fired('integration_1')).toEqual(['integration_1']);
    expect(fired('webhook')).toEqual(['all']);
    const strict = { trigger_settings: { webhook: { stale_event_threshold: 0 } } };
    expect(fired('webhook', strict)).toEqual(['all']);
  });

  test('to endpoints that listen to the event', () => {
    const endpoints = [endpoint('moves', 'shipments/in_transit'), endpoint('arrives', 'shipments/delivered')];
    expect(fired('webhook', switchedOn, { endpoints })).toEqual(['arrives']);
  });

  test('to nobody whose switch is off', () => {
    expect(fired('integration_1', {})).toEqual([]);
    expect(fired('webhook', { trigger_settings: { webhook: { status: false } } })).toEqual([]);
  });

  test('in its own group alone', () => {
    const asked = { trigger_settings: { webhook: { trigger_delivered_all_events: true } } };
    expect(fired('webhook', asked)).toEqual(['all']);
  });
});

describe('nobody is told of an event', () => {
  const why = (options: EventOptions, settings: StoredSettings, endpoints = [endpoint('all', '*')]) => {
    const { event } = orderWithEvent('blue', 'A1', options);
    const audience = { endpoints, integrations: ['integration_1'] as const, rules: triggerRules(settings) };
    return whyNobodyIsTold(event, event.shipments[0]!, audience);
  };
  const webhooksOff = { trigger_settings: { webhook: { status: false } } };

  test.each([
    ['of which somebody is told', {}, {}, undefined, undefined],
    ['without a group', { name: 'CARRIER_UNKNOWN' as const }, {}, undefined, 'no_group'],
    ['that is too old', { time: hoursBefore(26) }, {}, undefined, 'stale'],
    ['when all are switched off', {}, webhooksOff, undefined, 'switched_off'],
    ['that no endpoint listens to', {}, {}, [endpoint('claims', 'claims')], 'filtered'],
  ])('%s', (_, options, settings, endpoints, reason) => {
    expect(why(options, settings, endpoints)).toBe(reason);
  });

  test('that is only for an integration which the shop does not have, and no endpoint is blamed', () => {
    const { event } = orderWithEvent('blue', 'A1');
    const audience = { endpoints: [endpoint('all', '*')], integrations: [], rules: triggerRules({}) };
    expect(whyNobodyIsTold({ ...event, only_for: 'integration_1' }, event.shipments[0]!, audience)).toBeUndefined();
  });

  test('of a shop without endpoints and integrations, and nothing has to be said', () => {
    const { event } = orderWithEvent('blue', 'A1');
    const audience = { endpoints: [], integrations: [], rules: triggerRules({}) };
    expect(whyNobodyIsTold(event, event.shipments[0]!, audience)).toBeUndefined();
  });
});

describe('customers get e-mails', () => {
  const emails = { emails: true, hasSender: true, endpoints: [], integrations: [] };
  const claim = claimOf();
  const aboutClaim = (more: Partial<ClaimOutboxEvent>, audience: Partial<Audience> = {}) => {
    const event = { ...claimEvent('updated', claim, 2, 'key'), ...more };
    const all = { ...emails, rules: triggerRules({}), ...audience };
    const occurrence = { shipment_id: claim.shipment_id, time: claim.updated_at };
    return notificationsOf(event, occurrence, all).flatMap(({ targets }) => targets.map(({ id }) => id));
  };

  test('of every event whose group is mailed, once, whatever its age', () => {
    expect(told({}, {}, emails)).toEqual(['email']);
    expect(told({ name: 'SUCCESSFULLY_DELIVERED', time: hoursBefore(90) }, {}, emails)).toEqual(['email']);
  });

  test('of none if the shop or the deployment sends none', () => {
    expect(told({}, {}, { ...emails, emails: false })).toEqual([]);
  });

  test('of none that an internal trigger fires for somebody else', () => {
    expect(told({}, {}, { ...emails, only_for: 'integration_1' })).toEqual([]);
    expect(told({}, {}, { ...emails, internal_trigger: { id: 'one', name: 'late' } })).toEqual([]);
  });

  test('of simulated events too: the delivery decides about those', () => {
    const simulation = { id: 'simulation', made_at: hoursBefore(0) };
    expect(told({}, {}, { ...emails, simulation })).toEqual(['email']);
  });

  test('of updates of claims, and of messages of the shop alone', () => {
    expect(aboutClaim({})).toEqual(['email']);
    expect(aboutClaim({ message_id: 'one', only_for: 'email' }, { endpoints: [endpoint('all', '*')] })).toEqual([
      'email',
    ]);
  });

  test('of nothing that they wrote themselves', () => {
    expect(aboutClaim({ by: 'customer' })).toEqual([]);
    expect(aboutClaim({ by: 'customer', message_id: 'one' })).toEqual([]);
  });
});
