import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as pages } from '#api/pages/handler.ts';
import { handler as settingsHandler } from '#api/settings/handler.ts';
import { handler as withdrawals } from '#api/withdrawals/handler.ts';
import { eraseWithdrawal } from '#domain/withdrawals/erase-withdrawal.ts';
import { readWithdrawal } from '#domain/withdrawals/withdrawal-store.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { formKeyIn, pageTokenOf, sendForm } from '#test/kit/pages.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const resource = '/t/{token}/withdrawal';
const products = [
  { title: 'Shirt', variant_title: 'M', sku: 'SHIRT-M', quantity: 2 },
  { title: 'Cap', quantity: 1 },
];
const shop = { slug, uuid: shopItem(slug).uuid };
let token: string;

const settings = (body: object) =>
  invoke(settingsHandler, {
    method: 'PATCH',
    resource: '/v1/shops/{slug}/settings/tracking-page',
    params: { slug },
    headers: asOperator,
    body,
  });

beforeEach(async () => {
  vi.stubEnv('EMAIL_FROM', 'post@mail.example.com');
  tableWith(operator.item, shopItem(slug));
  token = await pageTokenOf(slug, '1001', { products, address: { country_code: 'DE' } });
  expect((await settings({ withdrawal_enabled: true })).status).toBe(200);
});

const open = (query: Record<string, string> = {}) =>
  invoke(pages, { method: 'GET', resource, params: { token }, query });
const page = (query: Record<string, string> = {}) =>
  invoke(pages, { method: 'GET', resource: '/t/{token}', params: { token }, query });
const facts = () => invoke(pages, { method: 'GET', resource: '/v1/tracking/{token}', params: { token } });
const valuesIn = (html: string) => [...html.matchAll(/name="items" value="([^"]+)"/g)].map(([, value]) => value!);

async function send(fields: Record<string, string | string[]> = {}) {
  const { body } = await open();
  const all = { form_key: formKeyIn(body), name: 'Ada Lovelace', email_id: 'ada@example.com', items: valuesIn(body) };
  return sendForm(resource, { token }, { fields: { ...all, ...fields } });
}

const path = '/v1/shops/{slug}/withdrawals';
const api = (method: string, rest = '', more: Partial<Call> = {}) =>
  invoke(withdrawals, {
    method,
    resource: path + rest,
    headers: asOperator,
    ...more,
    params: { slug, ...more.params },
  });
const list = async (query = {}) => (await api('GET', '', { query })).body.withdrawals;
const settle = (uuid: string, body: object) => api('PUT', '/{uuid}', { params: { uuid }, body });
const events = () => memoryTable.all('OUTBOX#').filter(({ source }) => source === 'withdrawals');

describe('the page', () => {
  test('offers the withdrawal in the words of the directive, while parcels are under way', async () => {
    expect((await page()).body).toContain('>Withdraw from contract here</a>');
    expect((await page({ lang: 'de' })).body).toContain('>Vertrag widerrufen</a>');
    const { links, withdrawal } = (await facts()).body;
    expect(links.withdrawal_url).toMatch(new RegExp(`/t/${token}/withdrawal$`));
    expect(withdrawal).toBeNull();
  });

  test('offers none if the shop does not, and then has no form', async () => {
    await settings({ withdrawal_enabled: null });
    expect((await page()).body).not.toContain('Withdraw from contract');
    expect((await facts()).body.links.withdrawal_url).toBeNull();
    expect((await open()).status).toBe(404);
  });

  test('cannot offer it where no acknowledgement could be sent', async () => {
    vi.stubEnv('EMAIL_FROM', '');
    const { status, body } = await settings({ withdrawal_enabled: true });
    expect([status, body.key]).toEqual([409, 'emails_unavailable']);
    expect((await settings({ withdrawal_enabled: false, withdrawal_days: 30 })).status).toBe(200);
  });

  test.each([13, 366, 14.5])('takes no period of %d days', async (withdrawal_days) => {
    expect((await settings({ withdrawal_days })).status).toBe(422);
  });

  test.each(languages)('has the form in %s', async (lang) => {
    const { status, body } = await open({ lang });
    expect(status).toBe(200);
    expect(valuesIn(body)).toHaveLength(2);
    expect(body.match(/ checked/g)).toHaveLength(2);
    expect(body).not.toMatch(/\{(day|count|moment)\}|undefined/);
  });
});

describe('the form', () => {
  test('records the withdrawal once, with its event and its exact time, and shows it first', async () => {
    const before = Date.now();
    const { status, headers } = await send();
    expect([status, headers.Location]).toEqual([303, `../${token}`]);
    const [withdrawal, ...others] = await list();
    expect(others).toEqual([]);
    expect(withdrawal).toMatchObject({
      order_number: '1001',
      name: 'Ada Lovelace',
      email_id: 'ada@example.com',
      items: [
        { sku: 'SHIRT-M', title: 'Shirt, M', quantity: 2 },
        { sku: null, title: 'Cap', quantity: 1 },
      ],
      deadline: null,
      based_on: { state: 'under_way', days: 14, country_code: 'DE', time_zone: 'Europe/Berlin' },
      status: 'declared',
      comment: null,
    });
    expect(Date.parse(withdrawal.declared_at)).toBeGreaterThanOrEqual(before);
    expect(events()).toMatchObject([
      { ref: 'withdrawals/declared', withdrawal: { uuid: withdrawal.uuid }, version: 1 },
    ]);
    const { body } = await page();
    expect(body.indexOf('Your withdrawal')).toBeLessThan(body.indexOf('<h1'));
    expect(body).toContain('I withdraw from the contract with');
    expect(body).not.toMatch(/Ada Lovelace|ada@example\.com|Withdraw from contract here/);
    expect((await facts()).body).toMatchObject({ withdrawal: { status: 'declared' }, links: { withdrawal_url: null } });
    expect(JSON.stringify((await facts()).body)).not.toContain(withdrawal.uuid);
  });

  test('sent twice, or by two at once, is one', async () => {
    const { body } = await open();
    const fields = { form_key: formKeyIn(body), name: 'Ada', email_id: 'ada@example.com', items: valuesIn(body) };
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(resource, { token }, { fields })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await sendForm(resource, { token }, { fields: { ...fields, name: 'Somebody' } })).status).toBe(303);
    expect(await list()).toHaveLength(1);
    expect(events()).toHaveLength(1);
    expect((await open()).status).toBe(303);
  });

  test('says what is wrong and keeps what was typed', async () => {
    const { body: form } = await open();
    const [first] = valuesIn(form);
    const { status, body } = await send({ name: ' ', email_id: 'ada<at>example', items: [first!] });
    expect(status).toBe(422);
    expect(body).toContain('Please enter your name.');
    expect(body).toContain('Please enter an e-mail address');
    expect(body).toContain('value="ada&lt;at&gt;example"');
    expect(body.match(/ checked/g)).toHaveLength(1);
    expect((await send({ items: [] })).body).toContain('Please choose at least one item.');
    expect((await send({ items: ['unknown'] })).status).toBe(422);
    expect((await send({ name: 'x'.repeat(201) })).body).toContain('The name is too long.');
    expect(await list()).toEqual([]);
  });

  test.each(['', 'a.b.c', '1.aaaaaaaa.'.padEnd(60, 'x')])('with the key %j is not from the page', async (form_key) => {
    const { status } = await send({ form_key });
    expect(status).toBe(422);
    expect(await list()).toEqual([]);
  });

  test('of another site is refused', async () => {
    const { body } = await open();
    const fields = { form_key: formKeyIn(body), name: 'Ada', email_id: 'ada@example.com', items: valuesIn(body) };
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await sendForm(resource, { token }, { fields, headers })).status).toBe(422);
  });

  test('takes an order with as many and as long products as there can be', async () => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      title: `${i} ${'🧦'.repeat(480)}`,
      sku: `${i}-${'🧦'.repeat(100)}`,
      quantity: 1,
    }));
    token = await pageTokenOf(slug, '1002', { products: many, address: { country_code: 'DE' } });
    expect((await send()).status).toBe(303);
    expect((await list())[0].items).toHaveLength(200);
    expect((await page()).status).toBe(200);
  });

  test('is about the whole order where it has too many products to list', async () => {
    const many = Array.from({ length: 201 }, (_, i) => ({ title: `Sock ${i}`, quantity: 1 }));
    token = await pageTokenOf(slug, '1002', { products: many });
    expect((await send()).status).toBe(303);
    expect((await list())[0].items).toEqual([]);
  });

  test('withdraws from what is ticked only', async () => {
    const { body } = await open();
    await send({ items: [valuesIn(body)[1]!] });
    expect((await list())[0].items).toEqual([{ sku: null, title: 'Cap', quantity: 1 }]);
  });

  test('is about the whole order where the shop shows no products', async () => {
    await settings({ show_products: false });
    expect(valuesIn((await open()).body)).toEqual([]);
    await send({ items: [] });
    expect((await list())[0].items).toHaveLength(2);
  });
});

describe('the shop', () => {
  test('accepts and refunds it, with an event each, and the page shows it', async () => {
    await send();
    const [{ uuid }] = await list();
    const accepted = await settle(uuid, { status: 'accepted', comment: 'The parcel is awaited.' });
    expect(accepted.body).toMatchObject({ status: 'accepted', comment: 'The parcel is awaited.' });
    expect((await settle(uuid, { status: 'accepted' })).body).toEqual(accepted.body);
    expect((await settle(uuid, { status: 'refunded' })).body).toMatchObject({ status: 'refunded' });
    expect(events().map(({ ref }) => ref)).toEqual(
      expect.arrayContaining(['withdrawals/declared', 'withdrawals/settled', 'withdrawals/settled']),
    );
    expect(events()).toHaveLength(3);
    const { body } = await page();
    expect(body).toContain('Refunded');
    expect(body).not.toContain('The parcel is awaited.');
    expect((await readWithdrawal(slug, uuid))!.history).toHaveLength(3);
  });

  test('cannot make another move, nor settle what is not there', async () => {
    await send();
    const [{ uuid }] = await list();
    const wrong = await settle(uuid, { status: 'refunded' });
    expect([wrong.status, wrong.body.key, wrong.body.errors]).toEqual([409, 'withdrawal_transition_invalid', []]);
    await settle(uuid, { status: 'rejected' });
    expect((await settle(uuid, { status: 'accepted' })).status).toBe(409);
    const unknown = '01930000-0000-7000-8000-000000000000';
    expect((await settle(unknown, { status: 'accepted' })).body.key).toBe('withdrawal_not_found');
    expect((await api('GET', '/{uuid}', { params: { uuid: unknown } })).status).toBe(404);
    expect((await settle(uuid, { status: 'lost' })).status).toBe(422);
  });

  test('finds it by its status', async () => {
    await send();
    expect(await list({ status: 'declared' })).toHaveLength(1);
    expect(await list({ status: 'accepted' })).toEqual([]);
  });

  test('keeps it without name, address and texts after an erasure', async () => {
    await send();
    const [{ uuid, order_id }] = await list();
    await settle(uuid, { status: 'accepted', comment: 'Ada called.' });
    const erasure = { at: '2026-11-20T10:00:00.000Z', by: 'somebody', dryRun: false };
    expect(await eraseWithdrawal(shop, order_id, erasure)).toEqual({ withdrawals: { found: 1, erased: 1, kept: 0 } });
    expect(JSON.stringify(memoryTable.all('WITHDRAWALS#'))).not.toMatch(/Ada|ada@/);
    expect(await readWithdrawal(slug, uuid)).toMatchObject({ status: 'accepted', name: null, email_id: null });
  });
});
