import { describe, expect, test } from 'vitest';
import type { Answer } from '#test/e2e/kit/client.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, newMerchant, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';

const twenty = Array.from({ length: 20 }, (_, i) => i);
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

/** One request succeeds, and every other is refused. */
const oneOf = (count: number, refused: number) => [200, ...Array.from({ length: count - 1 }, () => refused)];

describe('twenty requests at once', () => {
  test('to upsert one order number make one order, with the fields of each of them', async () => {
    const shop = await newMerchant();
    const answers = await Promise.all(twenty.map((i) => shop.upsert({ id: 'one', order: fieldOf(i) })));
    answers.forEach(expectDone);
    const orders = await shop.orders();
    expect(orders).toHaveLength(1);
    expect(orders[0]!.trackings).toHaveLength(1);
    for (const i of twenty) expect(orders[0]).toMatchObject(fieldOf(i));
  });

  test('to place one order number make one order', async () => {
    const shop = await newMerchant();
    const body = { order_number: 'one', external_id: 'e', address: {}, expected_number_of_shipments: 3 };
    const answers = await Promise.all(twenty.map(() => shop.call('POST', '/orders', { body })));
    answers.forEach(expectDone);
    const orders = await shop.orders();
    expect(orders).toHaveLength(1);
    expect(orders[0]!.trackings).toHaveLength(3);
    expect((await shop.shipments()).pagination.total).toBe(3);
  });

  test.each([1, 20])(
    'to fulfil one order with %i expected shipments store every tracking number once',
    async (expected) => {
      const shop = await newMerchant();
      const placed = await shop.order({ expected_number_of_shipments: expected });
      const id = placed.order_number;
      const numbers = twenty.map((i) => `T-${i}`).toSorted();
      const answers = await Promise.all(numbers.map((number) => shop.upsert({ id, trackings: trackingsOf(number) })));
      answers.forEach(expectDone);
      const order = await shop.orderWith(id);
      expect(order.state).toBe('fulfilled');
      expect(numbersOf(order).toSorted()).toEqual(numbers);
      expect(new Set(order.trackings.map(({ uuid }) => uuid)).size).toBe(20);
      expect((await shop.shipments({ include_drafts: 'false' })).pagination.total).toBe(20);
      expect((await shop.shipments()).pagination.total).toBe(20);
    },
  );

  test('to create an order together with a tracking make one order with all of them', async () => {
    const shop = await newMerchant();
    const answers = await Promise.all(
      twenty.map((i) => shop.upsert({ id: 'one', order: {}, trackings: trackingsOf(`T-${i}`) })),
    );
    answers.forEach(expectDone);
    const orders = await shop.orders();
    expect(orders).toHaveLength(1);
    expect(numbersOf(orders[0]!).toSorted()).toEqual(twenty.map((i) => `T-${i}`).toSorted());
  });

  test('to give one tracking number to different orders give it to each of them', async () => {
    const shop = await newMerchant();
    const answers = await Promise.all(
      twenty.map((i) => shop.upsert({ id: `N-${i}`, order: {}, trackings: trackingsOf('T') })),
    );
    answers.forEach(expectDone);
    const orders = await shop.orders();
    expect(orders).toHaveLength(20);
    expect(orders.map(numbersOf)).toEqual(twenty.map(() => ['T']));
    expect((await shop.shipments({ tracking_number: 'T' })).pagination.total).toBe(20);
  });

  const names = {
    'a fulfilled shipment': ['DELAY_IN_TRANSPORT', 'AT_TRANSPORT_HUB', 'SUCCESSFULLY_DELIVERED'],
    'a draft': ['ORDER_DELAYED', 'ORDER_IN_PROCESSING', 'SHIPMENT_CANCELLED'],
  } as const;

  test.each([
    ['a fulfilled shipment', trackingsOf('T'), 'delivered'],
    ['a draft', [], 'order_cancelled'],
  ] as const)('to report on %s record every event, and the newest counts', async (what, trackings, phase) => {
    const shop = await newMerchant();
    const order = await shop.order({}, [...trackings]);
    const [odd, even, last] = names[what];
    const { uuid } = order.trackings[0]!;
    const time = (i: number) => new Date(Date.parse('2030-01-01T00:00:00Z') + i * 1000).toISOString();
    const report = (i: number) => ({
      event_name: i === 19 ? last : i % 2 ? odd : even,
      event_time: time(i),
    });
    const answers = await Promise.all(
      twenty.map((i) => shop.call('POST', `/shipments/${uuid}/events`, { body: report(i), query: { notify: 'true' } })),
    );
    for (const answer of answers) accepted(answer);
    const [tracking] = (await shop.orderWith(order.order_number)).trackings;
    expect(tracking).toMatchObject({ uuid, phase, flag: 'normal' });
    expect(tracking!.events.slice(1).map(({ event_key, time: at }) => [event_key, at])).toEqual(
      twenty.map((i) => [report(i).event_name, time(i)]),
    );
    expect((await shop.shipments()).pagination.total).toBe(1);
  });
});

describe('of several requests at once', () => {
  test('one records the event', async () => {
    const shop = await newMerchant();
    await shop.order({}, trackingsOf('T'));
    const body = { id: 'T', event_name: 'IN_DELIVERY', event_time: '2030-01-01T00:00:00Z' };
    const answers = await Promise.all(
      twenty.slice(10).map(() => shop.call('POST', '/shipment-events', { body, query: { notify: 'true' } })),
    );
    expect(statusesOf(answers)).toEqual(oneOf(10, 409));
    expect((await shop.shipments()).shipments[0]!.events).toHaveLength(2);
  });

  test('one places the external id', async () => {
    const shop = await newMerchant();
    for (const external_id of ['e1', 'e2', 'e3']) {
      const answers = await Promise.all(
        ['a', 'b'].map((name) =>
          shop.call('POST', '/orders', { body: { order_number: `${external_id}-${name}`, external_id, address: {} } }),
        ),
      );
      expect(statusesOf(answers)).toEqual([200, 409]);
      expectError(answers.find(({ status }) => status === 409)!, 409, 'order_exists');
    }
    expect(await shop.orders()).toHaveLength(3);
  });

  test('one creates the shipment of the tracking number', async () => {
    const shop = await newMerchant();
    const { uuid } = await shop.order();
    const body = { order_id: uuid, order_id_type: 'uuid', tracking_number: 'T' };
    const answers = await Promise.all(twenty.slice(10).map(() => shop.call('POST', '/shipments', { body })));
    expect(statusesOf(answers)).toEqual(oneOf(10, 409));
    expect((await shop.orders())[0]!.trackings).toHaveLength(2);
  });

  test('one deletes the shipment', async () => {
    const shop = await newMerchant();
    const { uuid } = await shop.order({}, trackingsOf('T', 'U'));
    const answers = await Promise.all(twenty.slice(14).map(() => shop.call('DELETE', `/orders/${uuid}/shipments/T`)));
    expect(statusesOf(answers)).toEqual(oneOf(6, 404));
    expect(numbersOf((await shop.orders())[0]!)).toEqual(['U']);
  });
});

describe('different requests at once on one order', () => {
  test('all keep their changes', async () => {
    const shop = await newMerchant();
    const order = await shop.order({ expected_number_of_shipments: 4 }, trackingsOf('T-0'));
    const { uuid, order_number: id } = order;
    const [first] = order.trackings;
    const shipment = `/orders/${uuid}/shipments/${first!.uuid}`;
    const event = { id: 'T-0', event_name: 'IN_DELIVERY', event_time: '2030-01-01T00:00:00Z' };
    const calls = [
      shop.upsert({ id, order: { weight: 7 } }),
      shop.upsert({ id, order: { email_id: 'a@x.org' }, trackings: trackingsOf('T-1') }),
      shop.upsert({ id, trackings: trackingsOf('T-2') }),
      shop.call('PATCH', `/orders/${uuid}`, { body: { address: { city: 'Ulm' } } }),
      shop.call('PATCH', shipment, { body: { products: [{ title: 'A' }] } }),
      shop.call('PATCH', shipment, { body: { tracking_url: 'https://x.org' } }),
      shop.call('POST', '/shipment-events', { body: event }),
      shop.call('PUT', '/orders/analytics', { body: { id, campaign: 'c' } }),
      shop.call('POST', '/shipments', { body: { order_id: id, order_id_type: 'order_number', tracking_number: 'R' } }),
    ];
    for (const answer of await Promise.all(calls)) accepted(answer);
    const after = await shop.orderWith(id);
    expect(after).toMatchObject({
      weight: 7,
      email_id: 'a@x.org',
      address: { city: 'Ulm' },
      order_analytics: { campaign: 'c' },
      state: 'partially_fulfilled',
    });
    expect(numbersOf(after).toSorted()).toEqual(['R', 'T-0', 'T-1', 'T-2', null].toSorted());
    expect(after.trackings[0]).toMatchObject({
      phase: 'in_delivery',
      products: [{ title: 'A' }],
      carrier: { tracking_number: 'T-0', tracking_url: 'https://x.org' },
    });
  });
});

/** Each request sets a field of its own. */
function fieldOf(i: number): Record<string, unknown> {
  const texts = [
    'order_name',
    'email_id',
    'external_customer_id',
    'order_status_url',
    'financial_status',
    'user_agent',
  ];
  const numbers = ['weight', 'total_order_price', 'shipping_price', 'sub_total_price', 'discount_price'];
  const text = texts[i];
  if (text) return { [text]: `https://x.org/${text}` };
  const number = numbers[i - texts.length];
  return number ? { [number]: i } : {};
}
