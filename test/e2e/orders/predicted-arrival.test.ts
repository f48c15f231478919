import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import type { Tracking } from '#schemas/shapes/order-shapes.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { startReceiver } from '#test/e2e/kit/receiver.ts';
import { assembly, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { learnedItem } from '#test/kit/arrival-models.ts';

/** As if the shop had counted parcels that took two delivery days. */
async function learn({ clientConfig, outputs }: LocalStack, slug: string): Promise<void> {
  const client = new DynamoDBClient(clientConfig);
  const Item = learnedItem(slug, { days: [2] }, new Date()) as Record<string, unknown>;
  await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: outputs.TableName, Item }));
  client.destroy();
}

test('a parcel of a lane that is known has our window, in the answer and in payloads, and its move is told', async () => {
  await using receiver = await startReceiver();
  await using stack = await startInProcess(assembly, { ALLOW_LOCAL_TARGETS: 'true' });
  const api = clientOf(stack.url);
  const call = async (method: string, path: string, body?: object) =>
    api(method, `/v1/shops${path}`, { key: superAdmin, ...(body && { body }) });
  const shops = ['known', 'unknown'];
  for (const slug of shops) accepted(await call('POST', '', { name: slug, slug }));
  await learn(stack, 'known');
  const order = { order_number: '1', address: { country_code: 'DE', zip_code: '80331' } };
  const trackings = [{ tracking_number: 'T1', carrier_reference: 'dhl' }];
  for (const slug of shops) accepted(await call('PUT', `/${slug}/orders`, { id: '1', order, trackings }));
  accepted(await call('POST', '/known/webhooks', { url: receiver.url }));
  const parcelOf = async (slug: string): Promise<Tracking> =>
    accepted(await call('GET', `/${slug}/orders?order_number=1`))[0].trackings[0];
  const report = (slug: string, event_name: string, event_time = new Date().toISOString()) =>
    call('POST', `/${slug}/shipment-events?notify=true`, { id: 'T1', event_name, event_time });
  const payload = async () => JSON.parse((await receiver.next()).body);
  const shownIn = ({ context }: { context: { shipments: Tracking[] } }) => context.shipments[0]!.estimated_arrival;

  expect((await parcelOf('known')).estimated_arrival).toBeNull();
  for (const slug of shops) accepted(await report(slug, 'SHIPMENT_EN_ROUTE'));
  expect((await parcelOf('unknown')).estimated_arrival).toBeNull();
  const { estimated_arrival: first } = await parcelOf('known');
  expect(first).toEqual({
    from: expect.stringMatching(/T00:00:00\+0[12]:00$/),
    to: expect.stringMatching(/T23:59:59\+0[12]:00$/),
    time_prediction: expect.stringMatching(/\d{4}$/),
    language: 'en',
    source: 'prediction',
  });
  expect(Date.parse(first!.to!)).toBeGreaterThan(Date.now());
  const scanned = await payload();
  expect(scanned.event_data).toMatchObject({
    event_name: 'SHIPMENT_EN_ROUTE',
    expected_delivery_date: first!.to!.slice(0, 10).split('-').toReversed().join('.'),
  });
  expect(shownIn(scanned)).toEqual(first);

  const attempted = new Date().toISOString();
  const { events } = accepted(await report('known', 'DELIVERY_ATTEMPTED', attempted));
  const names = events.map(({ event_key }: { event_key: string }) => event_key);
  expect(names).toEqual(['ORDER_PROCESSED', 'SHIPMENT_EN_ROUTE', 'DELIVERY_ATTEMPTED', 'SHIPMENT_UPDATED_ETA']);
  const moved = await parcelOf('known');
  expect(moved).toMatchObject({ phase: 'delivery_failed', estimated_arrival: { source: 'prediction' } });
  expect(moved.estimated_arrival).not.toEqual(first);
  const told = await payload();
  expect(told).toMatchObject({ ref: 'shipments/delivery_failed/DELIVERY_ATTEMPTED' });
  expect(shownIn(told)).toEqual(moved.estimated_arrival);
  const timeline = accepted(await call('GET', `/known/orders/${moved.order_id}/timeline`));
  const remark = { ref: 'shipments/in_transit/SHIPMENT_UPDATED_ETA', reason: 'no_group' };
  expect(timeline).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ not_sent: remark }) }));

  expectError(await report('known', 'DELIVERY_ATTEMPTED', attempted), 409, 'shipment_event_exists');
  accepted(await report('known', 'SUCCESSFULLY_DELIVERED'));
  expect((await parcelOf('known')).estimated_arrival).toBeNull();
  // A remark has no notification, so the payload after the attempt is that of the delivery.
  expect(await payload()).toMatchObject({ ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED' });
}, 120_000);
