import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { startEventReceiver } from '#test/kit/event-receiver.ts';
import { MixedWorld } from '#test/last-release/mixed-world.ts';
import { lastRelease, thisVersion } from '#test/last-release/versions.ts';

/**
 * A deployment replaces functions one after the other, and may be taken back. So what this version stores and sends, the last
 * release must read, and the other way round.
 */

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T12:00:00.000Z') }));
afterEach(() => vi.useRealTimers());

const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);

const trigger = {
  name: 'Not moving',
  phase_in: ['in_transit'],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 24,
};

test.each([
  { writer: lastRelease, reader: thisVersion },
  { writer: thisVersion, reader: lastRelease },
])('what $writer.name writes and sends, $reader.name reads', { timeout: 240_000 }, async ({ writer, reader }) => {
  await using receiver = await startEventReceiver();
  receiver.behave('/busy', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  const world = new MixedWorld(writer, reader);
  const shop = '/v1/shops/blue';
  const done = async (answer: ReturnType<MixedWorld['write']>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    await world.settle();
    return body;
  };
  const make = (method: string, path: string, body?: object) => done(world.write(method, shop + path, body));
  const change = (method: string, path: string, body?: object) => done(world.change(method, shop + path, body));

  // A shop with everything that events lead to.
  await done(world.write('POST', '/v1/shops', { name: 'Blue', slug: 'blue', settings: { carriers_enabled: true } }));
  await make('POST', '/api-keys', { role: 'admin' });
  await make('PATCH', '/settings/carriers', { shipment_updates: true });
  const endpoints = [];
  for (const path of ['/hook', '/busy']) {
    endpoints.push(await make('POST', '/webhooks', { url: receiver.urlOf(path) }));
  }
  const actions = [
    { type: 'webhook', params: { url: receiver.urlOf('/automation') } },
    { type: 'add_segment', params: { segment: 'vip' } },
  ];
  const automation = await make('POST', '/automations', { name: 'Now', trigger: { ref: 'claims' }, actions });
  const later = { name: 'Later', trigger: { ref: 'claims' }, actions, delay_minutes: 60 };
  const delayed = await make('POST', '/automations', later);
  await make('POST', '/settings/triggers/webhook/internal-triggers', trigger);
  await make('POST', '/discounts', { code: 'SAVE10', title: 'Ten', type: 'order', value: 10 });

  // An order with drafts, one with parcels, one with many.
  const address = { name: 'Ada Berg', zip_code: '20095', city: 'Hamburg', country_code: 'DE' };
  const order = { order_name: '#1', email_id: 'ada@example.com', expected_number_of_shipments: 2, address };
  await make('PUT', '/orders', { id: '1', order, trackings: [] });
  const tracking = (tracking_number: string) => ({ tracking_number, carrier_reference: 'dhl' });
  await make('PUT', '/orders', { id: '1', trackings: [tracking('00340434161000000001')] });
  const many = Array.from({ length: 11 }, (_, i) => tracking(`003404341610000001${i + 10}`));
  await make('PUT', '/orders', { id: '2', order: { order_name: '#2' }, trackings: many });
  const report = { tracking_number: '00340434161000000001', event_time: new Date().toISOString() };
  world.carrierReports({ ...report, event_name: 'SHIPMENT_EN_ROUTE' });
  await world.settle();
  const event = { id: '00340434161000000001', event_name: 'IN_DELIVERY', event_time: new Date().toISOString() };
  await done(world.write('POST', '/v1/shop/blue/shipment-events', { ...event, notify: true }));
  const claim = await make('POST', '/claims', { tracking_number: '00340434161000000001', reason: 'damage' });
  await make('PUT', `/claims/${claim.uuid}`, { status: 'accepted' });
  const simulation = await make('POST', '/simulations', { journey: 'delivered' });
  await make('POST', `/simulations/${simulation.uuid}/advance`, { steps: 1 });

  // What waits in the table becomes due.
  hours(2);
  await world.onSchedule('due');
  await world.onSchedule('drain');
  hours(30);
  await world.onSchedule('due');
  await world.onSchedule('drain');

  for (const path of [
    '',
    '/api-keys',
    '/settings',
    '/settings/triggers/webhook/internal-triggers',
    '/orders',
    '/orders?order_number=1',
    '/orders?email_id=ada@example.com',
    '/shipments',
    '/claims',
    `/claims/${claim.uuid}`,
    `/claims/${claim.uuid}/history`,
    '/webhooks',
    ...endpoints.map(({ uuid }) => `/webhooks/${uuid}/deliveries`),
    '/automations',
    ...[automation, delayed].map(({ uuid }) => `/automations/${uuid}/runs`),
    '/simulations',
    `/simulations/${simulation.uuid}`,
    '/discounts',
    '/statistics',
  ]) {
    await world.read(shop + path);
  }
  const [first] = (await world.write('GET', `${shop}/webhooks/${endpoints[0].uuid}/deliveries`)).body;
  await world.read(`${shop}/webhooks/${endpoints[0].uuid}/deliveries/${first.id}`);

  expect(world.unread).toEqual([]);

  // The other version changes what is there.
  await change('PUT', '/orders', { id: '1', trackings: [tracking('00340434161000000002')] });
  await done(world.change('POST', '/v1/shop/blue/shipment-events', { ...event, event_name: 'SUCCESSFULLY_DELIVERED' }));
  await change('PUT', `/claims/${claim.uuid}`, { status: 'closed' });
  await change('POST', `/webhooks/${endpoints[0].uuid}/deliveries/${first.id}/redeliver`);
  await change('POST', `/simulations/${simulation.uuid}/advance`, { steps: 1 });
  await change('DELETE', `/simulations/${simulation.uuid}`);
  await world.read(`${shop}/orders`);

  expect(world.unread).toEqual([]);
  // The story has come to every function behind the API, except those that ask systems of others.
  const readers = new Set([...world.handled.keys()].flatMap((name) => name.match(/ for ([\w-]+)$/)?.[1] ?? []));
  const others = ['segments', 'tracking-registration'];
  expect(pipelineNames.filter((name) => !readers.has(name)).toSorted()).toEqual(others);
});
