import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { toTimeline } from '#api/orders/timeline-entries.ts';
import { handler as pages } from '#api/pages/handler.ts';
import { automationKind } from '#domain/automations/automation-store.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { type AutomationRun, newRun, runItem } from '#domain/automations/run.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import { pastEvents } from '#domain/orders/enclosed-events.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { upsert } from '#domain/orders/upsert.ts';
import { keyOf } from '#platform/table/keys.ts';
import { deliveryLimits, timelineLimits } from '#schemas/catalogues/limits.ts';
import type { TimelineEntry } from '#schemas/shapes/timeline-shapes.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { outgoingOf } from '#test/kit/order-writes.ts';
import { listener } from '#test/kit/outbox-records.ts';
import { asOperator, dynamo, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const endpointId = '01930000-0000-7000-8000-0000000000e1';
const automationId = '01930000-0000-7000-8000-0000000000a1';
const viewer = keyFor('blue', 'viewer');
const admin = keyFor('blue', 'admin');

const call = (handler: typeof orders, method: string, resource: string, more: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${resource}`,
    params: { slug: 'blue' },
    headers: asOperator,
    ...more,
  });

let order: { uuid: string; tracking_page_url: string };

const timeline = async (headers: Record<string, string> = asOperator): Promise<TimelineEntry[]> => {
  const params = { slug: 'blue', order_id: order.uuid };
  const { status, body } = await call(orders, 'GET', '/orders/{order_id}/timeline', { params, headers });
  expect(status).toBe(200);
  return body;
};

const ofKind = async (kind: TimelineEntry['kind'], headers?: Record<string, string>) =>
  (await timeline(headers)).filter((entry) => entry.kind === kind);

/** The outgoing event of the fulfilment. */
const fulfilment = (): StoredEvent =>
  outgoingOf('blue').find(({ event_name }) => event_name === 'ORDER_PROCESSED') as StoredEvent;

function storeDelivery(target: { id: string; kind: Delivery['kind'] }, more: Partial<Delivery> = {}): Delivery {
  const event = fulfilment();
  const { id: event_id, ref, event_group, triggered_at } = event;
  const source = { event_id, subject_id: subjectsOf(event)[0]!.id, ref, event_group, triggered_at, shop_slug: 'blue' };
  const delivery = { ...newDelivery(source, target, new Date(triggered_at)), ...more };
  memoryTable.put(deliveryItem(delivery));
  return delivery;
}

const attempt = { at: '2026-11-14T12:00:01.000Z', duration_ms: 5, status: 200 };

beforeEach(async () => {
  tableWith(operator.item, viewer.item, admin.item, shopItem('blue'), listener('blue', endpointId));
  const body = {
    id: '1001',
    order: { order_placed_at: '2026-11-01T10:00:00Z' },
    trackings: [{ tracking_number: 'T-1', tracking_placed_at: '2026-11-02T10:00:00Z' }],
  };
  expect((await call(orders, 'PUT', '/orders', { body })).status).toBe(200);
  order = (await call(orders, 'GET', '/orders', { query: { order_number: '1001' } })).body[0];
});

afterEach(() => {
  vi.useRealTimers();
});

test('an order that does not exist has no timeline', async () => {
  const params = { slug: 'blue', order_id: '01930000-0000-7000-8000-000000000000' };
  const { status, body } = await call(orders, 'GET', '/orders/{order_id}/timeline', { params });
  expect([status, body.key]).toEqual([404, 'order_not_found']);
});

test('the order, its parcels and what happened to them come oldest first', async () => {
  const entries = await timeline();
  expect(entries.map(({ kind, title }) => [kind, title])).toEqual([
    ['order', 'Order 1001 was placed'],
    ['event', 'Parcel T-1: Order ready to ship'],
    ['order', 'The service received order 1001'],
    ['shipment', 'Parcel T-1 was added'],
    [
      'delivery',
      'None of the present webhooks and integrations was told of shipments/order_processed/ORDER_PROCESSED: ' +
        'by the present settings it was too old when it was recorded',
    ],
  ]);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
});

test('a field that the system of the shop sent in a wrong form is named', async () => {
  const told = { source: { asOf: '2100-01-01T00:00:00.000Z' }, unread: [{ field: 'line_items.0.price' }] };
  const item = { id: '1001', id_type: 'order_number' as const, order: { weight: 1 }, trackings: [] };
  await upsert({ slug: 'blue', uuid: shopItem('blue').uuid }, item, new Date(), { told });
  expect((await ofKind('order', basic('blue', viewer.secret))).at(-1)).toMatchObject({
    title: "The shop's system sent a `line_items.0.price` that could not be read",
    data: { order_number: '1001' },
  });
});

describe('a delivery', () => {
  test('says to whom it went and how that ended', async () => {
    storeDelivery({ id: endpointId, kind: 'webhook' }, { status: 'delivered', attempts: [attempt, attempt] });
    expect(await ofKind('delivery')).toMatchObject([
      {
        title: `shipments/order_processed/ORDER_PROCESSED was delivered to https://${endpointId}.example after 2 attempts`,
        data: { delivery: { target_kind: 'webhook', target: endpointId, status: 'delivered', attempts: 2 } },
      },
    ]);
  });

  test('to an integration is shown if the shop has a key for it', async () => {
    storeDelivery({ id: 'integration_3', kind: 'integration' }, { status: 'failed', attempts: [attempt] });
    expect(await ofKind('delivery')).toMatchObject([{ data: { not_sent: { reason: 'stale' } } }]);
    memoryTable.put({ ...keyOf.integrationKey('blue', 'integration_3') });
    expect(await ofKind('delivery')).toMatchObject([
      { title: 'shipments/order_processed/ORDER_PROCESSED could not be delivered to integration_3 in 1 attempt' },
    ]);
  });

  test('is shown to admins, and left out for others', async () => {
    storeDelivery({ id: endpointId, kind: 'webhook' });
    expect(await ofKind('delivery', basic('blue', admin.secret))).toHaveLength(1);
    expect(await ofKind('delivery', basic('blue', viewer.secret))).toEqual([]);
  });
});

describe('an e-mail', () => {
  const email = { id: 'email', kind: 'email' as const };
  const isSwitchedOn = () => memoryTable.put({ ...keyOf.settings('blue'), version: 1, emails: { enabled: true } });

  test('is shown to everybody, and says why it was not sent', async () => {
    isSwitchedOn();
    storeDelivery(email, { status: 'skipped', reason: 'stale' });
    expect(await ofKind('email', basic('blue', viewer.secret))).toMatchObject([
      {
        title: 'The e-mail about shipments/order_processed/ORDER_PROCESSED was not sent: it is older than 24 hours',
        data: { email: { status: 'skipped', reason: 'stale', last_error: null } },
      },
    ]);
    expect(await ofKind('delivery', basic('blue', viewer.secret))).toMatchObject([{ data: { not_sent: {} } }]);
  });

  test('that could not be sent says the reason', async () => {
    isSwitchedOn();
    storeDelivery(email, { status: 'failed', attempts: [{ ...attempt, error: 'outcome_unknown' }] });
    expect(await ofKind('email')).toMatchObject([
      {
        title: 'The e-mail about shipments/order_processed/ORDER_PROCESSED could not be sent (outcome_unknown)',
        data: { email: { last_error: 'outcome_unknown' } },
      },
    ]);
  });
});

describe('nothing is said of an event that nobody is told of today', () => {
  const notSent = async () => (await ofKind('delivery')).filter(({ data }) => data.not_sent);

  test('if its deliveries are no longer kept', async () => {
    expect(await notSent()).toHaveLength(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (deliveryLimits.days + 1) * 24 * 3_600_000 });
    expect(await notSent()).toEqual([]);
  });

  test('if it has more possible deliveries than are looked for', async () => {
    const ids = Array.from(
      { length: timelineLimits.deliveries },
      (_, i) => endpointId.slice(0, -4) + (4096 + i).toString(16),
    );
    memoryTable.put(...ids.map((id) => listener('blue', id)));
    expect(await notSent()).toEqual([]);
  });
});

describe('a run of an automation', () => {
  /** @param trigger of today */
  function storeRun(trigger: { ref: string }, results: AutomationRun['results'] = {}) {
    const automation = {
      ...keyOf.record(automationKind.name, 'blue', automationId),
      uuid: automationId,
      shop_slug: 'blue',
      name: 'Tell the warehouse',
      status: 'active',
      trigger,
      conditions: null,
      actions: [],
      delay_minutes: 0,
      max_age_hours: 24,
      secrets: [],
    } as unknown as AutomationRecord;
    const event = fulfilment();
    const run = newRun(automation, event, subjectsOf(event)[0]!, { status: 'pending', conditions: [] });
    memoryTable.put(automation, runItem({ ...run, status: 'done', finished_at: event.triggered_at, results }));
    return run;
  }

  test('names it and is shown to everybody', async () => {
    const run = storeRun({ ref: 'shipments' });
    expect(await ofKind('automation_run', basic('blue', viewer.secret))).toMatchObject([
      { title: 'Automation “Tell the warehouse” ran', data: { run: { id: run.id, automation_id: automationId } } },
    ]);
  });

  test('that sent its event told somebody', async () => {
    const delivery = { target: 'integration_3', id: '01930000-0000-7000-8000-0000000000d1' };
    storeRun({ ref: 'shipments' }, { '0': { status: 'done', delivery } as never });
    expect(await ofKind('delivery')).toEqual([]);
  });

  test('is shown although the automation has another trigger today', async () => {
    const run = storeRun({ ref: 'claims/created' });
    expect(await ofKind('automation_run')).toMatchObject([{ data: { run: { id: run.id } } }]);
  });
});

test('a claim is shown with each change and comment', async () => {
  const made = await call(claims, 'POST', '/claims', { body: { tracking_number: 'T-1', reason: 'damage' } });
  const params = { slug: 'blue', uuid: made.body.uuid };
  await call(claims, 'PUT', '/claims/{uuid}', { params, body: { comment: 'Asked for a photo.' } });
  await call(claims, 'PUT', '/claims/{uuid}', { params, body: { status: 'accepted', comment: 'The photo shows it.' } });
  expect(await ofKind('claim')).toMatchObject([
    { title: 'The claim about damage was opened', data: { claim: { uuid: made.body.uuid, status: 'accepted' } } },
    { title: 'The claim about damage got a comment', data: { claim: { comment: 'Asked for a photo.' } } },
    { title: 'The claim about damage is now accepted', data: { claim: { comment: 'The photo shows it.' } } },
  ]);
});

test('of a deleted claim only the beginning and the end are shown, without what was in it', async () => {
  const body = { tracking_number: 'T-1', reason: 'damage' };
  const params = { slug: 'blue', uuid: (await call(claims, 'POST', '/claims', { body })).body.uuid };
  for (let i = 0; i < timelineLimits.changesOfClaim; i++) {
    await call(claims, 'PUT', '/claims/{uuid}', { params, body: { comment: `Private ${i}` } });
  }
  await call(claims, 'DELETE', '/claims/{uuid}', { params });
  const entries = await ofKind('claim');
  expect(entries.map(({ title }) => title)).toEqual([
    'The claim about damage was opened',
    'The claim about damage was deleted',
  ]);
  expect(entries.map(({ data }) => [data.claim!.changes, data.claim!.comment])).toEqual([
    [[], null],
    [[], null],
  ]);
});

test('the events of an order are read up to a limit that is higher for a timeline', async () => {
  const page = { Items: [{ triggered_at: '2026-11-14T12:00:00.000Z' }], LastEvaluatedKey: { pk: 'a', sk: 'b' } };
  dynamo.on(QueryCommand).resolves(page);
  const whole = { order, shipments: [] } as unknown as OrderWithShipments;
  const countOf = async (range: object) => (await pastEvents('blue', whole, range)).events.length;
  expect([await countOf({}), await countOf({ maxReads: timelineLimits.eventReads })]).toEqual([5, 20]);
});

test('views of the tracking page that follow each other are one entry', async () => {
  const token = order.tracking_page_url.split('/').at(-1)!;
  for (let i = 0; i < 3; i++)
    await invoke(pages, { method: 'GET', resource: '/v1/tracking/{token}', params: { token } });
  expect(await ofKind('page_view')).toMatchObject([{ title: 'The tracking page was opened', data: { view: 'visit' } }]);
});

test('an event tells the code of its country beside its place, so that a reader can be told its name', async () => {
  const { data } = (await ofKind('shipment'))[0]!;
  const key = keyOf.shipment('blue', order.uuid, data.shipment_id!);
  const { toShipment, shipmentItem } = await import('#domain/orders/order-items.ts');
  const stored = toShipment(memoryTable.read(key)! as never);
  const places = [{ city: 'Utrecht', country_code: 'NL' }, { full: 'Los Angeles, CA' }];
  const events = places.map((location) => ({ ...stored.events[0]!, location }));
  memoryTable.put(shipmentItem('blue', { ...stored, events: events as typeof stored.events }, 1));
  const told = (await ofKind('event')).map((entry) => [entry.data.location, entry.data.country_code]);
  expect(told).toEqual([
    ['Utrecht, NL', 'NL'],
    ['Los Angeles, CA', undefined],
  ]);
});

test('a submission to a tracking provider says how it went', async () => {
  const { data } = (await ofKind('shipment'))[0]!;
  const key = keyOf.shipment('blue', order.uuid, data.shipment_id!);
  const { toShipment, shipmentItem } = await import('#domain/orders/order-items.ts');
  const stored = memoryTable.read(key)!;
  const submission = {
    provider: 'ship24' as const,
    status: 'submitted' as const,
    reason: null,
    at: '2026-11-14T12:00:00.000Z',
  };
  const shipment = { ...toShipment(stored as never), tracking_submission: submission };
  memoryTable.put(shipmentItem('blue', shipment, 1));
  expect(await ofKind('tracking_submission')).toMatchObject([
    { at: submission.at, title: 'Parcel T-1 is watched by ship24', data: { provider: 'ship24', status: 'submitted' } },
  ]);
});

test('a timeline has the newest entries up to its limit', () => {
  const many = Array.from({ length: timelineLimits.entries + 1 }, (_, i) => ({
    at: new Date(i * 1000).toISOString(),
    kind: 'order' as const,
    title: String(i),
    data: {},
  }));
  const shown = toTimeline(many.toReversed());
  expect([shown.length, shown[0]!.title, shown.at(-1)!.title]).toEqual([500, '1', '500']);
});
