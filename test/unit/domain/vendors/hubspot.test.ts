import { beforeEach, describe, expect, test } from 'vitest';
import { FakeHubspot, hubspotToken } from '#test/kit/vendors/hubspot.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { talkTo, usualAnswers } from './talk.ts';

let vendor: FakeHubspot;
beforeEach(() => {
  vendor = new FakeHubspot(['pe1234567_shipment_in_transit', 'parcel_event']);
});

const extras = { portal_id: '1234567' };
const talk = (more: object = { extras }) =>
  talkTo({ vendor, name: 'hubspot', credential: { api_key: hubspotToken }, ...more });

test('an event is an occurrence of the event that the portal of the shop defines for the group', async () => {
  const { send } = await talk();
  expect(await send(sampleDelivery('d-1'))).toEqual([{ status: 204 }]);
  expect(vendor.occurrences.get('d-1')).toMatchObject({
    eventName: 'pe1234567_shipment_in_transit',
    email: 'customer@example.com',
    occurredAt: '2026-11-14T12:00:00.000Z',
    properties: { tracking_number: 'TEST0000000001', total_order_value: '49.9', number_of_shipments: '1' },
  });
});

test('an event that is sent twice is recorded once, and both are a success', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d-1'));
  const [second] = await send(sampleDelivery('d-1'));
  expect(second).toMatchObject({ status: 409 });
  expect(second).not.toHaveProperty('error');
  expect(vendor.occurrences.size).toBe(1);
});

test('texts that are too long are shortened, and addresses that are too long are left out', async () => {
  const { send } = await talk();
  const event = { tracking_url: `https://example.com/${'x'.repeat(300)}`, pick_up_address: 'y'.repeat(300) };
  expect(await send(sampleDelivery('d', { event }))).toEqual([{ status: 204 }]);
  const { properties } = vendor.occurrences.get('d') as { properties: Record<string, string> };
  expect(properties.pick_up_address).toBe('y'.repeat(256));
  expect(properties).not.toHaveProperty('tracking_url');
});

test('an event that the merchant has not defined yet is worth another attempt', async () => {
  const { send } = await talk();
  expect(await send(sampleDelivery('d', { group: 'shipment_delivered' }))).toMatchObject([
    { status: 400, error: 'event_not_defined', isTargetUp: true },
  ]);
});

test('the vendor needs an e-mail address, and a portal or a name for the event', async () => {
  const skipped = (await talk()).skipReason(sampleDelivery('d', { customer: { email: null } }));
  expect(skipped).toBe('no_email');
  expect((await talk({})).skipReason(sampleDelivery('d'))).toBe('no_portal_id');
  const named = await talk({ target: { events: { '*': 'parcel_event' } } });
  expect(named.skipReason(sampleDelivery('d'))).toBeUndefined();
  expect(await named.send(sampleDelivery('d'))).toEqual([{ status: 204 }]);
});

describe('an answer', () => {
  test.each(usualAnswers)('reads right: %s', async (_, trouble, result) => {
    const { send } = await talk();
    vendor.meet(trouble);
    expect(await send(sampleDelivery('d'))).toEqual([result]);
  });
});
