import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readArrivalModel } from '#domain/arrival/model-store.ts';
import { newOrderId, type Shipment } from '#domain/orders/model.ts';
import { orderItem, pack, type StoredItem, shipmentItem, toShipment } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { byId, record } from '#domain/orders/record-event.ts';
import { fulfilled, newShipment, type Report, reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { modelOfLane } from '#test/kit/arrival-models.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextOrderWrite, orderWrites, outgoingOf } from '#test/kit/order-writes.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

vi.mock('#domain/arrival/model-store.ts', () => ({ readArrivalModel: vi.fn() }));

const shop = { slug: 'blue', uuid: 'shop-blue' };
const placedAt = '2026-11-16T08:00:00.000Z';
const placed = newOrder(
  newOrderId(new Date(placedAt)),
  { order_number: '1', address: { country_code: 'DE', zip_code: '80331' } },
  new Date(placedAt),
);
const order = { ...placed, drafts: [], shipments: [1] };
const carrier = { tracking_number: 'T1', carrier_reference: 'dhl', tracking_url: null };
const parcel: Shipment = {
  ...fulfilled(newShipment(order, 1, 'merchant_customer', placedAt), { ...carrier, placed_at: placedAt }, placedAt),
  country: 'DE',
};
const lane = { carrier: 'dhl', country: 'DE' };

const knows = (days: number[]) => vi.mocked(readArrivalModel).mockResolvedValue(modelOfLane({ days }, '2026-11-17'));

beforeEach(() => {
  vi.mocked(readArrivalModel).mockReset();
  stored(parcel);
});

const stored = (shipment: Shipment) => tableWith(orderItem('blue', order, 1), shipmentItem('blue', shipment, 1));

/** In November 2026. */
const at = (time: string) => `2026-11-${time}:00.000Z`;

const report = (event_name: ShipmentEventName, time: string): Report => ({ event: { event_name, time: at(time) } });

const recorded = (reports: Report[], now: string, options: { notify?: boolean; completes?: boolean } = {}) =>
  record(shop, order.uuid, byId(parcel.uuid), reports, { notify: true, now: new Date(at(now)), ...options });

const scanned = (options = {}) => recorded([report('SHIPMENT_EN_ROUTE', '17T08:00')], '17T08:05', options);
const sorted = (now = '18T08:05', options = {}) => recorded([report('AT_SORTING_CENTER', '18T08:00')], now, options);

const inTable = () =>
  toShipment(memoryTable.read(keyOf.shipment('blue', order.uuid, parcel.uuid)) as unknown as StoredItem);

const sent = () => outgoingOf('blue', order.uuid).map(({ event_name }) => event_name);

describe('a report', () => {
  test('predicts when its parcel arrives, by what is known of its lane', async () => {
    knows([2]);
    const { shipment } = await scanned();
    expect(readArrivalModel).toHaveBeenCalledExactlyOnceWith('blue', lane, new Date(at('17T08:05')));
    expect(inTable()).toMatchObject({ area: '8', prediction: { since: '2026-11-17', window: '2-2', first: '2-2' } });
    expect(shipment.prediction).toEqual(inTable().prediction);
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE']);
  });

  test('that moves the window also sends an event that says so, in the same write, and is alone among what is new', async () => {
    knows([2]);
    await scanned();
    knows([5]);
    const { fresh, shipment } = await sorted();
    expect(fresh).toEqual([report('AT_SORTING_CENTER', '18T08:00')]);
    expect(shipment.events.at(-1)).toEqual({
      event_name: 'SHIPMENT_UPDATED_ETA',
      time: at('18T08:05'),
      predicted: true,
    });
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE', 'AT_SORTING_CENTER', 'SHIPMENT_UPDATED_ETA']);
    expect(orderWrites()).toHaveLength(2);
  });

  test('of several events at once predicts once, after the last', async () => {
    knows([2]);
    const reports = [report('OUT_FOR_DELIVERY', '19T06:00'), report('SHIPMENT_EN_ROUTE', '17T08:00')];
    await recorded(reports, '19T06:05');
    expect(readArrivalModel).toHaveBeenCalledOnce();
    expect(inTable().prediction).toMatchObject({ since: '2026-11-17', first: inTable().prediction!.window });
    expect(sent().toSorted()).toEqual(['OUT_FOR_DELIVERY', 'SHIPMENT_EN_ROUTE']);
  });

  test('that is known changes nothing, although time or the model would move the window', async () => {
    knows([2]);
    await scanned();
    const before = inTable();
    knows([5]);
    vi.mocked(readArrivalModel).mockClear();
    const { fresh } = await recorded([report('SHIPMENT_EN_ROUTE', '17T08:00')], '24T08:00');
    expect(fresh).toEqual([]);
    expect(inTable()).toEqual(before);
    expect(readArrivalModel).not.toHaveBeenCalled();
  });

  test('of which nobody is to be notified moves the window silently, and the next one tells of it', async () => {
    knows([2]);
    await scanned();
    knows([5]);
    await sorted('18T08:05', { notify: false });
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE']);
    expect(inTable()).toMatchObject({ prediction: { window: '6-6', told: '2-2' } });
    await recorded([report('SHIPMENT_EN_ROUTE', '18T09:00')], '18T09:05');
    expect(sent()).toContain('SHIPMENT_UPDATED_ETA');
  });
});

describe('a report that is written again', () => {
  test('because somebody else wrote first has one event about the window', async () => {
    knows([2]);
    await scanned();
    knows([5]);
    const conflict = Object.assign(new Error(), { name: 'ConditionalCheckFailedException' });
    dynamo.on(PutCommand).rejectsOnce(conflict);
    await sorted();
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE', 'AT_SORTING_CENTER', 'SHIPMENT_UPDATED_ETA']);
  });

  test('because its answer was lost is the same report', async () => {
    knows([2]);
    await scanned();
    knows([5]);
    beforeNextOrderWrite(() => {
      const [write] = orderWrites().at(-1)!;
      memoryTable.put(write!.Put!.Item!);
      throw Object.assign(new Error(), { name: 'ConditionalCheckFailedException', $metadata: { attempts: 2 } });
    });
    const { fresh, shipment } = await sorted();
    expect(fresh).toHaveLength(1);
    expect(shipment).toMatchObject({ prediction: { window: '6-6' } });
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE', 'AT_SORTING_CENTER', 'SHIPMENT_UPDATED_ETA']);
  });
});

describe('a report is recorded', () => {
  test('also if the model cannot be read, and the window stays as it is', async () => {
    knows([2]);
    await scanned();
    vi.mocked(readArrivalModel).mockRejectedValue(new Error('no'));
    const { fresh } = await sorted();
    expect(fresh).toHaveLength(1);
    expect(inTable()).toMatchObject({ prediction: { window: '2-2' } });
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE', 'AT_SORTING_CENTER']);
  });

  test('also if the model is not read within a second, and the window stays as it is', async () => {
    knows([2]);
    await scanned();
    vi.mocked(readArrivalModel).mockReturnValue(new Promise(() => {}));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const recording = sorted();
      await vi.waitUntil(() => vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(1000);
      expect((await recording).fresh).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
    expect(inTable()).toMatchObject({ prediction: { window: '2-2' } });
  });

  test('also if the lane became another one of which nothing can be read, and the window of the one before goes', async () => {
    knows([2]);
    await scanned();
    const moved = { ...order, address: { country_code: 'AT' } };
    tableWith(orderItem('blue', moved, 1), shipmentItem('blue', inTable(), 2));
    vi.mocked(readArrivalModel).mockRejectedValue(new Error('no'));
    await sorted();
    expect(inTable()).toMatchObject({ country: 'AT', prediction: { first: '2-2', told: '2-2' } });
    expect(inTable().prediction).not.toHaveProperty('window');
    expect(inTable()).not.toHaveProperty('area');
  });

  test('with the window of the lane that became its own', async () => {
    knows([2]);
    await scanned();
    const moved = { ...order, address: { country_code: 'AT' } };
    tableWith(orderItem('blue', moved, 1), shipmentItem('blue', inTable(), 2));
    knows([5]);
    await sorted();
    expect(inTable()).toMatchObject({ country: 'AT', prediction: { window: '6-6', first: '2-2' } });
    expect(sent()).toContain('SHIPMENT_UPDATED_ETA');
  });

  test('and a delay takes the window away until the next scan, which tells of another one', async () => {
    knows([2]);
    await scanned();
    await recorded([report('DELAY_IN_TRANSPORT', '18T08:00')], '18T08:05');
    expect(inTable().prediction).toEqual({ since: '2026-11-17', first: '2-2', told: '2-2', bands: expect.any(String) });
    knows([5]);
    await recorded([report('AT_SORTING_CENTER', '19T08:00')], '19T08:05');
    expect(inTable()).toMatchObject({ prediction: { window: '6-6' } });
    expect(sent()).toEqual(['SHIPMENT_EN_ROUTE', 'DELAY_IN_TRANSPORT', 'AT_SORTING_CENTER', 'SHIPMENT_UPDATED_ETA']);
  });

  test('also if its shipment has no place for a prediction', async () => {
    knows([2]);
    const text = randomBytes(400_000).toString('base64');
    const first = report('SHIPMENT_EN_ROUTE', '17T08:00');
    const filled = (length: number): Shipment => ({ ...parcel, area: '8', tracking_url: text.slice(0, length) });
    const fits = (length: number) => {
      try {
        return pack(reported(filled(length), first, at('17T08:05')).shipment).length > 0;
      } catch {
        return false;
      }
    };
    let [some, many] = [0, text.length];
    while (many - some > 1) {
      const half = Math.floor((some + many) / 2);
      [some, many] = fits(half) ? [half, many] : [some, half];
    }
    stored(filled(some));
    expect((await scanned()).fresh).toHaveLength(1);
    expect(inTable().events.at(-1)).toEqual(first.event);
    expect(inTable()).not.toHaveProperty('prediction');
  });

  test.each<[string, Partial<Shipment>, Report]>([
    ['of a delivery', {}, report('SUCCESSFULLY_DELIVERED', '17T08:00')],
    ['of a label', {}, report('PARCEL_DATA_SUBMITTED_TO_CARRIER', '17T08:00')],
    ['about a return', { direction: 'customer_merchant' }, report('SHIPMENT_EN_ROUTE', '17T08:00')],
    ['about a simulated parcel', { simulation_id: 'simulation' }, report('SHIPMENT_EN_ROUTE', '17T08:00')],
  ])('without asking what is known of the lane, %s', async (_, changes, one) => {
    stored({ ...parcel, ...changes });
    await recorded([one], '17T08:05');
    expect(readArrivalModel).not.toHaveBeenCalled();
    expect(inTable()).not.toHaveProperty('prediction');
  });

  test('and the window goes with the delivery, while what was first said stays', async () => {
    knows([2]);
    await scanned();
    await recorded([report('SUCCESSFULLY_DELIVERED', '19T10:00')], '19T10:05');
    expect(inTable().prediction).toEqual({ since: '2026-11-17', first: '2-2', bands: expect.any(String) });
  });
});
