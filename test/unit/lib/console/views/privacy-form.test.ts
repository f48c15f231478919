import { expect, test } from 'vitest';
import { numbersIn, requestBody } from '#lib/console/views/admin/privacy-form.ts';

const values = { kind: 'erasure', email_id: '', external_customer_id: '', order_numbers: '', reference: '' } as const;

test('order numbers stand in lines or between commas', () => {
  expect(numbersIn(' 10482\n#10483, A 7;\r\n\n')).toEqual(['10482', '#10483', 'A 7']);
});

test('an empty field says nothing about the person, and nothing typed is lost', () => {
  expect(requestBody({ ...values, email_id: ' ida@example.com ', reference: 'T-1' }, true)).toEqual({
    kind: 'erasure',
    email_id: 'ida@example.com',
    external_customer_id: null,
    order_numbers: [],
    reference: 'T-1',
    dry_run: true,
  });
});
