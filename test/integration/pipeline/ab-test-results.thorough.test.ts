import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { variantOf } from '#domain/promotions/ab-test.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { AbTest, AbTestResults } from '#schemas/families/ab-tests.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

const slug = 'tested';
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { username, secret } = service.operator;
  const key = `${username}:${secret}`;
  const answer = await clientOf(service.stack.url)(method, path, { key, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as T;
}
const inShop = <T>(method: string, path: string, body?: unknown) => call<T>(method, `/v1/shops/${slug}${path}`, body);

/** A test of a campaign against nothing that somebody made two months ago. */
async function oldTest(): Promise<AbTest> {
  const promotion = { promotion_type: 'basic', promotion_properties: {} };
  const { uuid } = await inShop<{ uuid: string }>('POST', '/campaigns', { name: 'A', segment: 'all', ...promotion });
  const made = await inShop<AbTest>('POST', '/ab-tests', {
    name: 'A against nothing',
    segment: 'all',
    campaign_type: 'basic',
    campaigns: [{ campaign_id: uuid, allocation: 50 }],
    has_holdout: true,
    holdout_percentage: 50,
    start_date: daysAgo(60),
  });
  // Nobody can wait for that here.
  await service.table.send(
    new UpdateCommand({
      TableName: service.tableName,
      Key: keyOf.record('abTests', slug, made.uuid),
      UpdateExpression: 'SET created_at = :then',
      ExpressionAttributeValues: { ':then': daysAgo(60) },
    }),
  );
  return made;
}

const orderOf = (customer: string, id: string, days: number) => ({
  id: `${customer}-${id}`,
  order: { external_customer_id: customer, order_placed_at: daysAgo(days) },
  trackings: [],
});

test('orders become results: who came back within thirty days, once that time is over', async () => {
  await call('POST', '/v1/shops', { name: 'Tested', slug });
  const made = await oldTest();
  const customers = Array.from({ length: 400 }, (_, i) => `customer-${i}`);
  const sees = (customer: string) => variantOf(made, customer) !== undefined;
  // Of those who see the campaign three of four come back, of the others one of four.
  const comesBack = (customer: string, i: number) => (sees(customer) ? i % 4 > 0 : i % 4 === 0);
  const first = customers.map((customer) => orderOf(customer, 'first', 50));
  const second = customers.filter(comesBack).map((customer) => orderOf(customer, 'second', 40));
  const young = ['young-1', 'young-2', 'young-3'].map((customer) => orderOf(customer, 'first', 5));
  await inShop('PUT', '/orders/bulk', first);
  await inShop('PUT', '/orders/bulk', [...second, ...young]);
  const isOf = (arm: 'control' | 'campaign') => (customer: string) => sees(customer) === (arm === 'campaign');
  const expected = (['control', 'campaign'] as const).map((arm) => ({
    orders: [...customers, 'young-1', 'young-2', 'young-3'].filter(isOf(arm)).length,
    orders_observed: customers.filter(isOf(arm)).length,
    reordered: customers.filter(comesBack).filter(isOf(arm)).length,
  }));
  const results = () => inShop<AbTestResults>('GET', `/ab-tests/${made.uuid}/results`);
  await vi.waitFor(
    async () =>
      expect(
        (await results()).arms.map(({ orders, orders_observed, reordered }) => ({
          orders,
          orders_observed,
          reordered,
        })),
      ).toEqual(expected),
    { timeout: 60_000, interval: 300 },
  );
  const { comparisons, srm, decision } = await results();
  expect(comparisons).toMatchObject([{ against: null, metric: 'reordered', verdict: 'better' }]);
  expect({ ok: srm.ok, decision }).toEqual({ ok: true, decision: 'better' });
}, 120_000);
