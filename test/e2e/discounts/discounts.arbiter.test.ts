import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Discount } from '#schemas/families/discounts.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, type Fields, type Merchant, newMerchant } from '#test/e2e/kit/orders.ts';

let shop: Merchant;
beforeAll(async () => {
  shop = await newMerchant();
});

const newCode = () => `CODE-${randomUUID()}`;
const create = (body: Fields) => shop.call('POST', '/discounts', { body });
const update = (uuid: string, body: Fields) => shop.call('PATCH', `/discounts/${uuid}`, { body });
const remove = (uuid: string) => shop.call('DELETE', `/discounts/${uuid}`);
const search = async (query: Record<string, string | number>): Promise<Discount[]> =>
  accepted(await shop.call('GET', '/discounts', { query }));

async function made(fields: Fields = {}): Promise<Discount> {
  const code = newCode();
  expectDone(await create({ code, type: 'order', ...fields }));
  const [discount] = await search({ code });
  return discount!;
}

describe('a discount', () => {
  test('has null in the fields that the request does not name', async () => {
    const { uuid, code, created_at, updated_at, ...rest } = await made();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      shop_slug: shop.slug,
      type: 'order',
      target_selection: null,
      target_type: null,
      title: null,
      value_type: null,
      value: null,
    });
  });

  test('keeps its type and the fields that an update does not name, and accepts null', async () => {
    const { uuid, code } = await made({ title: 'Ten', value: 1e-300, value_type: 'percentage' });
    expectDone(await update(uuid, { title: null, value: 12.5, type: 'shipping' }));
    const expected = { uuid, code, title: null, value: 12.5, value_type: 'percentage', type: 'order' };
    expect(await search({ uuid: uuid.toUpperCase() })).toMatchObject([expected]);
  });

  test.each([
    [{}, 'type', 'missing'],
    [{ type: 'gift' }, 'type', 'value_error'],
    [{ type: 'order', value: 'ten' }, 'value', 'type_error'],
    [{ type: 'order', value: 1e300 }, 'value', 'value_error'],
    [{ type: 'order', code: 7 }, 'code', 'type_error'],
    [{ type: 'order', target_selection: 'some' }, 'target_selection', 'value_error'],
    [{ type: 'order', title: 'x'.repeat(501) }, 'title', 'value_error'],
  ] as const)('is refused with %j', async (body, field, type) => {
    expectInvalid(await create(body), [`body.${field}`, type]);
  });

  test('cannot be changed or deleted when it does not exist', async () => {
    const { uuid } = await made();
    expectDone(await remove(uuid));
    for (const gone of [uuid, randomUUID()]) {
      expectError(await update(gone, { title: 'x' }), 404, 'discount_not_found');
      expectError(await remove(gone), 404, 'discount_not_found');
    }
    expectInvalid(await remove('x'), ['path.uuid', 'value_error']);
    expect(await search({ uuid })).toEqual([]);
  });
});

describe('a discount code', () => {
  test('belongs to one discount of the shop until it is freed', async () => {
    const [first, second] = [await made(), await made()];
    expectError(await create({ code: first.code, type: 'product' }), 409, 'discount_exists');
    expectError(await update(second.uuid, { code: first.code }), 409, 'discount_exists');
    expectDone(await update(first.uuid, { code: first.code, title: 'its own' }));

    expectDone(await update(first.uuid, { code: null }));
    expectDone(await update(second.uuid, { code: first.code }));
    expectDone(await remove(second.uuid));
    expectDone(await create({ code: first.code, type: 'product' }));
  });

  test('can be missing any number of times, and be the same in another shop', async () => {
    expectDone(await create({ code: null, type: 'order' }));
    expectDone(await create({ type: 'order' }));
    const { code } = await made();
    expectDone(await (await newMerchant()).call('POST', '/discounts', { body: { code, type: 'order' } }));
  });

  test('is given to one of twenty requests at once', async () => {
    const code = newCode();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ code, type: 'order' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    expect(await search({ code })).toHaveLength(1);
  });

  test('is given to one of ten updates at once, and no update of another field is lost', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => made()));
    const code = newCode();
    const claims = await Promise.all(all.map(({ uuid }) => update(uuid, { code })));
    expect(claims.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);

    const { uuid } = all[0]!;
    const fields = [{ title: 'a' }, { value: 3 }, { value_type: 'percentage' }, { target_type: 'line_item' }];
    for (const answer of await Promise.all(fields.map((field) => update(uuid, field)))) expectDone(answer);
    expect(await search({ uuid })).toMatchObject([Object.assign({}, ...fields)]);
  });
});

describe('a search for discounts', () => {
  test('lists the newest first, page by page, and only what matches every filter', async () => {
    const own = await newMerchant();
    const values = Array.from({ length: 7 }, (_, i) => i + 1);
    for (const value of values) {
      const fields = { type: value % 2 ? 'order' : 'product', value_type: 'percentage', title: `T${value % 3}`, value };
      expectDone(await own.call('POST', '/discounts', { body: fields }));
    }
    const read = async (query: Record<string, string | number>) =>
      (accepted(await own.call('GET', '/discounts', { query })) as Discount[]).map(({ value }) => value);
    expect(await read({})).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await read({ per_page: 3 })).toEqual([7, 6, 5]);
    expect(await read({ per_page: 3, page: 2 })).toEqual([4, 3, 2]);
    expect(await read({ per_page: 3, page: 3 })).toEqual([1]);
    expect(await read({ per_page: 2, page: 3 })).toEqual([3, 2]);
    expect(await read({ type: 'order', title: 'T1' })).toEqual([7, 1]);
    expect(await read({ type: 'order', per_page: 2, page: 2 })).toEqual([3, 1]);
    expect(await read({ value: 4 })).toEqual([4]);
    expect(await read({ value_type: 'fixed_amount' })).toEqual([]);
  });

  test('refuses invalid filters', async () => {
    const answer = await shop.call('GET', '/discounts', { query: { type: 'gift', value: 'x', uuid: '1', page: 0 } });
    expectInvalid(
      answer,
      ['query.type', 'value_error'],
      ['query.value', 'type_error'],
      ['query.uuid', 'value_error'],
      ['query.page', 'value_error'],
    );
  });
});
