import { expect, test } from 'vitest';
import { factsOf, groupOf, profileOf } from '#domain/vendors/event-facts.ts';
import { samplePayload } from '#test/kit/vendors/sample-events.ts';

test('no vendor gets names, addresses, texts or pictures of a customer', () => {
  const personal = {
    customer_first_name: 'Alex',
    customer_last_name: 'Example',
    customer_country: 'Germany',
    shipping_address: 'Example Street 1, 10115 Berlin',
    zip_code: '10115',
    neighbour_name: 'Mrs Miller',
    external_customer_id: 'c-1',
    description: 'My parcel is wet',
    customer_signature_image_url: 'https://images/signature',
    image_urls: ['https://images/1'],
    optional_image_urls: ['https://images/2'],
    selected_items: ['sku'],
  };
  const facts = factsOf(samplePayload({ event: personal }));
  for (const name of Object.keys(personal)) expect(facts).not.toHaveProperty(name);
  expect(JSON.stringify(facts)).not.toMatch(/Alex|Example Street|10115|Miller|wet|images|customer@/);
});

test.each([
  ['https://shop.example/orders/1', 'https://shop.example/orders/1'],
  ['//shop.example/orders/1', 'https://shop.example/orders/1'],
  ['mailto:help@shop.example', 'mailto:help@shop.example'],
  ['/orders/1', undefined],
  ['ftp://shop.example/1', undefined],
  ['javascript:alert(1)', undefined],
  [null, undefined],
])('the link %j, of which a template makes a link, is %j', (given, shown) => {
  const facts = factsOf(samplePayload({ event: { order_status_url: given, tracking_url: given } }));
  expect([facts.order_status_url, facts.tracking_url]).toEqual([shown, shown]);
});

test('the facts of a claim name its order, and leave out what is unknown', () => {
  const payload = samplePayload({ source: 'claims', ref: 'claims/created', group: 'claim_created' });
  const event_data = {
    claim_id: 'cl-1',
    event_name: 'created',
    status: 'pending',
    reason: 'damage',
    resolution_preference: null,
  };
  expect(factsOf({ ...payload, event_data })).toEqual({
    ref: 'claims/created',
    event_group: 'claim_created',
    claim_id: 'cl-1',
    event_name: 'created',
    status: 'pending',
    reason: 'damage',
    order_number: 'TEST-1001',
  });
});

test('an internal trigger is named, and several tracking numbers stay a list', () => {
  const event = { internal_trigger: { id: 't-1', name: 'Stuck' }, other_tracking_numbers: ['A', 'B'] };
  expect(factsOf(samplePayload({ event }))).toMatchObject({
    internal_trigger: 'Stuck',
    other_tracking_numbers: ['A', 'B'],
  });
});

test('a profile has what is known of the customer, and an event without a group its own name', () => {
  expect(profileOf(samplePayload({ customer: { external_id: '', email: 'a@b.c' } }))).toEqual({ email: 'a@b.c' });
  expect(groupOf(samplePayload({ group: null }))).toBe('shipment_en_route');
});
