import { describe, expect, test } from 'vitest';
import { mappingRulesOf, withMappings } from '#domain/shop-systems/mapping-rules.ts';
import { shopSystems } from '#schemas/catalogues/shop-webhooks.ts';
import { shopOrder } from '#test/kit/shop-payloads.ts';

const rule = (type: string, key: string, target: string) => ({ source: { type, key }, target });
const note = (key: string, target: string) => rule('note_attribute', key, target);
const field = (key: string, target: string) => rule('field', key, target);

describe('a mapping rule', () => {
  test.each([
    ['a note attribute to a field', note('marketplace', 'order_name'), { order_name: 'M-77' }],
    ['a note that is no text', note('gift', 'financial_status'), { financial_status: 'true' }],
    ['a field to a field', field('name', 'external_customer_id'), { external_customer_id: '#1001' }],
    ['a field within another', field('customer.id', 'external_customer_id'), { external_customer_id: '207119551' }],
    ['an entry of a list', field('line_items.0.sku', 'order_name'), { order_name: 'IPOD2008GREEN' }],
    ['a number to a number', field('total_price', 'weight'), { weight: 409.94 }],
    ['a list of tags', field('customer.tags', 'segments'), { segments: ['vip', 'newsletter'] }],
    ['a part of the address', note('marketplace', 'address.company'), { address: { company: 'M-77' } }],
    [
      'a target that no order has to a note that is passed on',
      note('marketplace', 'marketplace_order_number'),
      { order_analytics: { note_attributes: [{ name: 'marketplace_order_number', value: 'M-77' }] } },
    ],
    ['a missing note to nothing', note('nowhere', 'order_name'), {}],
    ['a missing field to nothing', field('customer.nowhere.deep', 'order_name'), {}],
    ['an inherited property to nothing', field('constructor.name', 'order_name'), {}],
    ['an object to nothing', field('customer', 'order_name'), {}],
    ['an empty text to nothing', field('shipping_address.address2', 'order_name'), {}],
    ['a text to no number', field('email', 'weight'), {}],
  ])('maps %s', (_, one, expected) => {
    expect(withMappings({}, shopOrder(), [one])).toEqual(expected);
  });

  test('does not rename the order: its number and its external id are only passed on', () => {
    const { order_number, external_id } = withMappings({ order_number: '1' }, shopOrder(), [
      note('marketplace', 'order_number'),
      note('marketplace', 'external_id'),
    ]);
    expect([order_number, external_id]).toEqual(['1', undefined]);
  });

  test('works on the result of the rules before it and keeps the other notes', () => {
    const order = { order_analytics: { note_attributes: [{ name: 'a', value: '1' }] } };
    const rules = [note('marketplace', 'a'), field('name', 'a'), field('email', 'b')];
    expect(withMappings(order, shopOrder(), rules).order_analytics?.note_attributes).toEqual([
      { name: 'b', value: 'bob.norman@mail.example.com' },
      { name: 'a', value: '#1001' },
    ]);
  });

  test('cuts its value to the length that its target takes', () => {
    const mapped = withMappings({}, { a: `${'x'.repeat(254)}\u{1f600}` }, [field('a', 'order_name')]);
    expect(mapped.order_name).toBe('x'.repeat(254));
  });
});

describe('a source of shop_system_2', () => {
  const payload = {
    customFields: { color: 'red', empty: '', none: null, pk: 0 },
    orderCustomer: { customFields: { color: 'blue', club: 'gold', empty: 'of the customer' } },
  };
  const custom = (key: string) => withMappings({}, payload, [rule('custom_field', key, 'order_name')]).order_name;

  test.each([
    ['of the order', 'color', 'red'],
    ['of its customer, if the order has none', 'club', 'gold'],
    ['of its customer, if that of the order is empty', 'empty', 'of the customer'],
    ['that is a number', 'pk', '0'],
  ])('is a custom field %s', (_, key, value) => {
    expect(custom(key)).toBe(value);
  });

  test.each(['none', 'nowhere', 'constructor', 'toString'])('is nothing without a custom field %s', (key) => {
    expect(custom(key)).toBeUndefined();
  });

  test.each([[[]], ['text'], [null], [undefined]])('is nothing if the custom fields are %j', (customFields) => {
    expect(withMappings({}, { customFields }, [rule('custom_field', '0', 'order_name')])).toEqual({});
  });
});

describe('a source of shop_system_3', () => {
  const payload = {
    billing: { company: 'ACME' },
    meta_data: [
      { id: 1, key: 'empty', value: '' },
      { id: 2, key: 'twice', value: '' },
      { id: 3, key: 'twice', value: 'second' },
      { id: 4, key: '_hidden', value: 'H' },
      { id: 5, key: 'whole', value: { a: 1 } },
      null,
    ],
  };
  const mapped = (type: string, key: string) => withMappings({}, payload, [rule(type, key, 'order_name')]).order_name;

  test.each([
    ['twice', 'second'],
    ['_hidden', 'H'],
    ['empty', undefined],
    ['whole', undefined],
    ['nowhere', undefined],
  ])('is the meta data %s', (key, value) => {
    expect(mapped('meta_data', key)).toBe(value);
  });

  test('is also any field of the order', () => {
    expect(mapped('field', 'billing.company')).toBe('ACME');
  });
});

describe('the rules of a shop', () => {
  test.each(shopSystems)('are those for orders of its system, %s', (system) => {
    const rules = [note('marketplace', system)];
    const others = Object.fromEntries(shopSystems.map((one) => [`${one}.order`, [note('a', 'b')]]));
    const data = { ...others, [`${system}.order`]: rules };
    expect(mappingRulesOf({ mappings: { version: 1, data } }, system)).toEqual(rules);
  });

  test.each([{}, { mappings: { version: 1, data: {} } }])('are empty in the settings %j', (settings) => {
    expect(mappingRulesOf(settings, 'shop_system_2')).toEqual([]);
  });
});
