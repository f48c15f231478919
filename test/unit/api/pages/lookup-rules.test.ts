import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerAt, isComplete, isCustomerOf, numbersOf, readLookup } from '#api/pages/lookup-rules.ts';

describe('the form', () => {
  test('is read without the spaces around its texts', () => {
    const fields = { order_number: [' 1001 ', 'x'], email_or_postcode: '\tada@example.com\n' };
    expect(readLookup(fields)).toEqual({ order_number: '1001', email_or_postcode: 'ada@example.com' });
  });

  test('is complete with both texts', () => {
    const complete = { order_number: '1001', email_or_postcode: '10115' };
    expect(isComplete(complete)).toBe(true);
    expect(isComplete({ ...complete, order_number: '' })).toBe(false);
    expect(isComplete({ ...complete, order_number: '#' })).toBe(false);
    expect(isComplete({ ...complete, email_or_postcode: '' })).toBe(false);
  });

  test('has no text where a file was sent', () => {
    const fields = { order_number: new Uint8Array(3), email_or_postcode: [] };
    expect(readLookup(fields)).toEqual({ order_number: '', email_or_postcode: '' });
  });
});

describe('the number of an order', () => {
  test('is looked for with and without #, first as it was typed', () => {
    expect(numbersOf('1001')).toEqual(['1001', '#1001']);
    expect(numbersOf('#1001')).toEqual(['#1001', '1001']);
    expect(numbersOf('# 1001')).toEqual(['#1001', '1001']);
  });

  test('is always looked for in two ways, which fit into a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 3000 }), (typed) => {
        const [a, b] = numbersOf(typed);
        expect(a).not.toBe(b);
        for (const number of [a, b]) expect(Buffer.byteLength(number)).toBeLessThan(1100);
      }),
    );
  });
});

describe('the customer of an order', () => {
  const order = { email_id: 'Ada@Example.com ', address: { zip_code: 'sw1a 1aa' } };

  test('is who knows the e-mail address or the postcode, however it is written', () => {
    for (const known of ['ada@example.com', ' ADA@example.com', 'SW1A1AA', 'sw1a 1aa', ' S W1A 1AA'])
      expect(isCustomerOf(order, known)).toBe(true);
  });

  test('is nobody else', () => {
    for (const wrong of ['ada@example.co', 'SW1A1AB', 'undefined', '', ' ']) {
      expect(isCustomerOf(order, wrong)).toBe(false);
      expect(isCustomerOf({}, wrong)).toBe(false);
      expect(isCustomerOf(undefined, wrong)).toBe(false);
    }
  });
});

describe('a try that finds nothing', () => {
  test('is answered at the same time, however long its reads take', () => {
    for (const took of [0, 1, 100, 249, 250]) expect(answerAt(1000, 1000 + took)).toBe(1250);
  });

  test('is answered a whole step later if its reads take longer', () => {
    expect(answerAt(1000, 1251)).toBe(1500);
  });
});
