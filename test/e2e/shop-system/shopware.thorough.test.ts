import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestLimits } from '#schemas/catalogues/limits.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import { expectDone, numbersOf } from '#test/e2e/kit/orders.ts';
import { type Receiver, signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, newSlug, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';
import { connectShopware } from '#test/e2e/kit/shop-system.ts';
import {
  inboundOf,
  orderOf,
  pageOf,
  seededRandom,
  shuffledWithRepeats,
  stableParts,
} from '#test/e2e/kit/shop-system-checks.ts';
import { unwell } from '#test/kit/fake-shop-system.ts';
import { startFakeShopware } from '#test/kit/fake-shopware.ts';
import {
  draftVersion,
  shopwareDelivery,
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareId,
  shopwareJson,
  shopwareOrder,
  shopwareOrderId,
  shopwareStages,
  shopwareState,
  shopwareWritten,
} from '#test/kit/shopware-payloads.ts';

const topics = shopTopics.shop_system_2;
const parcel = '00340434161094015902';

/** A shop whose app is installed in a system of its own. */
async function connected() {
  const system = await startFakeShopware();
  const shop = await connectShopware(api, superAdmin, newSlug(), system);
  const inbound = `${url}/v1/shops/${shop.slug}/shop-system/inbound/order-update`;
  return { system, ...shop, inbound };
}

type Connected = Awaited<ReturnType<typeof connected>>;

const numbersIn = async ({ call }: Connected) => numbersOf(await orderOf(call, '10042'));

async function expectTaken(answers: Promise<{ status: number; text: string }[]>): Promise<void> {
  const all = await answers;
  expect(all.length).toBeGreaterThan(0);
  for (const { status, text } of all) expect([status, text]).toEqual([200, 'null']);
}

describe('the app of Shopware', () => {
  test('is installed by its manifest, and its shop is connected to the first order', async () => {
    await using system = await startFakeShopware();
    const shop = await connectShopware(api, superAdmin, newSlug(), system);
    const { body: config } = await shop.call('GET', '/shop-system/webhook-config');
    expect(config.webhook_secret).toBe(system.installed!.secret);
    const { body: registrations } = await shop.call('GET', '/shop-system/webhooks');
    expect(new Set(registrations.map(({ topic }: { topic: string }) => topic))).toEqual(new Set(Object.values(topics)));
    expect(registrations.map(({ shopify_id }: { shopify_id: unknown }) => shopify_id)).toEqual(
      registrations.map(() => null),
    );
    expect(await inboundOf(shop.call)).toMatchObject({
      shop_provider: 'shop_system_2',
      is_connected: true,
      last_received_at: null,
      ignored: [],
      unreadable: [],
    });

    const order = shopwareOrder();
    system.put(order);
    await expectTaken(system.send(shopwareEvent(topics['order-creation'], order)));
    expect((await orderOf(shop.call, '10042')).external_id).toBe(shopwareOrderId);
    expect((await inboundOf(shop.call)).last_topic).toBe(topics['order-creation']);
  });

  test('agrees on another secret when it is installed again, and what is under way counts for a minute', async () => {
    const shop = await connected();
    await using system = shop.system;
    const before = system.installed!.secret;
    const manifest = (await shop.call('GET', '/shop-system/app/manifest')).text;
    await system.install(manifest);
    expect(system.installed!.secret).not.toBe(before);
    const hook = shopwareEvent(topics['order-creation'], shopwareOrder());
    expect((await system.sendTo(shop.inbound, hook, before)).status).toBe(200);
    expect((await system.sendTo(shop.inbound, hook)).status).toBe(200);
  });

  test('is refused without a signature of the manifest, of the registration or of this moment', async () => {
    const shop = await connected();
    await using system = shop.system;
    const { text } = await shop.call('GET', '/shop-system/app/manifest');
    await expect(system.install(text, { appSecret: 'wrong' })).rejects.toThrow('Registration: 401');
    await expect(system.install(text, { confirmationSecret: 'wrong' })).rejects.toThrow('Confirmation: 401');
    await expect(system.install(text, { now: new Date(Date.now() - 3_600_000) })).rejects.toThrow('Registration: 401');
    const { body } = await shop.call('GET', '/shop-system/webhook-config');
    expect(body.webhook_secret).toBe(system.installed!.secret);
  });

  test('is forgotten when the shop removes it, and its orders stay', async () => {
    const shop = await connected();
    await using system = shop.system;
    const order = shopwareOrder();
    system.put(order);
    await expectTaken(system.send(shopwareEvent(topics['order-creation'], order)));
    const { webhook_secret } = (await shop.call('GET', '/shop-system/webhook-config')).body;
    await expectTaken(system.uninstall());
    expect((await shop.call('GET', '/shop-system/webhooks')).body).toEqual([]);
    expect((await inboundOf(shop.call)).is_connected).toBe(false);
    expect((await orderOf(shop.call, '10042')).order_number).toBe('10042');

    const late = await system.sendTo(shop.inbound, shopwareWritten(), webhook_secret);
    if (late.status === 200) {
      expect((await inboundOf(shop.call)).unreadable).toMatchObject([{ reason: 'credentials_missing' }]);
    } else expect(late.status).toBe(401);
    await system.install((await shop.call('GET', '/shop-system/app/manifest')).text);
    await expectTaken(system.send(shopwareWritten()));
    expect((await inboundOf(shop.call)).is_connected).toBe(true);
  });
});

describe('a webhook of Shopware', () => {
  let shop: Connected;
  let receiver: Receiver;
  let secret: string;
  beforeAll(async () => {
    shop = await connected();
    receiver = await startReceiver();
    const endpoint = { url: receiver.url, enabled_events: ['*'] };
    secret = (await shop.call('POST', '/webhooks', endpoint)).body.secret;
  });
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await shop?.system.stop();
  });

  /** The shop has the order as it is, and tells so. */
  const tell = (event: string, order: Record<string, unknown>) => {
    shop.system.put(order);
    return expectTaken(shop.system.send(shopwareEvent(event, order)));
  };

  test('of a placed order makes the order, in full', async () => {
    await tell(topics['order-creation'], shopwareOrder());
    const order = await orderOf(shop.call, '10042');
    expect(order).toMatchObject({
      order_number: '10042',
      external_id: shopwareOrderId,
      order_placed_at: '2026-11-10T16:15:47.120Z',
      total_order_price: 43.18,
      shipping_price: 4.95,
      discount_price: 4.25,
      currency: 'EUR',
      email_id: 'klara.weiss@mail.example.com',
      state: 'placed',
      address: {
        name: 'Klara Weiß',
        address_line_1: 'Lindenallee 7',
        city: 'München',
        zip_code: '80331',
        country_code: 'DE',
        province_code: expect.stringMatching(/BY$/),
      },
      discounts: [{ code: 'WELCOME10', type: 'percentage' }],
    });
    expect(order.products[0]).toMatchObject({
      title: 'Trail shirt',
      sku: 'SW10012.3',
      quantity: 2,
      price: 19.99,
      images: [{ src: 'https://cdn.shop.example.com/media/2f/shirt-green.jpg' }],
    });
    expect(order.order_analytics).toMatchObject({ language: 'de-DE' });
    for (const absent of ['weight', 'preferred_delivery_date', 'user_agent', 'told_at']) {
      expect(order).not.toHaveProperty(absent);
    }
    for (const absent of ['phone', 'address_line_2', 'company']) expect(order.address).not.toHaveProperty(absent);
  });

  test('that names a changed order has it read from the shop', async () => {
    shop.system.put(shopwareStages.paid());
    await expectTaken(shop.system.send(shopwareWritten()));
    expect((await orderOf(shop.call, '10042')).financial_status).toBe('paid');
  });

  test('of a shipped delivery makes a parcel, which the customer and the merchant see', async () => {
    // Of what is older than a day nobody is told.
    const updatedAt = new Date().toISOString();
    const shipped = { trackingCodes: [parcel], stateMachineState: shopwareState('shipped'), updatedAt };
    await tell(topics['order-fulfillment'], shopwareStages.paid({ deliveries: [shopwareDelivery(1, shipped)] }));
    const order = await orderOf(shop.call, '10042');
    expect([order.state, numbersOf(order)]).toEqual(['fulfilled', [parcel]]);
    expect(order.trackings[0].carrier.carrier_reference).toBe('dhl');
    const page = await pageOf(order);
    for (const shown of [parcel, 'Trail shirt', '10042']) expect(page).toContain(shown);

    const events: Record<string, unknown>[] = [];
    while (!events.some(({ ref }) => ref === 'shipments/order_processed/ORDER_PROCESSED')) {
      const received = await receiver.next();
      expect(signedWith(received, [secret])).toEqual([true]);
      events.push(JSON.parse(received.body));
    }
    expect(events.at(-1)).toMatchObject({
      shop_slug: shop.slug,
      event_data: { tracking_number: parcel },
      context: { order: { order_number: '10042', external_id: shopwareOrderId } },
    });
  });

  test('of a delivery that was shipped in part leaves the order open', async () => {
    const order = shopwareStages.partlyShipped({
      id: shopwareId(7),
      orderNumber: '10047',
      deliveries: [
        shopwareDelivery(1, { trackingCodes: ['P-1'], stateMachineState: shopwareState('shipped_partially') }),
      ],
    });
    await tell(topics['order-partial-fulfillment'], order);
    const stored = await orderOf(shop.call, '10047');
    expect([stored.state, numbersOf(stored)]).toEqual(['partially_fulfilled', ['P-1', null]]);
  });

  test('of a cancelled order cancels what was not sent', async () => {
    const [id, orderNumber] = [shopwareId(8), '10048'];
    await tell(topics['order-creation'], shopwareOrder({ id, orderNumber }));
    await tell(topics['order-cancelled'], shopwareStages.cancelled({ id, orderNumber }));
    const { trackings } = await orderOf(shop.call, '10048');
    expect(trackings.map(({ phase }: { phase: string }) => phase)).toEqual(['order_cancelled']);
  });

  test('that names several orders has each read, and one of drafts none', async () => {
    const orders = [11, 12, 13].map((n) => shopwareOrder({ id: shopwareId(n), orderNumber: `1001${n}` }));
    shop.system.put(...orders);
    const asked = shop.system.asked.length;
    const drafts = [shopwareEntry({ primaryKey: shopwareId(99), versionId: draftVersion })];
    expect((await shop.system.sendTo(shop.inbound, shopwareWritten(...drafts))).status).toBe(200);
    expect(shop.system.asked.length).toBe(asked);
    const entries = orders.map(({ id }) => shopwareEntry({ primaryKey: id, operation: 'insert' }));
    await expectTaken(shop.system.send(shopwareWritten(...drafts, ...entries)));
    for (const { orderNumber } of orders) await orderOf(shop.call, String(orderNumber));
  });

  test('of a deleted order, and of a topic that nobody needs, changes nothing', async () => {
    const before = await orderOf(shop.call, '10042');
    await expectTaken(
      shop.system.send(shopwareHook(topics['order-deletion'], [shopwareEntry({ operation: 'delete' })])),
    );
    const stranger = shopwareHook('product.written', [{ entity: 'product', operation: 'update', primaryKey: '1' }]);
    for (let i = 0; i < 3; i++) expect((await shop.system.sendTo(shop.inbound, stranger)).status).toBe(200);
    expect(await orderOf(shop.call, '10042')).toEqual(before);
    expect((await inboundOf(shop.call)).ignored).toMatchObject([{ topic: 'product.written', count: 3 }]);
  });
});

describe('what cannot be read of Shopware', () => {
  let shop: Connected;
  beforeAll(async () => {
    shop = await connected();
  });
  afterAll(() => shop?.system.stop());

  const reasons = async () =>
    (await inboundOf(shop.call)).unreadable.map(({ reason, field }: Record<string, unknown>) => [reason, field]);

  test('is taken and listed with its reason, newest first, and nothing of it is stored', async () => {
    const placed = shopwareEvent(topics['order-creation'], shopwareOrder());
    const whole = shopwareJson(placed);
    const { orderNumber: _, ...nameless } = shopwareOrder();
    const bodies = [
      '',
      'null',
      '[]',
      whole.slice(0, -40),
      shopwareJson(shopwareHook(topics['order-creation'], { order: nameless })),
      shopwareJson(shopwareHook(topics['order-update'], [{ entity: 'order' }])),
    ];
    for (const body of bodies) {
      expect((await shop.system.sendTo(shop.inbound, body)).status, body.slice(0, 100)).toBe(200);
    }
    expect((await shop.call('GET', '/orders')).body).toEqual([]);
    const listed = await reasons();
    expect(listed.length).toBeGreaterThanOrEqual(4);
    expect(listed).toContainEqual(['not_json', null]);
    expect(JSON.stringify((await inboundOf(shop.call)).unreadable)).not.toContain('klara');
  });

  test.each([
    ['over our limit', requestLimits.bodyBytes + 1],
    ['near the limit of the gateway', 5_900_000],
  ])('is listed as too large if it is %s', async (_name, size) => {
    const order = shopwareOrder({ customFields: { long: 'x'.repeat(size) } });
    const answer = await shop.system.sendTo(shop.inbound, shopwareEvent(topics['order-creation'], order));
    expect(answer.status).toBe(200);
    expect((await reasons())[0]).toEqual(['too_large', null]);
  });

  test('is refused if somebody else signed it, or nobody', async () => {
    const hook = shopwareEvent(topics['order-creation'], shopwareOrder());
    expect((await shop.system.sendTo(shop.inbound, hook, 'wrong')).status).toBe(401);
    const unsigned = await api('POST', new URL(shop.inbound).pathname, { body: hook });
    expect([unsigned.status, unsigned.body.key]).toEqual([401, 'invalid_merchant_or_key']);
    const inBase64 = Buffer.from('0'.repeat(64), 'hex').toString('base64');
    for (const name of ['x-shopify-hmac-sha256', 'x-wc-webhook-signature']) {
      const answer = await api('POST', new URL(shop.inbound).pathname, { body: hook, headers: { [name]: inBase64 } });
      expect(answer.status).toBe(401);
    }
  });

  test('because the shop does not give it is answered as the case needs it', async () => {
    const own = await connected();
    await using system = own.system;
    const only = async () => (await inboundOf(own.call)).unreadable[0];
    await expectTaken(system.send(shopwareWritten(shopwareEntry({ primaryKey: shopwareId(404) }))));
    expect(await only()).toMatchObject({ reason: 'order_not_found', order: shopwareId(404), topic: 'order.written' });

    system.meet(unwell);
    const [failed] = await system.send(shopwareWritten());
    expect(failed!.status).toBe(502);
    expect(await only()).toMatchObject({ reason: 'shop_unreachable' });

    system.clients.clear();
    system.expireTokens();
    await expectTaken(system.send(shopwareWritten()));
    expect(await only()).toMatchObject({ reason: 'credentials_refused' });

    // The hook of a placed order has enough for an order, also if the shop does not give the rest.
    await expectTaken(system.send(shopwareEvent(topics['order-creation'], shopwareOrder())));
    expect((await orderOf(own.call, '10042')).total_order_price).toBe(43.18);
  });

  test('of one field costs only that field, and the timeline says so', async () => {
    const own = await connected();
    await using system = own.system;
    const order = shopwareOrder({ amountTotal: 'a lot', price: { totalPrice: 'a lot' }, orderDateTime: 'yesterday' });
    system.put(order);
    await expectTaken(system.send(shopwareEvent(topics['order-creation'], order)));
    const stored = await orderOf(own.call, '10042');
    expect(stored).not.toHaveProperty('total_order_price');
    expect(stored.email_id).toBe('klara.weiss@mail.example.com');
    const { text } = await own.call('GET', `/orders/${stored.uuid}/timeline`);
    expect(text).toMatch(/could not be read/);
    expect(text).not.toContain('a lot');
  });
});

test('the mapping rules of Shopware find custom fields of the order and of its customer', async () => {
  const shop = await connected();
  await using system = shop.system;
  const rules = [
    { source: { key: 'marketplace', type: 'custom_field' }, target: 'marketplace_order_number' },
    { source: { key: 'loyalty_number', type: 'custom_field' }, target: 'loyalty' },
    { source: { key: 'orderCustomer.customerNumber', type: 'path' }, target: 'external_customer_id' },
  ];
  const set = await shop.call('PUT', '/settings/mappings', { version: 1, data: { 'shop_system_2.order': rules } });
  expect(set.status, set.text).toBe(200);
  const order = shopwareOrder({ customFields: { marketplace: 'M-1' } });
  system.put(order);
  await expectTaken(system.send(shopwareEvent(topics['order-creation'], order)));
  const stored = await orderOf(shop.call, '10042');
  expect(stored.external_customer_id).toBe('10007');
  expect(stored.order_analytics.note_attributes).toEqual(
    expect.arrayContaining([
      { name: 'marketplace_order_number', value: 'M-1' },
      { name: 'loyalty', value: 'L-77' },
    ]),
  );
});

describe('the webhooks of one order', () => {
  const second = shopwareStages.shipped({
    updatedAt: '2026-11-12T08:00:00.000+00:00',
    deliveries: [
      shopwareDelivery(1, {
        trackingCodes: [parcel, '1Z999AA10123456784'],
        stateMachineState: shopwareState('shipped'),
        updatedAt: '2026-11-12T08:00:00.000+00:00',
      }),
    ],
  });
  const states: [string, Record<string, unknown>][] = [
    [topics['order-creation'], shopwareStages.placed()],
    [topics['order-update'], shopwareStages.paid()],
    [topics['order-partial-fulfillment'], shopwareStages.partlyShipped()],
    [topics['order-fulfillment'], shopwareStages.shipped()],
    [topics['order-update'], second],
  ];

  /** The shop's API gives the state of that moment, as if it had been asked when the hook was made. */
  const tellAll = async ({ system }: Connected, order: readonly number[]) => {
    for (const i of order) {
      const [event, state] = states[i]!;
      system.put(state);
      const hook = event === topics['order-update'] ? shopwareWritten() : shopwareEvent(event, state);
      await expectTaken(system.send(hook));
    }
  };

  const places = states.map((_, i) => i);

  async function arrive(sequence: readonly number[], place: number): Promise<string> {
    const shop = await connected();
    await using _system = shop.system;
    await tellAll(shop, sequence.slice(0, place));
    const said = shop.call('PUT', '/orders', { id: '10042', order: { segments: ['merchant'] }, trackings: [] });
    await Promise.all([said, tellAll(shop, sequence.slice(place))]);
    expectDone(await said);
    const { shop_slug: _, merchant_slug: __, ...stored } = stableParts(await orderOf(shop.call, '10042'));
    return JSON.stringify(stored);
  }

  test('lead to the same order in fifty orders of arrival, with repeats, and beside the calls of the merchant', async () => {
    const random = seededRandom(32);
    const runs = Array.from({ length: 50 }, () => {
      const sequence = shuffledWithRepeats(places, random);
      return { sequence, place: Math.floor(random() * (sequence.length + 1)) };
    });
    const results = new Set<string>();
    for (let i = 0; i < runs.length; i += 10) {
      await Promise.all(
        runs.slice(i, i + 10).map(async ({ sequence, place }) => results.add(await arrive(sequence, place))),
      );
    }
    const [stored, ...others] = [...results].map((text) => JSON.parse(text));
    for (const other of others) expect(other).toEqual(stored);
    expect(stored).toMatchObject({ financial_status: 'paid', segments: ['merchant'], state: 'fulfilled' });
    expect(stored.parcels).toHaveLength(2);
  }, 240_000);

  test('make one order and no parcel twice when all come at once', async () => {
    const shop = await connected();
    await using system = shop.system;
    system.put(second);
    const hooks = states.flatMap(([event, state]) =>
      Array.from({ length: 4 }, () =>
        event === topics['order-update'] ? shopwareWritten() : shopwareEvent(event, state),
      ),
    );
    await Promise.all(hooks.map((hook) => expectTaken(system.send(hook))));
    expect((await numbersIn(shop)).toSorted()).toEqual([parcel, '1Z999AA10123456784']);
    expect((await shop.call('GET', '/orders')).body).toHaveLength(1);
  });
});
