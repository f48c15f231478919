import { beforeEach, describe, expect, test } from 'vitest';
import { FakeKlaviyo, klaviyoKey } from '#test/kit/vendors/klaviyo.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { talkTo, usualAnswers } from './talk.ts';

let vendor: FakeKlaviyo;
beforeEach(() => {
  vendor = new FakeKlaviyo();
});

const credential = { api_key: klaviyoKey };
const talk = (more: object = {}) => talkTo({ vendor, name: 'klaviyo', credential, ...more });
const recorded = () => [...vendor.events.values()];

test('an event is recorded for the profile of the customer, with its facts and without personal data', async () => {
  const { send } = await talk();
  expect(await send(sampleDelivery('d-1'))).toEqual([{ status: 202 }]);
  expect(recorded()).toEqual([
    {
      unique_id: 'd-1',
      time: '2026-11-14T12:00:00.000Z',
      value: 49.9,
      value_currency: 'EUR',
      metric: { data: { type: 'metric', attributes: { name: 'shipment_in_transit' } } },
      profile: { data: { type: 'profile', attributes: { external_id: 'c-1', email: 'customer@example.com' } } },
      properties: {
        ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
        event_group: 'shipment_in_transit',
        event_name: 'SHIPMENT_EN_ROUTE',
        phase: 'in_transit',
        shipment_id: expect.any(String),
        tracking_number: 'TEST0000000001',
        order_number: 'TEST-1001',
        order_name: '#TEST-1001',
        expected_delivery_date: '15.11.2026',
        external_order_id: '4711',
        total_order_value: 49.9,
        order_currency: 'EUR',
        number_of_shipments: 1,
      },
    },
  ]);
  expect(vendor.requests[0]!.text).not.toMatch(/Alex|Example Street|10115|Berlin/);
});

test('an event that is sent twice is recorded once', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d-1'));
  expect(await send(sampleDelivery('d-1'))).toEqual([{ status: 202 }]);
  expect(recorded()).toHaveLength(1);
});

test('the deployment can give the events of a group another name', async () => {
  const { send } = await talk({ target: { events: { shipment_in_transit: 'Parcel on its way', '*': 'Parcel' } } });
  await send(sampleDelivery('d-1'));
  await send(sampleDelivery('d-2', { group: 'shipment_delivered' }));
  expect([...vendor.events.keys()]).toEqual(['Parcel on its way,c-1,d-1', 'Parcel,c-1,d-2']);
});

test('an event of an automation without a group is named after the event', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d-1', { group: null }));
  expect([...vendor.events.keys()]).toEqual(['shipment_en_route,c-1,d-1']);
});

test('an order with neither an e-mail address nor a customer id has no profile', async () => {
  const { skipReason } = await talk();
  expect(skipReason(sampleDelivery('d', { customer: { email: null, external_id: null } }))).toBe(
    'no_email_and_no_customer_id',
  );
  expect(skipReason(sampleDelivery('d', { customer: { email: null } }))).toBeUndefined();
  expect(skipReason(sampleDelivery('d', { customer: { external_id: null } }))).toBeUndefined();
});

test('an answer that names the profile is final', async () => {
  const { send } = await talk();
  expect(await send(sampleDelivery('d', { customer: { email: 'no address' } }))).toMatchObject([
    { status: 400, error: 'profile_refused', isFinal: true, response: expect.stringContaining('bad e-mail') },
  ]);
});

test('an answer that repeats the key does not show it', async () => {
  const { send } = await talk({ credential: { api_key: 'pk_another-key-of-16' } });
  const [result] = await send(sampleDelivery('d'));
  expect(result).toMatchObject({ status: 401, response: expect.stringContaining('no such key: Klaviyo-API-Key ***') });
  expect(JSON.stringify(result)).not.toContain('pk_another-key-of-16');
});

describe('an answer', () => {
  test.each(usualAnswers)('reads right: %s', async (_, trouble, result) => {
    const { send } = await talk();
    vendor.meet(trouble);
    expect(await send(sampleDelivery('d'))).toEqual([result]);
  });
});
