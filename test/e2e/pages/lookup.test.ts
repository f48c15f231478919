import { expect, test } from 'vitest';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { newMerchant, newNumber } from '#test/e2e/kit/orders.ts';
import { browse, sendFields } from '#test/e2e/kit/page-forms.ts';
import { url } from '#test/e2e/kit/shared-stack.ts';

async function newLookup() {
  const shop = await newMerchant();
  const fields = { order_number: newNumber(), email_id: 'ada@example.com', address: { zip_code: '10115' } };
  const order = await shop.order(fields);
  const form = `${url}/lookup/${shop.slug}`;
  const find = (order_number: string, email_or_postcode: string) =>
    sendFields(form, { order_number, email_or_postcode });
  return { order, form, find };
}

test('a customer finds the page of an order, and others find nothing', async () => {
  const { order, form, find } = await newLookup();
  expect((await browse(form)).text).toContain('name="email_or_postcode"');
  const found = await find(`#${order.order_number}`, ' Ada@Example.com');
  expect(found.status, found.text).toBe(303);
  const page = new URL(found.headers.get('location')!, form).href;
  expect(page).toBe(order.tracking_page_url);
  expect((await browse(page)).status).toBe(200);

  const shown = ({ status, headers, text }: Awaited<ReturnType<typeof find>>) => {
    const {
      date: _date,
      'x-correlation-id': _id,
      'x-amzn-requestid': _request,
      'content-length': _length,
      ...others
    } = Object.fromEntries(headers);
    // Whoever typed it knows it.
    return { status, headers: others, text: text.replaceAll(/ value="[^"]*"/g, '') };
  };
  const wrong = shown(await find(order.order_number, 'eve@example.com'));
  expect(wrong.status).toBe(404);
  expect(shown(await find('no-such-order', '10115'))).toEqual(wrong);
  expect((await sendFields(form, { order_number: '1' })).status).toBe(422);
});

test('one address has ten tries at one shop', async () => {
  const { order, find } = await newLookup();
  const tries = Array.from({ length: pageLimits.lookups + 3 }, () => find(order.order_number, '10115'));
  const answers = await Promise.all(tries);
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(pageLimits.lookups);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(3);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(500);
});

test('an unknown shop has no form', async () => {
  expect((await browse(`${url}/lookup/no-such-shop`)).status).toBe(404);
  expect((await sendFields(`${url}/lookup/no-such-shop`, { order_number: '1', email_or_postcode: '1' })).status).toBe(
    404,
  );
});
