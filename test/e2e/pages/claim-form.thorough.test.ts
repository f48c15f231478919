import { expect, test } from 'vitest';
import { pageLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import { newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { browse, formKeyAt, sendFields, sendFiles } from '#test/e2e/kit/page-forms.ts';
import { signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { samples } from '#test/kit/images.ts';

const photo = samples.find(({ name }) => name.includes('telephone'))!;

async function newPage() {
  const shop = await newClaimant();
  const parcel = await newParcel(shop, { products: [{ title: 'Jacket', sku: 'FJORD-M', quantity: 1 }] });
  const page = parcel.order.tracking_page_url!;
  return { shop, parcel, page, form: `${page}/claim` };
}

test('a claim from the page reaches a webhook, and its photo is private and without its position', async () => {
  const { shop, parcel, page, form } = await newPage();
  await using receiver = await startReceiver();
  const { secret } = accepted(
    await shop.call('POST', '/webhooks', { body: { url: receiver.url, enabled_events: ['claims'] } }),
  );
  const fields = { reason: 'damage', description: 'The zip is torn.', selected_items: 'FJORD-M' };
  const sent = await sendFiles(form, { ...fields, form_key: await formKeyAt(form) }, 'images', [
    new Uint8Array(photo.bytes),
  ]);
  expect(sent.status, sent.text).toBe(303);
  const back = new URL(sent.headers.get('location')!, form).href;
  expect(back).toBe(`${page}?sent=1`);
  expect((await browse(back)).status).toBe(200);

  const told = await receiver.next();
  expect(signedWith(told, [secret])).toEqual([true]);
  const { ref, event_data } = JSON.parse(told.body);
  expect(ref).toBe('claims/created');
  expect(event_data).toMatchObject({
    ...fields,
    selected_items: [{ sku: 'FJORD-M', title: 'Jacket', quantity: 1 }],
    status: 'pending',
  });

  const [claim] = await shop.search();
  expect(claim).toMatchObject({ tracking_number: parcel.tracking_number, description: 'The zip is torn.' });
  const [signed] = claim!.image_urls as [string];
  const opened = await fetch(signed);
  expect(Buffer.from(await opened.arrayBuffer()).equals(photo.cleaned)).toBe(true);
  expect((await fetch(signed.split('?')[0]!)).status).toBeGreaterThanOrEqual(400);
  const history = accepted(await shop.call('GET', `/claims/${claim!.uuid}/history`));
  expect(history).toMatchObject([{ action: 'created', by: 'customer' }]);
});

test('a form that is sent twice at once makes one claim, and one with a fault none', async () => {
  const { shop, form } = await newPage();
  const faulty = await sendFields(form, { form_key: await formKeyAt(form), reason: '', description: 'kept' });
  expect(faulty.status).toBe(422);
  expect(faulty.text).toContain('kept</textarea>');
  expect(await shop.search()).toEqual([]);
  const fields = { form_key: await formKeyAt(form), reason: 'support' };
  const answers = await Promise.all([sendFields(form, fields), sendFields(form, fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await shop.search()).toHaveLength(1);
});

test('a page takes ten claims an hour, exactly also if more come at once', async () => {
  const { shop, form } = await newPage();
  const count = pageLimits.claimsInAnHour + 4;
  const keys = await Promise.all(Array.from({ length: count }, () => formKeyAt(form)));
  const answers = await Promise.all(keys.map((form_key) => sendFields(form, { form_key, reason: 'damage' })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(pageLimits.claimsInAnHour);
  expect(refused).toHaveLength(4);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(await shop.search()).toHaveLength(pageLimits.claimsInAnHour);
});

test('whatever is sent as a form, the answer is a page', async () => {
  const { shop, form } = await newPage();
  const post = (body: string, type: string) =>
    browse(form, { method: 'POST', body, headers: { 'content-type': type } });
  const parts = 'multipart/form-data; boundary=x';
  const urlencoded = 'application/x-www-form-urlencoded';
  const answers = [
    [await post('--x\r\nContent-Disp', parts), 422],
    [await post('reason=damage', 'application/json'), 422],
    [await post('reason=damage', 'text/plain'), 422],
    [await post(`${'a=1&'.repeat(2000)}`, urlencoded), 422],
    [await post('__proto__=1&constructor=2&form_key=%FF%00', urlencoded), 422],
    [await post('', urlencoded), 422],
  ] as const;
  for (const [{ status, headers, text }, expected] of answers) {
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/invalid_payload|payload_too_large/);
  }
  // Lambda itself refuses what is too large for it, before a function could make a page of it.
  const large = `description=${'x'.repeat(requestLimits.bodyBytes)}`;
  expect((await post(large, urlencoded)).status).toBe(413);
  expect(await shop.search()).toEqual([]);
});
