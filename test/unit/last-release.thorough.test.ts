import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { firstMessageOf } from '#domain/deliveries/delivery-messages.ts';
import { startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { isAllowed } from '#lib/local/iam/evaluate.ts';
import { kmsAccesses } from '#lib/local/iam/kms-request.ts';
import { readStatements } from '#lib/local/iam/policies.ts';
import { workers } from '#pipeline/privacy-work/handler.ts';
import { runRound } from '#pipeline/privacy-work/round.ts';
import { keyOf } from '#platform/table/keys.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { allowedByRoleOf } from '#test/infra/statements.ts';
import { pipelineIds, synthesize } from '#test/infra/synthesis.ts';
import { startEventReceiver } from '#test/kit/event-receiver.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { listener } from '#test/kit/outbox-records.ts';
import { context, queuedMessage } from '#test/kit/queue-messages.ts';
import { aDelivery, stored, tableWithPayloads } from '#test/kit/stored-deliveries.ts';
import { MixedWorld } from '#test/last-release/mixed-world.ts';
import { lastRelease, spreading, thisVersion } from '#test/last-release/versions.ts';

/**
 * A deployment replaces functions one after the other, and may be taken back. So what this version stores and sends, the last
 * release must read, and the other way round.
 */

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T12:00:00.000Z') }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);

/** The ledger. */
const objects = vi.hoisted(() => new Map<string, Buffer>());
vi.mock('#platform/lazy/s3.ts', () => ({
  putObject: async ({ Key, Body }: { Key: string; Body: Uint8Array }) => objects.set(Key, Buffer.from(Body)),
  getObject: async ({ Key }: { Key: string }) => {
    if (!objects.has(Key)) throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
    return objects.get(Key);
  },
}));

const trigger = {
  name: 'Not moving',
  phase_in: ['in_transit'],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 24,
};

const shop = '/v1/shops/blue';

/** Calls that succeed, each with all that follows from it: `make` by the version that writes, `change` by the other. */
function callsIn(world: MixedWorld) {
  const done = async (answer: ReturnType<MixedWorld['write']>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    await world.settle();
    return body;
  };
  const make = (method: string, path: string, body?: object) => done(world.write(method, shop + path, body));
  const change = (method: string, path: string, body?: object) => done(world.change(method, shop + path, body));
  return { done, make, change };
}

test.each([
  { writer: lastRelease, reader: thisVersion, isSpread: false },
  { writer: thisVersion, reader: lastRelease, isSpread: false },
  { writer: spreading(thisVersion), reader: lastRelease, isSpread: true },
])('what $writer.name writes and sends, $reader.name reads', { timeout: 240_000 }, async (versions) => {
  const { writer, reader, isSpread } = versions;
  await using receiver = await startEventReceiver();
  receiver.behave('/busy', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  const world = new MixedWorld(writer, reader);
  const { done, make, change } = callsIn(world);

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
  const lists = [...memoryTable.wireItems().values()].flatMap(({ activity_pk: list }) => list?.S ?? []);
  expect(lists.some((list) => /^SHIPMENTS#blue#\d$/.test(list))).toBe(isSpread);

  // The other version changes what is there.
  await change('PUT', '/orders', { id: '1', trackings: [tracking('00340434161000000002')] });
  await done(world.change('POST', '/v1/shop/blue/shipment-events', { ...event, event_name: 'SUCCESSFULLY_DELIVERED' }));
  await change('PUT', `/claims/${claim.uuid}`, { status: 'closed' });
  await change('POST', `/webhooks/${endpoints[0].uuid}/deliveries/${first.id}/redeliver`);
  await change('POST', `/simulations/${simulation.uuid}/advance`, { steps: 1 });
  await change('DELETE', `/simulations/${simulation.uuid}`);
  await world.read(`${shop}/orders`);

  expect(world.unread).toEqual([]);
  // The story has come to every function behind the API, except those that ask systems of others or hear of them, and the one that nobody asked for anything.
  const readers = new Set([...world.handled.keys()].flatMap((name) => name.match(/ for ([\w-]+)$/)?.[1] ?? []));
  const others = ['email-events', 'privacy-work', 'segments', 'tracking-registration'];
  expect(pipelineNames.filter((name) => !readers.has(name)).toSorted()).toEqual(others);
});

test('what this version writes and sends of a feed, the last release reads, and it keeps what it does not know', async () => {
  await using receiver = await startEventReceiver();
  receiver.behave('/busy', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  const world = new MixedWorld(thisVersion, lastRelease);
  const { done, make, change } = callsIn(world);
  await done(world.write('POST', '/v1/shops', { name: 'Blue', slug: 'blue', settings: { carriers_enabled: true } }));
  const events = { feed_enabled: true, generation: 9 };
  const settings = () => memoryTable.read(keyOf.settings('blue'));
  await make('PATCH', '/settings/carriers', { shipment_updates: true });
  await world.doItself(async () => memoryTable.put({ ...settings(), events }));
  const [hook, busy] = [
    await make('POST', '/webhooks', { url: receiver.urlOf('/hook') }),
    await make('POST', '/webhooks', { url: receiver.urlOf('/busy') }),
  ];
  const tracking = (tracking_number: string) => ({ tracking_number, carrier_reference: 'dhl' });
  const many = Array.from({ length: 11 }, (_, i) => tracking(`003404341610000001${i + 10}`));
  await make('PUT', '/orders', { id: '1', order: { order_name: '#1' }, trackings: many });
  const event = { id: many[0]!.tracking_number, event_name: 'IN_DELIVERY', event_time: new Date().toISOString() };
  await done(world.write('POST', '/v1/shop/blue/shipment-events', { ...event, notify: true }));
  const simulation = await make('POST', '/simulations', { journey: 'delivered' });
  await make('POST', `/simulations/${simulation.uuid}/advance`, { steps: 1 });
  hours(2);
  await world.onSchedule('drain');
  for (const { uuid } of [hook, busy]) await world.read(`${shop}/webhooks/${uuid}/deliveries`);

  // It knows no feed, so it gives no event a place there.
  expect(world.unread.filter((text) => !text.endsWith(`passes it over: no change of ${partitions.feed}`))).toEqual([]);
  const hoursOf = (path: string) => new Set(receiver.received(path).map(({ headers }) => headers['webhook-hour']));
  expect(hoursOf('/hook')).toContain('2026-11-16T12:00:00Z');

  const marksOf = () => memoryTable.all(partitions.payloads).map(({ pk, feed }) => [pk, feed]);
  const hoursStored = () =>
    memoryTable.all(partitions.deliveries).flatMap(({ id, feed }) => (feed ? [[id, feed]] : []));
  const [marks, before] = [marksOf(), hoursStored()];
  expect(marks.every(([, feed]) => feed !== undefined)).toBe(true);
  expect(before.length).toBeGreaterThan(20);
  const [first] = (await world.write('GET', `${shop}/webhooks/${hook.uuid}/deliveries`)).body;
  await change('POST', `/webhooks/${hook.uuid}/deliveries/${first.id}/redeliver`);
  await change('PATCH', '/settings/carriers', { shipment_updates: false });
  expect([marksOf(), hoursStored()]).toEqual([marks, before]);
  expect(settings()).toMatchObject({ events });
});

test('a delivery of a feed that the last release makes keeps its hour', async () => {
  await using receiver = await startEventReceiver();
  const made = aDelivery(1, 'endpoint-1', { feed: { generation: 9, hour: '2026-11-16T12:00:00Z' } });
  tableWithPayloads(made);
  memoryTable.put(listener('blue', 'endpoint-1', { url: receiver.urlOf('/hook') }));
  memoryTable.put({
    ...memoryTable.read(keyOf.payload('blue', made.payload_id)),
    feed: Uint8Array.of(9, 1, 0, 0, 0, 1, 0, 0),
  });
  const message = queuedMessage('m', JSON.stringify(firstMessageOf(made)));
  expect(await lastRelease.functions.delivery!({ Records: [message] }, context)).toEqual({ batchItemFailures: [] });
  expect(receiver.received('/hook')).toHaveLength(1);
  expect(stored(made)).toMatchObject({ status: 'delivered', feed: made.feed });
});

test('what this version erases and forgets, the last release reads without harm, and sends nothing personal of it', async () => {
  await using receiver = await startEventReceiver();
  const paths = ['/hook', '/busy', '/gone', '/automation'];
  receiver.behave('/busy', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  const world = new MixedWorld(thisVersion, lastRelease);
  const { done, make, change } = callsIn(world);

  await done(world.write('POST', '/v1/shops', { name: 'Blue', slug: 'blue', settings: { carriers_enabled: true } }));
  const [hook, busy, gone] = [
    await make('POST', '/webhooks', { url: receiver.urlOf('/hook') }),
    await make('POST', '/webhooks', { url: receiver.urlOf('/busy') }),
    await make('POST', '/webhooks', { url: receiver.urlOf('/gone') }),
  ];
  const actions = [{ type: 'webhook', params: { url: receiver.urlOf('/automation') } }];
  const now = await make('POST', '/automations', { name: 'Now', trigger: { ref: '*' }, actions });
  const delayed = await make('POST', '/automations', {
    name: 'Later',
    trigger: { ref: '*' },
    actions,
    delay_minutes: 60,
  });
  await make('POST', '/settings/triggers/webhook/internal-triggers', trigger);
  const address = { name: 'Ada Berg', zip_code: '20095', city: 'Hamburg', country_code: 'DE' };
  const tracking = (tracking_number: string) => ({ tracking_number, carrier_reference: 'dhl' });
  for (const [id, number] of [
    ['1', '00340434161000000001'],
    ['2', '00340434161000000002'],
  ]) {
    const order = { email_id: 'ada@example.com', external_customer_id: 'ada-1', address };
    await make('PUT', '/orders', { id, order, trackings: [tracking(number!)] });
  }
  const event = { id: '00340434161000000001', event_name: 'SHIPMENT_EN_ROUTE', event_time: new Date().toISOString() };
  await done(world.write('POST', '/v1/shop/blue/shipment-events', { ...event, notify: true }));
  const claim = await make('POST', '/claims', {
    ...{ tracking_number: '00340434161000000001', reason: 'damage', description: 'torn, says Ada' },
  });
  await make('DELETE', `/webhooks/${gone.uuid}`);
  for (const event_name of [
    'SHIPMENT_EN_ROUTE',
    'IN_DELIVERY',
    'PROCESSED_AT_DELIVERY_CENTER',
    'ARRIVAL_AT_FINAL_DELIVERY_CENTER',
    'SUCCESSFULLY_DELIVERED',
  ]) {
    const ofSecond = { ...event, id: '00340434161000000002', event_name, notify: true };
    await done(world.write('POST', '/v1/shop/blue/shipment-events', ofSecond));
  }
  // Each version remembers where its own pages begin.
  const listed = '/orders?email_id=ada@example.com&per_page=1';
  await world.read(`${shop}${listed}`);
  await world.read(`${shop}${listed}&page=2`);

  // The first order is erased; the second is asked about and stays.
  for (const name of ['IMAGE_BUCKET', 'PAYLOAD_BUCKET', 'LEDGER_BUCKET']) vi.stubEnv(name, name.toLowerCase());
  const asked = { kind: 'erasure' as const, requested_by: 'somebody' };
  const person = { order_numbers: ['1'] };
  await world.doItself(() => startPrivacyRequest({ slug: 'blue' }, { ...asked, person }, new Date()));
  const dry = { ...asked, dry_run: true, person: { external_customer_id: 'ada-1' } };
  await world.doItself(() => startPrivacyRequest({ slug: 'blue' }, dry, new Date()));
  const sentBefore = paths.map((path) => receiver.received(path).length);
  const round = { now: () => new Date(), remainingMs: () => 50_000, spend: async () => {} };
  await world.doItself(async () => expect(await runRound(workers, round)).toMatchObject({ turns: 2, failed: 0 }));
  vi.unstubAllEnvs();

  // What waited becomes due.
  hours(2);
  await world.onSchedule('due');
  await world.onSchedule('drain');
  hours(30);
  await world.onSchedule('due');
  await world.onSchedule('drain');
  for (const path of [
    ...[
      '',
      '/orders',
      '/orders?order_number=1',
      '/orders?email_id=ada@example.com',
      '/shipments',
      '/claims',
      '/webhooks',
    ],
    ...[`/claims/${claim.uuid}`, `/claims/${claim.uuid}/history`, '/statistics'],
    ...[hook, busy].map(({ uuid }) => `/webhooks/${uuid}/deliveries`),
    ...[now, delayed].map(({ uuid }) => `/automations/${uuid}/runs`),
  ]) {
    await world.read(shop + path);
  }
  const [erased] = (await world.write('GET', `${shop}/orders?order_number=1`)).body;
  expect([erased.email_id, erased.erased_at]).toEqual([undefined, expect.any(String)]);
  expect((await world.change('GET', `${shop}/orders/${erased.uuid}/timeline`)).status).toBe(200);
  const logOf = async () => (await world.write('GET', `${shop}/webhooks/${hook.uuid}/deliveries?per_page=100`)).body;
  const deliveries: { id: string }[] = await logOf();
  // A function has the last four payloads in memory: those of later orders take their places.
  for (let id = 10; id < 16; id++) await make('PUT', '/orders', { id: `${id}`, order: {}, trackings: [] });
  const known = new Set(deliveries.map(({ id }) => id));
  const later = (await logOf()).filter(({ id }: { id: string }) => !known.has(id));
  expect(later.length).toBeGreaterThan(4);
  for (const { id } of [...later, ...deliveries]) await world.read(`${shop}/webhooks/${hook.uuid}/deliveries/${id}`);
  expect(world.unread).toEqual([]);

  // The last release goes on with the erased order, and sends again what was sent of it.
  await change('PUT', '/orders', { id: '1', trackings: [tracking('00340434161000000003')] });
  await done(world.change('POST', '/v1/shop/blue/shipment-events', { ...event, event_name: 'SUCCESSFULLY_DELIVERED' }));
  await change('PUT', `/claims/${claim.uuid}`, { status: 'closed' });
  for (const { id } of deliveries) await change('POST', `/webhooks/${hook.uuid}/deliveries/${id}/redeliver`);
  expect(world.unread).toEqual([]);
  const sent = paths.flatMap((path, i) => receiver.received(path).slice(sentBefore[i]));
  const ofErased = sent.filter(({ body }) => !body.includes('00340434161000000002'));
  expect(ofErased).not.toEqual([]);
  // Ids are hexadecimal, and may have `ada` in them.
  expect(ofErased.filter(({ body }) => /Ada|ada@|"ada-1"|"20095"/.test(body))).toEqual([]);
});

test('what the last release decrypts, its functions may decrypt still', async () => {
  await using receiver = await startEventReceiver();
  const targets = { integration_1: { url: receiver.urlOf('/integration'), scheme: 'bearer' } };
  vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify(targets));
  const world = new MixedWorld(lastRelease, { ...lastRelease, name: 'the same' });
  const { done, make } = callsIn(world);
  const settings = { integration_1_enabled: true };
  await done(world.write('POST', '/v1/shops', { name: 'Blue', slug: 'blue', settings }));
  await make('PUT', '/keys/integration_1', { api_key: 'a-key-of-sixteen-characters' });
  await make('POST', '/webhooks', { url: receiver.urlOf('/hook') });
  const actions = [{ type: 'webhook', params: { url: receiver.urlOf('/automation') } }];
  await make('POST', '/automations', { name: 'Now', trigger: { ref: '*' }, actions });
  // All tests share the memory of the functions, which forgets a secret some minutes after it was used, on the clock of any of them.
  hours(24 * 60);
  await make('PUT', '/orders', { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] });

  const places = world.decrypted.map(({ name, context: { shop: _, ...place } }) =>
    [name, ...Object.keys(place)].join(),
  );
  expect(new Set(places)).toEqual(new Set(['delivery,webhook', 'delivery,automation', 'delivery,integration']));
  const template = synthesize();
  for (const { name, context } of world.decrypted) {
    const allowed = allowedByRoleOf(template, pipelineIds(template)[name]!).map(({ actions, conditions }) => ({
      Effect: 'Allow' as const,
      Action: [...actions],
      Resource: '*',
      Condition: conditions,
    }));
    const [access] = kmsAccesses('Decrypt', { EncryptionContext: context }, 'the key');
    expect(isAllowed(readStatements({ Statement: allowed }), access!)).toBe(true);
  }
});
