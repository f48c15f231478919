import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { variantOf } from '#domain/promotions/ab-test.ts';
import type { AbTest, AbTestResults } from '#schemas/families/ab-tests.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone } from '#test/e2e/kit/orders.ts';
import { halves, inDays, type Marketer, newMarketer, newTest } from '#test/e2e/kit/promotions.ts';
import { api } from '#test/e2e/kit/shared-stack.ts';

let shop: Marketer;
let variants: [Campaign, Campaign];
beforeAll(async () => {
  shop = await newMarketer();
  variants = [await shop.campaign(), await shop.campaign()];
});

const end = (uuid: string) => shop.call('POST', `/ab-tests/${uuid}/end-test`);
const get = (uuid: string) => shop.call('GET', `/ab-tests/${uuid}`);

/** Only a single test has the counts of its variants. */
const uncounted = { shown: 0, clicked: 0 };
const counted = (test: AbTest) => ({
  ...test,
  campaigns: test.campaigns.map((variant) => ({ ...variant, counts: uncounted })),
});
const overlap = 'a_b_test_overlap';

describe('an A/B test', () => {
  test('is answered with its campaigns, and can be read again', async () => {
    const [first, second] = variants;
    const body = newTest({
      campaigns: [
        { campaign_id: first.uuid.toUpperCase(), allocation: 60 },
        { campaign_id: second.uuid, allocation: 30 },
      ],
      has_holdout: true,
      holdout_percentage: 10,
      start_date: inDays(1),
      end_date: inDays(2),
    });
    const test: AbTest = accepted(await shop.call('POST', '/ab-tests', { body }));
    expect(test).toEqual({
      ...body,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      shop_slug: shop.slug,
      campaigns: [
        { ...first, campaign_id: first.uuid, allocation: 60 },
        { ...second, campaign_id: second.uuid, allocation: 30 },
      ],
      status: 'scheduled',
      ended_at: null,
      created_at: expect.any(String),
      updated_at: test.created_at,
    });
    expect(accepted(await get(test.uuid))).toEqual(counted(test));
    expect(accepted(await shop.call('GET', '/ab-tests', { query: { per_page: 1 } }))).toEqual([test]);
  });

  test('starts now unless the request says otherwise, and is listed page by page', async () => {
    const own = await newMarketer();
    const campaigns = halves(await own.campaign());
    const tests = [await own.test({ campaigns }), await own.test({ campaigns, end_date: inDays(1) })];
    expect(tests[0]).toMatchObject({ status: 'running', start_date: tests[0]!.created_at, end_date: null });
    expect(tests[0]).toMatchObject({ has_holdout: false, holdout_percentage: null });
    const page = (number: number) => own.call('GET', '/ab-tests', { query: { per_page: 1, page: number } });
    expect(accepted(await page(1))).toMatchObject([{ uuid: tests[1]!.uuid }]);
    expect(accepted(await page(2))).toMatchObject([{ uuid: tests[0]!.uuid }]);
    expect(accepted(await page(3))).toEqual([]);
  });

  test('needs shares of a hundred percent, different campaigns and a valid period', async () => {
    const [first, second] = variants;
    const faulty = (fields: object) => shop.postTest({ campaigns: halves(first, second), ...fields });
    const sharesOf = (...shares: number[]) =>
      shares.map((allocation, i) => ({ campaign_id: variants[i]!.uuid, allocation }));
    expectInvalid(await faulty({ campaigns: sharesOf(50, 49) }), ['body.campaigns', 'value_error']);
    expectInvalid(await faulty({ has_holdout: true, holdout_percentage: 1 }), ['body.campaigns', 'value_error']);
    expectInvalid(await faulty({ campaigns: sharesOf(90), holdout_percentage: 10 }), [
      'body.holdout_percentage',
      'value_error',
    ]);
    expectInvalid(await faulty({ campaigns: halves(first, first) }), ['body.campaigns.1.campaign_id', 'value_error']);
    expectInvalid(await faulty({ end_date: inDays(-1) }), ['body.end_date', 'value_error']);
    expectInvalid(await faulty({ holdout_percentage: 101 }), ['body.holdout_percentage', 'value_error']);
    expectInvalid(await faulty({ campaigns: [] }), ['body.campaigns', 'value_error']);
    expectInvalid(
      await shop.call('POST', '/ab-tests', { body: {} }),
      ['body.name', 'missing'],
      ['body.segment', 'missing'],
      ['body.campaign_type', 'missing'],
      ['body.campaigns', 'missing'],
    );
  });

  test('needs campaigns that exist', async () => {
    const gone = await shop.campaign();
    expectDone(await shop.call('DELETE', `/campaigns/${gone.uuid}`));
    const elsewhere = await (await newMarketer()).campaign();
    for (const missing of [gone, elsewhere, { uuid: randomUUID() }]) {
      expectError(await shop.postTest({ campaigns: halves(variants[0], missing) }), 404, 'campaign_not_found');
    }
  });

  test('needs campaigns of its type, and a known type', async () => {
    const product = await shop.campaign({ promotion_type: 'product' });
    const fault = (...loc: unknown[]) => [{ loc: ['body', ...loc], msg: expect.any(String), type: 'value_error' }];
    const campaigns = halves(variants[0], product);
    expectError(await shop.postTest({ campaigns }), 422, 'campaign_type_invalid', fault('campaigns', 1, 'campaign_id'));
    expectError(
      await shop.postTest({ campaigns, campaign_type: 'video' }),
      422,
      'campaign_type_invalid',
      fault('campaign_type'),
    );
  });

  test('continues when one of its campaigns is deleted', async () => {
    const spare = await shop.campaign();
    const test = await shop.test({ campaigns: halves(variants[0], spare) });
    expectDone(await shop.call('DELETE', `/campaigns/${spare.uuid}`));
    expect(accepted(await get(test.uuid)).campaigns[1]).toEqual({
      campaign_id: spare.uuid,
      allocation: 50,
      counts: uncounted,
    });
    expect(accepted(await end(test.uuid)).status).toBe('completed');
  });

  test('that does not exist is not found', async () => {
    for (const answer of [await get(randomUUID()), await end(randomUUID())]) {
      expectError(answer, 404, 'a_b_test_not_found');
    }
    expectInvalid(await end('x'), ['path.uuid', 'value_error']);
  });
});

describe('the results of an A/B test', () => {
  const results = async (uuid: string): Promise<AbTestResults> =>
    accepted(await shop.call('GET', `/ab-tests/${uuid}/results`));

  test('are empty and undecided before it starts, with a deleted campaign as one of the arms', async () => {
    const spare = await shop.campaign();
    const share = (campaign_id: string, allocation: number) => ({ campaign_id, allocation });
    const test = await shop.test({
      campaigns: [share(variants[0].uuid, 40), share(spare.uuid, 40)],
      has_holdout: true,
      holdout_percentage: 20,
      start_date: inDays(1),
    });
    expectDone(await shop.call('DELETE', `/campaigns/${spare.uuid}`));
    const { arms, comparisons, decision } = await results(test.uuid);
    expect(arms.map(({ campaign_id, orders }) => [campaign_id, orders])).toEqual([
      [null, 0],
      [variants[0].uuid, 0],
      [spare.uuid, 0],
    ]);
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided', 'undecided']);
    expect(decision).toBe('undecided');
    expectError(await shop.call('GET', `/ab-tests/${randomUUID()}/results`), 404, 'a_b_test_not_found');
  });

  test('count each customer once, in the arm that decides about the page, and what was shown', async () => {
    const segment = randomUUID();
    const test = await shop.test({ segment, campaigns: halves(...variants) });
    const customers = Array.from({ length: 12 }, (_, i) => `${randomUUID()}-${i}`);
    const orders = [...customers, ...customers.slice(0, 4)].map((external_customer_id, i) => ({
      id: `${segment}-${i}`,
      order: { external_customer_id, segments: [segment], order_placed_at: inDays(i / 10_000) },
      trackings: [],
    }));
    for (const some of [orders.slice(0, customers.length), orders.slice(customers.length)]) {
      expectDone(await shop.call('PUT', '/orders/bulk', { body: some }));
    }
    const planned = variants.map(({ uuid }) => customers.filter((one) => variantOf(test, one) === uuid).length);
    await vi.waitFor(async () => expect((await results(test.uuid)).arms.map(({ orders }) => orders)).toEqual(planned), {
      timeout: 60_000,
      interval: 200,
    });
    const [order] = await shop.orders({ order_number: `${segment}-0` });
    const page = `/v1/tracking/${order!.tracking_page_url!.split('/').at(-1)}`;
    const { promotion } = accepted(await api('GET', page));
    const { arms, comparisons, srm } = await results(test.uuid);
    const shownIn = arms.map(({ campaign_id, shown, rates }) => [campaign_id === promotion.promotion_id, shown, rates]);
    for (const [isShown, shown, rates] of shownIn) {
      expect([shown, rates]).toEqual(isShown ? [1, { clicked: 0, reordered: null }] : [0, noRates]);
    }
    // Nobody has had thirty days to come back.
    expect(arms.map(({ orders_observed, reordered }) => [orders_observed, reordered])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(comparisons.map(({ metric, low, high }) => [metric, low, high])).toEqual([
      ['reordered', -1, 1],
      ['clicked', -1, 1],
    ]);
    expect(srm.ok).toBe(true);
  }, 90_000);

  const noRates = { clicked: null, reordered: null };
});

describe('the end of an A/B test', () => {
  test('completes it once, and frees its segment', async () => {
    const segment = randomUUID();
    const fields = { segment, campaigns: halves(...variants) };
    const test = await shop.test(fields);
    const refused = await shop.postTest(fields);
    expectError(refused, 409, overlap);
    expect(refused.body.message).toMatch(/ It is the A\/B test [0-9a-f-]{36}: \S/);
    const ended = accepted(await end(test.uuid));
    expect(ended).toMatchObject({ uuid: test.uuid, status: 'completed', ended_at: expect.any(String), end_date: null });
    expect(accepted(await end(test.uuid))).toEqual(ended);
    expect(accepted(await get(test.uuid))).toEqual(counted(ended));
    await shop.test(fields);
  });
});

describe('two A/B tests of a segment', () => {
  test('can neither overlap nor touch', async () => {
    const segment = randomUUID();
    const fields = { segment, campaigns: halves(...variants) };
    const first = await shop.test({ ...fields, start_date: inDays(5), end_date: inDays(8) });
    for (const period of [
      { start_date: inDays(6), end_date: inDays(7) },
      { start_date: first.end_date },
      { end_date: first.start_date },
      {},
    ]) {
      expectError(await shop.postTest({ ...fields, ...period }), 409, overlap);
    }
    await shop.test({ ...fields, start_date: inDays(9) });
    await shop.test({ ...fields, end_date: inDays(4) });
    await shop.test({ ...fields, segment: randomUUID() });
    const past = await shop.test({ ...fields, start_date: inDays(-2), end_date: inDays(-1) });
    expect(past.status).toBe('completed');
  });

  test('cannot both be created at once', async () => {
    const segment = randomUUID();
    const fields = { segment, campaigns: halves(...variants) };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => shop.postTest({ ...fields, end_date: inDays(i + 1) })),
    );
    const created = answers.filter(({ status }) => status === 200);
    expect(created).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, overlap);
    const listed: AbTest[] = accepted(await shop.call('GET', '/ab-tests', { query: { per_page: 100 } }));
    expect(listed.filter((test) => test.segment === segment).map(({ uuid }) => uuid)).toEqual([created[0]!.body.uuid]);
  });
});
