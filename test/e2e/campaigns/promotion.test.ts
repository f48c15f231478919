import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Considered, OrderPromotion } from '#schemas/families/campaigns.ts';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { inDays, type Marketer, newMarketer } from '#test/e2e/kit/promotions.ts';

let shop: Marketer;
beforeAll(async () => {
  shop = await newMarketer();
});

async function promotionOf({ uuid }: Pick<Order, 'uuid'>, more: { explain?: string; language?: string } = {}) {
  const { explain, language } = more;
  const answer = await shop.call('GET', `/orders/${uuid}/promotion`, {
    ...(explain && { query: { explain } }),
    ...(language && { headers: { 'accept-language': language } }),
  });
  return accepted(answer) as OrderPromotion;
}

const reasonsIn = ({ explanation }: OrderPromotion) =>
  Object.fromEntries(explanation!.map(({ uuid, reason }: Considered) => [uuid, reason]));

describe('the promotion of an order', () => {
  test('is nothing when the shop has no campaigns', async () => {
    const order = await shop.order();
    expect(await promotionOf(order)).toEqual({ promotion: null, language: 'en', ab_test: null });
    expect(await promotionOf(order, { explain: 'true' })).toMatchObject({ promotion: null, explanation: [] });
  });

  test('is the active campaign of a segment of the order, in the requested language', async () => {
    const segment = randomUUID();
    const campaign = await shop.campaign({
      segment,
      enabled: true,
      promotion_properties: { title: 'Hello', translations: [{ language: 'de', values: { title: 'Hallo' } }] },
    });
    const [draft, other] = [await shop.campaign({ segment }), await shop.campaign({ enabled: true })];
    const soon = await shop.campaign({ segment: 'all', enabled: true, start_date: inDays(1) });
    const order = await shop.order({ segments: ['x', segment] });
    expect(await promotionOf(order)).toEqual({ promotion: campaign, language: 'en', ab_test: null });
    const german = await promotionOf(order, { language: 'de', explain: 'true' });
    expect(german).toMatchObject({ language: 'de', promotion: { promotion_properties: { title: 'Hallo' } } });
    expect(reasonsIn(german)).toMatchObject({
      [campaign.uuid]: 'chosen',
      [draft.uuid]: 'disabled',
      [other.uuid]: 'other_segment',
      [soon.uuid]: 'not_started',
    });
    expect(german.explanation!.find(({ uuid }) => uuid === campaign.uuid)).toEqual({
      kind: 'campaign',
      uuid: campaign.uuid,
      name: campaign.name,
      segment,
      chosen: true,
      reason: 'chosen',
      message: expect.stringMatching(/\.$/),
    });
    const general = await shop.campaign({ segment: 'all', enabled: true, end_date: soon.start_date });
    expect((await promotionOf(order)).promotion?.uuid).toBe(campaign.uuid);
    expect((await promotionOf(await shop.order())).promotion?.uuid).toBe(general.uuid);
    for (const { uuid } of [general, soon]) await shop.call('DELETE', `/campaigns/${uuid}`);
  });

  test('is the variant of a running test, the same for every order of a customer, and nothing in the holdout', async () => {
    const segment = randomUUID();
    const segments = [segment];
    const usual = await shop.campaign({ segment, enabled: true });
    const variant = await shop.campaign({ segment });
    const shares = [usual, variant].map(({ uuid }) => ({ campaign_id: uuid, allocation: 35 }));
    const holdout = { has_holdout: true, holdout_percentage: 30 };
    const test = await shop.test({ segment, campaigns: shares, ...holdout });
    const seen = new Map<string, Order>();
    for (let i = 0; i < 60 && seen.size < 3; i++) {
      const order = await shop.order({ segments, external_customer_id: `c${i}` });
      const { promotion, ab_test } = await promotionOf(order);
      expect(ab_test).toEqual({
        ab_test_id: test.uuid,
        campaign_id: promotion?.uuid ?? null,
        holdout: promotion === null,
      });
      seen.set(promotion?.uuid ?? 'holdout', order);
    }
    expect([...seen.keys()].sort()).toEqual([usual.uuid, variant.uuid, 'holdout'].sort());
    for (const [expected, { external_customer_id }] of seen) {
      const again = await shop.order({ segments, external_customer_id: external_customer_id! });
      const promotion = await promotionOf(again, { explain: 'true' });
      expect(promotion.promotion?.uuid ?? 'holdout').toBe(expected);
      const others = { [usual.uuid]: 'in_ab_test', [variant.uuid]: 'in_ab_test' };
      expect(reasonsIn(promotion)).toMatchObject(
        expected === 'holdout' ? { ...others, [test.uuid]: 'holdout' } : { ...others, [expected]: 'chosen' },
      );
    }
    accepted(await shop.call('POST', `/ab-tests/${test.uuid}/end-test`));
    const after = await promotionOf(seen.get('holdout')!);
    expect(after).toMatchObject({ promotion: { uuid: usual.uuid, status: 'active' }, ab_test: null });
  });

  test('needs the uuid of an order of the shop', async () => {
    const elsewhere = await (await newMarketer()).order();
    for (const uuid of [randomUUID(), elsewhere.uuid]) {
      expectError(await shop.call('GET', `/orders/${uuid}/promotion`), 404, 'order_not_found');
    }
    expectInvalid(
      await shop.call('GET', '/orders/x/promotion', { query: { explain: 'perhaps' } }),
      ['path.order_id', 'value_error'],
      ['query.explain', 'type_error'],
    );
  });
});
