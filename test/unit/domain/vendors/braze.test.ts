import { beforeEach, describe, expect, test } from 'vitest';
import { brazeKey, FakeBraze } from '#test/kit/vendors/braze.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { talkTo, usualAnswers } from './talk.ts';

let vendor: FakeBraze;
beforeEach(() => {
  vendor = new FakeBraze();
});

const talk = () => talkTo({ vendor, name: 'braze', credential: { api_key: brazeKey } });

test('several events go in one request, each by the customer id or else by the e-mail address', async () => {
  const { send } = await talk();
  const results = await send(sampleDelivery('d-1'), sampleDelivery('d-2', { customer: { external_id: null } }));
  expect(results.map(({ status, error }) => [status, error])).toEqual([
    [201, undefined],
    [201, undefined],
  ]);
  expect(vendor.requests).toHaveLength(1);
  const name = 'shipment_in_transit';
  const time = '2026-11-14T12:00:00.000Z';
  expect(vendor.events).toMatchObject([
    { external_id: 'c-1', name, time, properties: { event_id: 'd-1', tracking_number: 'TEST0000000001' } },
    { email: 'customer@example.com', name, time, properties: { event_id: 'd-2' } },
  ]);
  expect(vendor.events[0]).not.toHaveProperty('email');
});

test('one wrong event of a request is refused, and the others are accepted', async () => {
  const { send } = await talk();
  const blocked = sampleDelivery('d-2', { customer: { external_id: 'blocked' } });
  const results = await send(sampleDelivery('d-1'), blocked, sampleDelivery('d-3'));
  expect(results).toMatchObject([
    { status: 201 },
    { status: 201, error: 'event_refused', isFinal: true },
    { status: 201 },
  ]);
  expect(results[0]).not.toHaveProperty('error');
  expect(vendor.events).toHaveLength(2);
});

test('if a request is refused as a whole, each event is sent for itself', async () => {
  const { send } = await talk();
  const bad = sampleDelivery('d-2');
  bad.payload.triggered_at = 'yesterday';
  const results = await send(sampleDelivery('d-1'), bad, sampleDelivery('d-3'));
  expect(results.map(({ status, error, isFinal }) => [status, error, isFinal])).toEqual([
    [201, undefined, undefined],
    [400, 'http_400', true],
    [201, undefined, undefined],
  ]);
  expect(vendor.requests).toHaveLength(4);
});

test('if one of them then gets no answer, the others keep their results', async () => {
  const { send } = await talk();
  vendor.meet({ status: 400 }, { status: 201, body: { message: 'success' } }, 'hangs');
  const results = await send(sampleDelivery('d-1'), sampleDelivery('d-2'), sampleDelivery('d-3'));
  expect(results.map(({ error }) => error)).toEqual([undefined, 'timeout', undefined]);
});

test('a long text is shortened, because the vendor takes 255 characters', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d', { event: { pick_up_address: 'x'.repeat(400) } }));
  expect(vendor.events).toMatchObject([{ properties: { pick_up_address: 'x'.repeat(255) } }]);
});

test('an order with neither an e-mail address nor a customer id has no profile', async () => {
  const { skipReason } = await talk();
  const customer = { email: null, external_id: null };
  expect(skipReason(sampleDelivery('d', { customer }))).toBe('no_email_and_no_customer_id');
});

describe('an answer', () => {
  test.each(usualAnswers)('reads right: %s', async (_, trouble, result) => {
    const { send } = await talk();
    vendor.meet(trouble);
    expect(await send(sampleDelivery('d-1'), sampleDelivery('d-2'))).toEqual([result, result]);
  });
});
