import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler as abTests } from '#api/ab-tests/handler.ts';
import { handler as campaigns } from '#api/campaigns/handler.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { keyOf } from '#platform/table/keys.ts';
import { hashOf } from '#platform/table/record-writes.ts';
import { parcel } from '#test/kit/claims.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

/** What the emulators cannot show: writes of others between the reads and the write of a request. */

const editor = keyFor('blue', 'editor');
const holds = (...items: object[]) => tableWith(editor.item, shopItem('blue'), ...items);
const uuid = '01930000-0000-7000-8000-00000000000a';
const discount_id = '01930000-0000-7000-8000-00000000000d';
const calendarKey = (kind: 'campaigns' | 'abTests') => keyOf.calendar(kind, 'blue', hashOf('vip'));
const calendar = (kind: 'campaigns' | 'abTests', version: number, ...starts: string[]) => ({
  ...calendarKey(kind),
  version,
  entries: starts.map((start_date, i) => ({ uuid: `entry-${i}`, start_date, end_date: null })),
});
const storedCampaign = (fields: object = {}) => ({
  ...keyOf.record('campaigns', 'blue', uuid),
  uuid,
  shop_slug: 'blue',
  promotion_type: 'basic',
  promotion_properties: { translations: [], products: [] },
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: null,
  discount_id: null,
  tests: [],
  version: 3,
  ...fields,
});

const transactions = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);

const post = (handler: typeof campaigns, path: string, body: object) =>
  invoke(handler, {
    method: 'POST',
    resource: `/v1/shops/{slug}/${path}`,
    params: { slug: 'blue', uuid },
    headers: basic('blue', editor.secret),
    body,
  });
const createCampaign = (fields: object = {}) =>
  post(campaigns, 'campaigns', {
    name: 'Summer',
    segment: 'vip',
    promotion_type: 'basic',
    promotion_properties: {},
    enabled: true,
    ...fields,
  });
const createTest = () =>
  post(abTests, 'ab-tests', {
    name: 'A test',
    segment: 'vip',
    campaign_type: 'basic',
    campaigns: [{ campaign_id: uuid, allocation: 100 }],
  });

describe('an enabled campaign', () => {
  test('is written with its name, a check of its discount and the calendar of its segment, in one transaction', async () => {
    holds(calendar('campaigns', 7), { ...keyOf.record('discounts', 'blue', discount_id), uuid: discount_id });
    const { status, body } = await createCampaign({ discount_id });
    expect(status).toBe(200);
    const [[record, name, discount, segment], ...more] = transactions() as [object[], ...object[]];
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      Put: { Item: { uuid: body.uuid }, ConditionExpression: 'attribute_not_exists(pk)' },
    });
    expect(name).toMatchObject({ Put: { Item: { uuid: body.uuid }, ConditionExpression: 'attribute_not_exists(pk)' } });
    expect(discount).toMatchObject({ ConditionCheck: { Key: keyOf.record('discounts', 'blue', discount_id) } });
    expect(segment).toMatchObject({
      Put: {
        Item: { ...calendarKey('campaigns'), version: 8, entries: [{ uuid: body.uuid, end_date: null }] },
        ConditionExpression: 'version = :before',
        ExpressionAttributeValues: { ':before': 7 },
      },
    });
  });

  test('is refused when another campaign takes the segment after the read', async () => {
    holds();
    beforeNextRequest(TransactWriteCommand, () =>
      memoryTable.put(calendar('campaigns', 1, '2026-01-01T00:00:00.000Z')),
    );
    expect(await createCampaign()).toMatchObject({
      status: 409,
      body: {
        key: 'campaign_active_segment_exists',
        message: expect.stringMatching(/ It is the campaign \S+: /),
        errors: [],
      },
    });
    expect(transactions()).toHaveLength(2);
  });

  test('is tried again when the calendar changed and the segment is still free', async () => {
    holds();
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(calendar('campaigns', 1)));
    expect((await createCampaign()).status).toBe(200);
    expect(transactions()[1]![2]).toMatchObject({ Put: { Item: { version: 2 } } });
  });

  test('is refused for its name when both its name and its segment are taken', async () => {
    holds();
    expect((await createCampaign()).status).toBe(200);
    expect(await createCampaign()).toMatchObject({ status: 409, body: { key: 'campaign_exists' } });
  });
});

describe('a search by status', () => {
  const past = '2026-01-02T00:00:00.000Z';
  const future = '2999-01-01T00:00:00.000Z';
  const states = {
    active: { enabled: true },
    scheduled: { enabled: true, start_date: future },
    inactive: { enabled: true, end_date: past },
    paused: { enabled: true, tests: [{ uuid: 't', start_date: past, end_date: null }] },
  };
  const made = Object.keys(states).flatMap((status) =>
    Array.from({ length: 7 }, (_, i) => ({ status: status as keyof typeof states, segment: i % 2 ? 'vip' : 'new' })),
  );
  const idOf = (i: number) => `01930000-0000-7000-8000-0000000000${String(i).padStart(2, '0')}`;
  const stored = made.map(({ status, segment }, i) =>
    storedCampaign({
      ...keyOf.record('campaigns', 'blue', idOf(i)),
      uuid: idOf(i),
      name: `${i}`,
      segment,
      ...states[status],
    }),
  );
  const search = (query: Record<string, string>) =>
    invoke(campaigns, {
      method: 'GET',
      resource: '/v1/shops/{slug}/campaigns',
      params: { slug: 'blue' },
      headers: basic('blue', editor.secret),
      query,
    });

  test.each(Object.keys(states))(
    'finds the campaigns that are %s, on exact pages and with other filters',
    async (status) => {
      holds(...stored);
      const pages = await Promise.all(['1', '2', '3', '4'].map((page) => search({ status, page, per_page: '3' })));
      expect(pages.map(({ body }) => body.length)).toEqual([3, 3, 1, 0]);
      const found = pages.flatMap(({ body }) => body);
      expect(new Set(found.map((campaign) => campaign.uuid)).size).toBe(7);
      expect(new Set(found.map((campaign) => campaign.status))).toEqual(new Set([status]));
      expect((await search({ status, segment: 'vip' })).body).toHaveLength(3);
    },
  );

  test('is refused with a status that does not exist', async () => {
    holds(...stored);
    expect(await search({ status: 'running' })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['query', 'status'] }] },
    });
  });
});

describe('the promotion for an order', () => {
  const { order } = parcel;
  const item = orderItem('blue', { ...order, segments: ['vip'] }, 1);
  const product = storedCampaign({ name: 'Products', segment: 'vip', promotion_type: 'product', enabled: true });
  const promotion = async (...settings: object[]) => {
    const open = { ...calendar('campaigns', 1), entries: [{ uuid, start_date: product.start_date, end_date: null }] };
    holds(item, product, open, ...settings);
    const { body } = await invoke(campaigns, {
      method: 'GET',
      resource: '/v1/shops/{slug}/orders/{order_id}/promotion',
      params: { slug: 'blue', order_id: order.uuid },
      headers: basic('blue', editor.secret),
      query: { explain: 'true' },
    });
    return [body.promotion?.uuid, body.explanation.map(({ reason }: { reason: string }) => reason)];
  };
  const withProducts = (product_recommendations_enabled: boolean | null) => ({
    ...keyOf.settings('blue'),
    campaigns: { product_recommendations_enabled },
  });

  test('is no product campaign while the shop has turned them off, and the explanation says so', async () => {
    expect(await promotion(withProducts(false))).toEqual([undefined, ['product_recommendations_off']]);
  });

  test('is a product campaign if the shop turned them on, or never said anything', async () => {
    expect(await promotion()).toEqual([uuid, ['chosen']]);
    expect(await promotion(withProducts(null))).toEqual([uuid, ['chosen']]);
    expect(await promotion(withProducts(true))).toEqual([uuid, ['chosen']]);
  });
});

describe('an A/B test', () => {
  test('is written with the calendar of its segment and its campaigns, in one transaction', async () => {
    const over = { uuid: 'over', start_date: '2026-01-01T00:00:00.000Z', end_date: '2026-01-02T00:00:00.000Z' };
    holds(storedCampaign({ tests: [over] }));
    const { status, body } = await createTest();
    expect(status).toBe(200);
    const [test, segment, campaign] = transactions()[0]!.map(({ Put }) => Put!);
    const period = { uuid: body.uuid, start_date: body.start_date, end_date: null };
    expect(test!.Item).toMatchObject({ uuid: body.uuid });
    expect(segment).toMatchObject({ Item: { version: 1, entries: [period] } });
    expect(segment!.ConditionExpression).toBe('attribute_not_exists(version)');
    expect(campaign!.Item).toEqual(storedCampaign({ tests: [period], version: 4 }));
    expect(campaign!.ExpressionAttributeValues).toEqual({ ':before': 3 });
  });

  test.each([
    ['is deleted', undefined, 404, 'campaign_not_found'],
    ['becomes one of another type', { promotion_type: 'product', version: 4 }, 422, 'campaign_type_invalid'],
  ] as const)('is refused when its campaign %s in the meantime', async (_, change, status, key) => {
    holds(storedCampaign());
    beforeNextRequest(TransactWriteCommand, () => {
      if (change) memoryTable.put(storedCampaign(change));
      else memoryTable.remove(storedCampaign());
    });
    expect(await createTest()).toMatchObject({ status, body: { key } });
  });

  test('is not written again when it is ended after its completion', async () => {
    const ended_at = '2026-01-02T00:00:00.000Z';
    const fields = { uuid, campaigns: [], start_date: '2026-01-01T00:00:00.000Z', end_date: null, ended_at };
    holds({ ...keyOf.record('abTests', 'blue', uuid), ...fields });
    const { status, body } = await invoke(abTests, {
      method: 'POST',
      resource: '/v1/shops/{slug}/ab-tests/{uuid}/end-test',
      params: { slug: 'blue', uuid },
      headers: basic('blue', editor.secret),
    });
    expect({ status, body }).toEqual({ status: 200, body: { ...fields, status: 'completed' } });
    expect(transactions()).toEqual([]);
  });
});
