import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as pages } from '#api/pages/handler.ts';
import { eraseClaims } from '#domain/claims/erase-claims.ts';
import { eraseOrder, eraseOutbox } from '#domain/orders/erase-order.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { record } from '#domain/orders/record-event.ts';
import { erasePage } from '#domain/pages/erase-page.ts';
import { unpackText } from '#platform/table/packed-text.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, beforeNextRequest, operator, shopItem, tableWith } from '#test/kit/table.ts';

const shop = shopItem('blue');
const erasure = { at: '2026-11-20T10:00:00.000Z', by: 'key-1' };

const call = (handler: typeof orders, method: string, resource: string, more: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${resource}`,
    params: { slug: 'blue' },
    headers: asOperator,
    ...more,
  });

const address = {
  name: 'Wordname Erika',
  city: 'Wordcity',
  zip_code: 'WORDZIP',
  phone: '+49 WORDPHONE',
  country_code: 'DE',
};
const personalOrder = {
  email_id: 'wordmail@example.com',
  external_customer_id: 'WORDCUSTOMER',
  address,
  segments: ['wordsegment'],
  user_agent: 'wordagent',
  order_status_url: 'https://shop.example/wordstatus',
  order_analytics: { source: 'wordsource', note_attributes: [{ name: 'wordnote', value: 'wordvalue' }] },
};

let order: { uuid: string; tracking_page_url: string; trackings: { uuid: string }[] };
let claim: { uuid: string };

const ownOrder = async () => (await call(orders, 'GET', '/orders', { query: { order_number: '1001' } })).body[0];

/** Every text of the table in lower case, unpacked, with the names of the items. */
const textOf = () =>
  memoryTable
    .all()
    .map((item) =>
      Object.values(item)
        .map((value) => (value instanceof Uint8Array ? unpackText(value).toString() : JSON.stringify(value)))
        .join(' '),
    )
    .join('\n')
    .toLowerCase();

async function eraseAll(more: object = {}) {
  const images: string[] = [];
  const found = (await eraseOrder(shop, order.uuid, { ...erasure, ...more }))!;
  const removeImages = async (urls: readonly string[]) => {
    images.push(...urls);
  };
  const ofClaims = await eraseClaims(shop, found.after, { ...erasure, ...more }, removeImages);
  const ofOutbox = await eraseOutbox(shop, order.uuid, { ...erasure, ...more });
  const ofPage = await erasePage(found.after.order, { ...erasure, ...more }, removeImages);
  return { images, counted: { ...found.counted, ...ofClaims, ...ofOutbox, ...ofPage } };
}

afterEach(() => vi.useRealTimers());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-19T10:00:00.000Z') });
  tableWith(operator.item, shop);
  const body = {
    id: '1001',
    order: { ...personalOrder, products: [{ title: 'Lamp', quantity: 1, price: 20 }], total_order_price: 20 },
    trackings: [{ tracking_number: 'T-1' }],
  };
  expect((await call(orders, 'PUT', '/orders', { body })).status).toBe(200);
  order = await ownOrder();
  const event = {
    event_name: 'SHIPMENT_EN_ROUTE',
    location: { city: 'wordplace' },
    pickup: { name: 'wordkiosk', type: 'locker' },
  };
  const params = { slug: 'blue', shipment_id: order.trackings[0]!.uuid };
  expect((await call(events, 'POST', '/shipments/{shipment_id}/events', { params, body: event })).status).toBe(200);
  const complaint = {
    tracking_number: 'T-1',
    reason: 'damage',
    description: 'worddamage',
    image_urls: ['https://images.example/wordimage'],
    customer_signature_image_url: 'https://images.example/wordsign',
  };
  claim = (await call(claims, 'POST', '/claims', { body: complaint })).body;
  const update = { status: 'accepted', description: 'wordlater', comment: 'wordcomment' };
  const ofClaim = { slug: 'blue', uuid: claim.uuid };
  expect((await call(claims, 'PUT', '/claims/{uuid}', { params: ofClaim, body: update })).status).toBe(200);
});

describe('an erasure', () => {
  test('leaves no word of the customer in any item, and closes the page', async () => {
    expect(textOf()).toContain('word');
    const { images } = await eraseAll();
    expect(textOf()).not.toContain('word');
    expect(images.toSorted()).toEqual(['https://images.example/wordimage', 'https://images.example/wordsign']);
    const token = order.tracking_page_url.split('/').at(-1)!;
    expect((await invoke(pages, { method: 'GET', resource: '/t/{token}', params: { token } })).status).toBe(404);
  });

  test('keeps numbers, products, amounts, phases and times, and says when and by whom', async () => {
    const before = await ownOrder();
    await eraseAll();
    const after = await ownOrder();
    const { order_number, products, total_order_price, state } = before;
    expect(after).toMatchObject({ order_number, products, total_order_price, state });
    expect(after).toMatchObject({ erased_at: erasure.at, tracking_page_url: null });
    expect(after.trackings[0]).toMatchObject({ phase: 'in_transit', pickup: { type: 'locker' } });
    const params = { slug: 'blue', order_id: order.uuid };
    const timeline = await call(orders, 'GET', '/orders/{order_id}/timeline', { params });
    expect(timeline.body).toContainEqual(
      expect.objectContaining({
        at: erasure.at,
        title: 'Personal data was erased',
        data: { order_number, erased_by: 'key-1' },
      }),
    );
  });

  test('can be repeated', async () => {
    await eraseAll();
    const text = textOf();
    await eraseAll();
    expect(textOf().replaceAll(/"version":\d+|\d+/g, '')).toBe(text.replaceAll(/"version":\d+|\d+/g, ''));
  });

  test('that is a dry run counts and changes nothing', async () => {
    const before = JSON.stringify([...memoryTable.wireItems()]);
    const { counted } = await eraseAll({ dryRun: true });
    expect(JSON.stringify([...memoryTable.wireItems()])).toBe(before);
    expect(counted).toMatchObject({ orders: { found: 2, erased: 2 }, claims: { found: 3, erased: 2, kept: 1 } });
  });
});

describe('who read the order before its erasure and writes after it', () => {
  /** Erases, and takes the table back. @returns brings the erased state again */
  async function erasedMeanwhile(): Promise<() => void> {
    const before = memoryTable.wireItems();
    await eraseAll();
    const after = memoryTable.wireItems();
    for (const item of before.values()) memoryTable.putWire(item);
    return () => {
      for (const item of after.values()) memoryTable.putWire(item);
      for (const [name, { pk, sk }] of before) if (!after.has(name)) memoryTable.remove({ pk: pk!.S!, sk: sk!.S! });
    };
  }

  test('records an event of a parcel without announcing what was erased', async () => {
    const erase = await erasedMeanwhile();
    let isFirst = true;
    const event = {
      event_name: 'IN_DELIVERY' as const,
      time: '2026-11-21T10:00:00.000Z',
      location: { city: 'wordplace' },
    };
    const choose = ({ shipments }: { shipments: Shipment[] }) => {
      if (isFirst) erase();
      isFirst = false;
      return shipments[0];
    };
    await record(shop, order.uuid, choose, [{ event }], { notify: true, now: new Date('2026-11-21T10:00:01Z') });
    expect((await ownOrder()).trackings[0].phase).toBe('in_delivery');
    expect(textOf()).not.toContain('word');
  });

  test('makes no claim with a text', async () => {
    const erase = await erasedMeanwhile();
    beforeNextRequest(TransactWriteCommand, erase);
    const body = { tracking_number: 'T-1', reason: 'damage', description: 'worddamage' };
    expect(await call(claims, 'POST', '/claims', { body })).toMatchObject({
      status: 409,
      body: { key: 'order_erased' },
    });
    expect(textOf()).not.toContain('word');
  });

  test('changes a claim without its text', async () => {
    const erase = await erasedMeanwhile();
    beforeNextRequest(TransactWriteCommand, erase);
    const params = { slug: 'blue', uuid: claim.uuid };
    expect(
      (await call(claims, 'PUT', '/claims/{uuid}', { params, body: { resolution_preference: 'refund' } })).status,
    ).toBe(200);
    expect(textOf()).not.toContain('word');
  });
});

describe('an erased order', () => {
  beforeEach(async () => {
    await eraseAll();
  });

  const refused = { status: 409, body: { key: 'order_erased', errors: [] } };

  test('refuses what would bring personal data back, and changes nothing', async () => {
    const before = JSON.stringify([...memoryTable.wireItems()]);
    const ofOrder = { slug: 'blue', order_id: order.uuid };
    const ofShipment = { ...ofOrder, shipment_id: order.trackings[0]!.uuid };
    const upsert = { id: '1001', order: { email_id: 'wordmail@example.com' }, trackings: [] };
    expect(await call(orders, 'PUT', '/orders', { body: upsert })).toMatchObject(refused);
    const params = { params: ofOrder, body: { address } };
    expect(await call(orders, 'PATCH', '/orders/{order_id}', params)).toMatchObject(refused);
    expect(await call(orders, 'PUT', '/orders/analytics', { body: { id: '1001', campaign: 'x' } })).toMatchObject(
      refused,
    );
    const link = { params: ofShipment, body: { tracking_url: 'https://carrier.example/?zip=WORDZIP' } };
    expect(await call(orders, 'PATCH', '/orders/{order_id}/shipments/{shipment_id}', link)).toMatchObject(refused);
    const event = { event_name: 'IN_DELIVERY', location: { city: 'wordplace' } };
    const report = { params: ofShipment, body: event };
    expect(await call(events, 'POST', '/shipments/{shipment_id}/events', report)).toMatchObject(refused);
    const complaint = { tracking_number: 'T-1', reason: 'damage', description: 'worddamage' };
    expect(await call(claims, 'POST', '/claims', { body: complaint })).toMatchObject(refused);
    const change = { params: { slug: 'blue', uuid: claim.uuid }, body: { comment: 'wordcomment' } };
    expect(await call(claims, 'PUT', '/claims/{uuid}', change)).toMatchObject(refused);
    expect(JSON.stringify([...memoryTable.wireItems()])).toBe(before);
  });

  test('takes other changes', async () => {
    const upsert = { id: '1001', order: { financial_status: 'paid' }, trackings: [{ tracking_number: 'T-2' }] };
    expect((await call(orders, 'PUT', '/orders', { body: upsert })).status).toBe(200);
    const complaint = { tracking_number: 'T-1', reason: 'damage' };
    expect((await call(claims, 'POST', '/claims', { body: complaint })).status).toBe(200);
    expect((await ownOrder()).trackings).toHaveLength(2);
    expect(memoryTable.all('PAGE#')).toEqual([]);
  });

  test('records the events of a carrier without what is personal', async () => {
    const [tracking] = order.trackings;
    const event = {
      event_name: 'IN_DELIVERY' as const,
      time: '2026-11-21T10:00:00.000Z',
      location: { city: 'wordplace' },
    };
    await record(
      shop,
      order.uuid,
      ({ shipments }) => shipments.find(({ uuid }) => uuid === tracking!.uuid),
      [{ event, pickup: { name: 'wordkiosk' } }],
      { notify: true, now: new Date('2026-11-21T10:00:01Z'), completes: true },
    );
    expect((await ownOrder()).trackings[0].phase).toBe('in_delivery');
    expect(textOf()).not.toContain('word');
  });
});
