import { expect, test } from 'vitest';
import { claimLimits, pageContentLimits, pageLimits } from '#schemas/catalogues/limits.ts';
import type { ClaimMessage } from '#schemas/families/claims.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { browse, formKeyAt, sendFields, sendFiles } from '#test/e2e/kit/page-forms.ts';
import { startReceiver } from '#test/e2e/kit/receiver.ts';
import { samples } from '#test/kit/images.ts';

const photo = samples.find(({ name }) => name.includes('telephone'))!;

async function newConversation() {
  const shop = await newClaimant();
  const { order, shipment_id, tracking_number } = await newParcel(shop);
  const claim = await shop.claim({ shipment_id });
  const page = order.tracking_page_url!;
  const facts = async (): Promise<TrackingPage> =>
    JSON.parse((await browse(page.replace('/t/', '/v1/tracking/'))).text);
  return {
    shop,
    claim,
    page,
    facts,
    shipment_id,
    tracking_number,
    form: `${page}/claims/${claim.uuid}/messages`,
    write: (text: string) => shop.call('POST', `/claims/${claim.uuid}/messages`, { body: { text } }),
    list: async (query: Record<string, number> = {}): Promise<ClaimMessage[]> =>
      accepted(await shop.call('GET', `/claims/${claim.uuid}/messages`, { query })),
  };
}

test('a customer writes, the webhook fires, the claim waits until the shop answers, and both see both', async () => {
  const { shop, claim, page, facts, form, write, list } = await newConversation();
  await using receiver = await startReceiver();
  accepted(await shop.call('POST', '/webhooks', { body: { url: receiver.url, enabled_events: ['claims/updated'] } }));
  accepted(await shop.update(claim.uuid, { status: 'accepted' }));
  await receiver.next(); // of the new status

  const sent = await sendFiles(form, { form_key: await formKeyAt(page), text: 'When will it\r\ncome?' }, 'images', [
    new Uint8Array(photo.bytes),
  ]);
  expect(sent.status, sent.text).toBe(303);
  const back = new URL(sent.headers.get('location')!, form).href;
  expect(back).toBe(`${page}?sent=message`);
  const thanks = await browse(back);
  expect(thanks.text).toContain('The shop has your message');
  expect(thanks.text).toContain('When will it\ncome?');

  const { ref, context } = JSON.parse((await receiver.next()).body);
  expect(ref).toBe('claims/updated');
  expect(context.claims).toMatchObject([{ uuid: claim.uuid, message_count: 1 }]);
  const waiting = async () => {
    const { claims } = accepted(await shop.call('GET', '/attention')).claims;
    return claims.map(({ uuid, unanswered_since }: Record<string, string>) => ({ uuid, unanswered_since }));
  };
  const [question] = await list();
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ uuid: claim.uuid, unanswered_since: question!.at }]);
  expect((await shop.search())[0]).toMatchObject({ message_count: 1, unanswered_since: question!.at });

  const answer: ClaimMessage = accepted(await write('It comes on Friday.'));
  expect(answer).toMatchObject({ from: 'shop', text: 'It comes on Friday.', image_urls: [] });
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  const messages = await list();
  expect(messages).toMatchObject([answer, { from: 'customer', author: null, text: 'When will it\ncome?' }]);
  const [signed] = messages[1]!.image_urls as [string];
  const opened = await fetch(signed);
  expect(Buffer.from(await opened.arrayBuffer()).equals(photo.cleaned)).toBe(true);

  const { shop: brand, claims } = await facts();
  expect(claims[0]!.messages).toMatchObject([
    { from: 'customer', author: null },
    { from: 'shop', author: brand.name, text: 'It comes on Friday.' },
  ]);
  expect((await fetch(claims[0]!.messages[0]!.image_urls[0]!)).status).toBe(200);
  // Nobody but the customer is told of what the shop wrote.
  accepted(await shop.update(claim.uuid, { status: 'closed' }));
  expect(JSON.parse((await receiver.next()).body).event_data.status).toBe('closed');
  const history = accepted(await shop.call('GET', `/claims/${claim.uuid}/history`));
  expect(history.map(({ action, by }: Record<string, string>) => [action, by === 'customer'])).toEqual([
    ['updated', false],
    ['message', false],
    ['message', true],
    ['updated', false],
    ['created', false],
  ]);
});

test('a form makes one message however often it is sent, and a fault keeps what was typed', async () => {
  const { page, form, list } = await newConversation();
  const fields = { form_key: await formKeyAt(page), text: 'Only once' };
  const twice = await Promise.all([sendFields(form, fields), sendFields(form, fields)]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect(await list()).toHaveLength(1);
  const other = await sendFields(form, { ...fields, text: 'Changed' });
  expect(other.status).toBe(422);
  expect(other.text).toContain('Changed</textarea>');
  const typed = 'x'.repeat(claimLimits.messageCharacters + 1);
  const long = await sendFields(form, { form_key: await formKeyAt(page), text: typed });
  expect(long.status).toBe(422);
  expect(long.text).toContain(`${typed}</textarea>`);
  const forged = await sendFields(form, { form_key: 'made-up', text: 'Hello' });
  expect(forged.status).toBe(422);
  const strange = await sendFields(`${page}/claims/made-up/messages`, fields);
  expect(strange.status).toBe(404);
  expect(await list()).toHaveLength(1);
});

test('a page takes ten messages an hour, exactly also if more come at once', async () => {
  const { page, form, list } = await newConversation();
  const keys = await Promise.all(Array.from({ length: pageLimits.messagesInAnHour + 1 }, () => formKeyAt(page)));
  const answers = [];
  for (const batch of [keys.slice(0, 3), keys.slice(3)])
    answers.push(...(await Promise.all(batch.map((form_key) => sendFields(form, { form_key, text: form_key })))));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(pageLimits.messagesInAnHour);
  const [refused] = answers.filter(({ status }) => status === 429);
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(await list()).toHaveLength(pageLimits.messagesInAnHour);
});

test('of more than a hundred messages the page shows the newest hundred, folded, and the API all in pages', async () => {
  const { page, facts, write, list } = await newConversation();
  const count = pageContentLimits.messagesOfClaim + 3;
  for (let i = 1; i <= count; i++) accepted(await write(`Message ${i}`));
  const [shown] = (await facts()).claims;
  expect(shown!.messages.map(({ text }) => text)).toEqual(
    Array.from({ length: pageContentLimits.messagesOfClaim }, (_, i) => `Message ${i + 4}`),
  );
  const { status, text } = await browse(page);
  expect(status).toBe(200);
  expect(text).toContain(`Earlier messages: ${pageContentLimits.messagesOfClaim - 3}`);
  const texts = (messages: ClaimMessage[]) => messages.map((one) => one.text);
  expect(texts(await list({ per_page: 2 }))).toEqual([`Message ${count}`, `Message ${count - 1}`]);
  expect(texts(await list({ per_page: 100, page: 2 }))).toEqual(['Message 3', 'Message 2', 'Message 1']);
  expect(await list({ per_page: 100, page: 3 })).toEqual([]);
});

test('a hostile text is shown as it was written, and a closed claim without the form takes nothing', async () => {
  const { shop, claim, page, facts, form, write } = await newConversation();
  const hostile = '</textarea><script>alert(1)</script>\u202E"\'&amp; {count} ${x}';
  accepted(await write(hostile));
  const form_key = await formKeyAt(page);
  expect((await sendFields(form, { form_key, text: hostile })).status).toBe(303);
  const { text } = await browse(page);
  expect(text).not.toContain('<script>alert');
  expect((await facts()).claims[0]!.messages.map((message) => message.text)).toEqual([hostile, hostile]);
  accepted(await shop.update(claim.uuid, { status: 'closed' }));
  const closed = await browse(page);
  expect(closed.text).toContain('&lt;script&gt;');
  expect(closed.text).not.toContain('name="form_key"');
  expect((await sendFields(form, { form_key, text: 'More' })).status).toBe(422);
  expect((await write('More')).body).toMatchObject({ key: 'claim_closed', errors: [] });
  accepted(await shop.call('DELETE', `/claims/${claim.uuid}`));
  expect((await shop.call('GET', `/claims/${claim.uuid}/messages`)).status).toBe(404);
  expect((await sendFields(form, { form_key, text: 'More' })).status).toBe(404);
});

test('a customer rates a delivery once, after it arrived, if the shop asks for it', async () => {
  const { shop, page, facts, tracking_number, claim } = await newConversation();
  const rating = `${page}/rating`;
  const deliver = { id: tracking_number, event_name: 'SUCCESSFULLY_DELIVERED' };
  expect((await sendFields(rating, { stars: '5' })).status).toBe(404);
  accepted(await shop.call('PATCH', '/settings/tracking-page', { body: { ratings_enabled: true } }));
  const form_key = await formKeyAt(page);
  expect((await sendFields(rating, { form_key, stars: '5' })).status).toBe(422);
  accepted(await shop.call('POST', '/shipment-events', { body: deliver }));
  const none = await sendFields(rating, { form_key, text: 'kept', stars: '6' });
  expect(none.status).toBe(422);
  expect(none.text).toContain('kept</textarea>');
  const sent = await sendFields(rating, { form_key, parcel: tracking_number, stars: '4', text: ' On time. ' });
  expect(sent.status, sent.text).toBe(303);
  const thanks = await browse(new URL(sent.headers.get('location')!, rating).href);
  expect(thanks.text).toContain('Thank you for your rating.');
  expect(thanks.text).toContain('Stars: 4 of 5');
  expect((await sendFields(rating, { form_key, parcel: tracking_number, stars: '1' })).status).toBe(303);
  expect((await facts()).parcels[0]!.rating).toMatchObject({ stars: 4, text: 'On time.' });
  const timeline = accepted(await shop.call('GET', `/orders/${claim.order_id}/timeline`));
  expect(timeline.filter(({ kind }: { kind: string }) => kind === 'rating')).toMatchObject([
    { data: { rating: { stars: 4, text: 'On time.' } } },
  ]);
});
