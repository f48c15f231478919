import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/shop-system/handler.ts';
import { eraseOrder } from '#domain/orders/erase-order.ts';
import { orderItem, type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { keyOf } from '#platform/table/keys.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import { shopWebhookTypes } from '#schemas/catalogues/shop-webhooks.ts';
import { eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextOrderWrite, orderWrites, outgoingOf } from '#test/kit/order-writes.ts';
import { shopFulfilment, shopOrder, signatureOf } from '#test/kit/shop-payloads.ts';
import { dynamo, shopItem, tableWith } from '#test/kit/table.ts';

process.env.CREDENTIALS_KEY_ID = 'credentials';

const kms = mockClient(KMSClient);
const secret = 'secret-of-the-shop';
const items = [shopItem('blue'), { ...keyOf.shopSystemSecret('blue'), ciphertext: Buffer.from(secret) }];

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  tableWith(...items);
});

const writtenOrders = () =>
  orderWrites().flatMap((actions) =>
    actions.flatMap(({ Put }) => (Put?.Item?.sk === 'ORDER' ? [toOrder(Put.Item as StoredItem)] : [])),
  );

async function send(type: string, payload: unknown, { base64 = false, headers = {} } = {}) {
  const raw = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const event = eventOf({
    method: 'POST',
    resource: '/v1/shops/{slug}/shop-system/inbound/{webhook_type}',
    params: { slug: 'blue', webhook_type: type },
    rawBody: raw.toString(base64 ? 'base64' : 'utf8'),
    headers: { 'X-Shopify-Hmac-SHA256': signatureOf(secret, raw), ...headers },
  });
  const { statusCode, body } = await handler({ ...event, isBase64Encoded: base64 });
  return { status: statusCode, body: JSON.parse(body) };
}

describe('a signed webhook', () => {
  test.each([false, true])('is read as the gateway passes it (base64: %s)', async (base64) => {
    expect(await send('order-creation', shopOrder({ name: 'Größe' }), { base64 })).toEqual({ status: 200, body: null });
    expect(writtenOrders()).toMatchObject([{ order_name: 'Größe', told_at: '2026-11-10T21:15:47.000Z' }]);
  });

  test('writes an order and its event in one transaction, after three reads', async () => {
    await send('order-creation', shopOrder());
    const commands = dynamo.calls().map(({ args }) => args[0].constructor.name);
    // When the last webhook came is noted once a minute.
    const ofOrder = commands.filter((name) => name !== 'UpdateCommand');
    expect(ofOrder).toEqual(['BatchGetCommand', 'BatchGetCommand', 'TransactWriteCommand']);
    expect(outgoingOf('blue')).toMatchObject([{ event_name: 'ORDER_CREATED' }]);
  });

  test('asks KMS for the secret once, not for every webhook', async () => {
    for (const number of [1, 2, 3]) await send('product-update', { id: number });
    expect(kms.commandCalls(DecryptCommand).length).toBeLessThanOrEqual(1);
  });

  test('that is repeated writes nothing', async () => {
    const payload = shopOrder({ fulfillment_status: 'fulfilled', fulfillments: [shopFulfilment(['A'])] });
    await send('order-fulfillment', payload);
    dynamo.resetHistory();
    expect((await send('order-fulfillment', payload)).status).toBe(200);
    expect(orderWrites()).toEqual([]);
  });

  test('that is older than the stored order and tells nothing that it lacks writes nothing', async () => {
    await send('order-update', shopOrder({ updated_at: '2026-11-12T00:00:00Z' }));
    dynamo.resetHistory();
    expect((await send('order-creation', shopOrder({ email: 'old@example.com' }))).status).toBe(200);
    expect(orderWrites()).toEqual([]);
  });

  test('that is older than the stored order adds what it lacks, and changes nothing that it has', async () => {
    await send('order-update', shopOrder({ updated_at: '2026-11-12T00:00:00Z', financial_status: null }));
    const late = shopOrder({ email: 'old@example.com', fulfillments: [shopFulfilment(['A'])] });
    expect((await send('order-creation', late)).status).toBe(200);
    expect(writtenOrders().at(-1)).toMatchObject({
      email_id: 'bob.norman@mail.example.com',
      financial_status: 'authorized',
      shipments: [1],
    });
  });

  test('that loses a race against a newer one is dropped', async () => {
    await send('order-creation', shopOrder({ updated_at: '2026-11-09T00:00:00Z' }));
    const [before] = writtenOrders();
    dynamo.resetHistory();
    const newer = { ...before!, told_at: '2026-11-13T00:00:00.000Z' };
    beforeNextOrderWrite(() => memoryTable.put(orderItem('blue', newer, 2)));
    expect((await send('order-update', shopOrder())).status).toBe(200);
    expect(orderWrites()).toHaveLength(1);
  });

  test('of a cancelled order records the cancellation on its parcels, with an event for each listener', async () => {
    await send('order-creation', shopOrder());
    dynamo.resetHistory();
    const cancelled_at = '2026-11-12T00:00:00-05:00';
    const payload = shopOrder({ updated_at: cancelled_at, cancelled_at });
    expect((await send('order-cancelled', payload)).status).toBe(200);
    const shipments = [{ time: '2026-11-12T05:00:00.000Z' }];
    expect(outgoingOf('blue').slice(1)).toMatchObject([
      { event_name: 'ORDER_CANCELLED', event_group: 'shipment_order_cancelled', shipments },
    ]);
  });

  test('with a parcel that has no room for another order stores the order without the parcel', async () => {
    const places = Array.from({ length: shipmentLimits.ordersInOneParcel }, (_, i) => i);
    memoryTable.put(...places.map((place) => ({ ...keyOf.tracking('blue', 'full', place), order_id: `${place}` })));
    const fulfilments = [shopFulfilment(['full', 'free'])];
    const payload = shopOrder({ fulfillment_status: 'fulfilled', fulfillments: fulfilments });
    expect((await send('order-fulfillment', payload)).status).toBe(200);
    expect((await send('order-fulfillment-update', shopFulfilment(['full']))).status).toBe(200);
    expect(writtenOrders()).toMatchObject([{ shipments: [1] }]);
    expect(JSON.stringify(orderWrites())).toContain('TRACKINGREF#blue#free');
  });

  test('does not change the attribution of the order', async () => {
    await send('order-creation', shopOrder());
    const [before] = writtenOrders();
    dynamo.resetHistory();
    const attributed = { ...before!, order_analytics: { ...before!.order_analytics, campaign: 'spring' } };
    memoryTable.put(orderItem('blue', attributed, 1));
    await send('order-update', shopOrder({ updated_at: '2026-11-12T00:00:00Z', landing_site: '/new' }));
    expect(writtenOrders()).toMatchObject([{ order_analytics: { campaign: 'spring', landing_site: '/new' } }]);
  });

  test('finds an order by its id when the merchant gave it another number', async () => {
    await send('order-creation', shopOrder({ order_number: '#1001' }));
    dynamo.resetHistory();
    expect(
      (await send('order-update', shopOrder({ email: 'new@example.com', updated_at: '2026-11-12T00:00:00Z' }))).status,
    ).toBe(200);
    expect(writtenOrders()).toMatchObject([{ order_number: '#1001', email_id: 'new@example.com' }]);
  });

  test('applies the mapping rules of the shop', async () => {
    const rules = [
      { source: { type: 'note_attribute', key: 'marketplace' }, target: 'marketplace_order_number' },
      { source: { type: 'field', key: 'customer.id' }, target: 'order_name' },
    ];
    const mappings = { version: 1, data: { 'shop_system_1.order': rules } };
    memoryTable.put({ ...keyOf.settings('blue'), mappings });
    await send('order-creation', shopOrder());
    const [order] = writtenOrders();
    expect(order!.order_name).toBe('207119551');
    expect(order!.order_analytics?.note_attributes?.[0]).toEqual({ name: 'marketplace_order_number', value: 'M-77' });
  });

  test('of an order with more parcels than fit into one transaction is written in parts', async () => {
    const fulfillments = Array.from({ length: 100 }, (_, i) => shopFulfilment([`P${i}`]));
    const payload = shopOrder({ fulfillment_status: 'fulfilled', fulfillments });
    expect((await send('order-fulfillment', payload)).status).toBe(200);
    expect(writtenOrders().map(({ shipments }) => shipments.length)).toEqual([46, 92, 100]);
    for (const actions of orderWrites()) expect(actions.length).toBeLessThanOrEqual(100);
  });

  test('with half a character writes none of it into the keys of the table', async () => {
    const half = 'a\ud83d b';
    const payload = shopOrder({ email: half, name: half, shipping_address: { zip: half }, [half]: half });
    expect((await send('order-creation', payload)).status).toBe(200);
    const item = orderWrites()[0]!.find(({ Put }) => Put?.Item?.sk === 'ORDER')!.Put!.Item!;
    const texts = Object.entries(item).filter(([, value]) => typeof value === 'string');
    expect(texts.filter(([, value]) => !value.isWellFormed())).toEqual([]);
    expect(Object.keys(item)).toEqual(expect.arrayContaining(['email_pk', 'zip_pk', 'name_pk']));
    expect(writtenOrders()[0]!.order_name).toBe('a\ufffd b');
  });

  test('never causes an internal error, whatever it holds', async () => {
    const anything = fc.record(
      Object.fromEntries(Object.keys(shopOrder()).map((field) => [field, fc.jsonValue({ maxDepth: 3 })])),
      { requiredKeys: [] },
    );
    const payloads = fc.oneof(
      fc.jsonValue(),
      anything.map((fields) => shopOrder(fields)),
      anything.map((fields) => shopFulfilment(['A'], fields)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...shopWebhookTypes), payloads, async (type, payload) => {
        expect((await send(type, payload)).status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an order whose personal data was erased', () => {
  const current = () =>
    memoryTable
      .all('ORDER#')
      .flatMap((item) => (item.sk === 'ORDER' ? [toOrder(item as unknown as StoredItem)] : []))[0]!;

  test('takes from its shop system what is not personal, and nothing else', async () => {
    await send('order-creation', shopOrder());
    await eraseOrder({ slug: 'blue', uuid: 'shop' }, current().uuid, { at: '2026-11-11T00:00:00.000Z', by: 'admin' });
    const changed = {
      updated_at: '2026-11-12T00:00:00Z',
      financial_status: 'refunded',
      fulfillments: [shopFulfilment(['T-1'])],
    };
    expect(await send('order-update', shopOrder(changed))).toEqual({ status: 200, body: null });
    expect(current()).toMatchObject({ financial_status: 'refunded', erased_at: '2026-11-11T00:00:00.000Z' });
    expect(await send('order-fulfillment-update', shopFulfilment(['T-2'], { order_id: 450789469 }))).toEqual({
      status: 200,
      body: null,
    });
    const stored = JSON.stringify([current(), ...memoryTable.all('ORDERREF#')]);
    expect(stored).not.toMatch(/norman|chestnut|louisville|207119551|mozilla|utm_source|M-77/i);
  });
});
