import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Campaign } from '#schemas/families/campaigns.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, expectNoFailure, type Fields } from '#test/e2e/kit/orders.ts';
import { halves, inDays, type Marketer, newCampaign, newMarketer } from '#test/e2e/kit/promotions.ts';

let shop: Marketer;
beforeAll(async () => {
  shop = await newMarketer();
});

const update = (uuid: string, body: Fields) => shop.call('PUT', `/campaigns/${uuid}`, { body });
const get = (uuid: string, language?: string) =>
  shop.call('GET', `/campaigns/${uuid}`, { ...(language && { headers: { 'accept-language': language } }) });
const remove = (uuid: string) => shop.call('DELETE', `/campaigns/${uuid}`);
const found = async (query: Record<string, string | number>): Promise<string[]> =>
  accepted(await shop.call('GET', '/campaigns', { query })).map(({ uuid }: Campaign) => uuid);

/** A single campaign has counts. */
const uncounted = { shown: 0, clicked: 0 };

describe('a campaign', () => {
  test('is answered as it was created, with its defaults, and can be read again', async () => {
    const body = newCampaign();
    const campaign = accepted(await shop.postCampaign(body));
    expect(campaign).toEqual({
      ...body,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      shop_slug: shop.slug,
      enabled: false,
      status: 'inactive',
      start_date: campaign.created_at,
      end_date: null,
      promotion_properties: {
        title: null,
        subtitle: null,
        cta_label: null,
        cta_url: null,
        image_url: null,
        discount_code: null,
        translations: [],
        products: [],
      },
      discount_id: null,
      discount: null,
      created_at: expect.any(String),
      updated_at: campaign.created_at,
    });
    expect(accepted(await get(campaign.uuid))).toEqual({ ...campaign, counts: uncounted });
    expect(accepted(await get(campaign.uuid.toUpperCase()))).toEqual({ ...campaign, counts: uncounted });
  });

  test('shows its status, and its discount as long as that exists', async () => {
    expectDone(await shop.call('POST', '/discounts', { body: { type: 'order', code: 'TEN', value: 10 } }));
    const [discount] = accepted(await shop.call('GET', '/discounts', { query: { code: 'TEN' } }));
    const window = { enabled: true, start_date: inDays(1), end_date: inDays(2) };
    const campaign = await shop.campaign({ ...window, discount_id: discount.uuid.toUpperCase() });
    expect(campaign).toMatchObject({ ...window, status: 'scheduled', discount, discount_id: discount.uuid });
    expect(await shop.campaign({ enabled: true })).toMatchObject({ status: 'active' });
    expectDone(await shop.call('DELETE', `/discounts/${discount.uuid}`));
    expect(accepted(await get(campaign.uuid))).toMatchObject({ discount: null, discount_id: discount.uuid });
  });

  test('needs a discount that exists', async () => {
    const discount_id = randomUUID();
    const body = newCampaign({ discount_id, enabled: true });
    expectError(await shop.postCampaign(body), 404, 'discount_not_found');
    const campaign = await shop.campaign({ ...body, discount_id: null });
    expectError(await update(campaign.uuid, { discount_id }), 404, 'discount_not_found');
    expect(accepted(await get(campaign.uuid))).toEqual({ ...campaign, counts: uncounted });
  });

  test('shows its texts in the requested language', async () => {
    const translations = [{ language: 'de', values: { title: 'Hallo', subtitle: null } }];
    const products = [{ title: 'Shoe', translations: [{ language: 'de-AT', values: { title: 'Schuh' } }] }];
    const texts = { title: 'Hello', subtitle: 'You', cta_label: 'Go' };
    const { uuid } = await shop.campaign({
      promotion_type: 'product',
      promotion_properties: { ...texts, translations, products },
    });
    const properties = async (language: string) => accepted(await get(uuid, language)).promotion_properties;
    expect(await properties('fr')).toMatchObject({ ...texts, translations, products });
    const shown = { ...texts, title: 'Hallo', products: [{ title: 'Schuh' }] };
    expect(await properties('de-CH, en;q=0.5')).toMatchObject(shown);
    const { body } = await shop.call('GET', '/campaigns', { query: { uuid }, headers: { 'accept-language': 'de' } });
    expect(body[0].promotion_properties).toMatchObject(shown);
  });

  test('changes only the fields that an update names', async () => {
    const products = [{ title: 'A', sku: 'a', price: 9.99, currency: 'EUR' }, { title: 'B' }];
    const campaign = await shop.campaign({
      promotion_type: 'product',
      promotion_properties: { title: 'Hello', subtitle: 'You', products },
      end_date: inDays(1),
    });
    const [a] = campaign.promotion_properties.products;
    const given = { subtitle: null, products: [{ uuid: a!.uuid, title: 'A2' }, { title: 'C' }] };
    const after = accepted(await update(campaign.uuid, { end_date: null, promotion_properties: given }));
    expect(after).toMatchObject({ name: campaign.name, start_date: campaign.start_date, end_date: null });
    expect(after.promotion_properties).toMatchObject({
      title: 'Hello',
      subtitle: null,
      products: [
        { ...a, title: 'A2' },
        { title: 'C', price: null },
      ],
    });
    const unknown = { products: [{ uuid: randomUUID() }] };
    expectError(await update(campaign.uuid, { promotion_properties: unknown }), 404, 'campaign_product_not_found');
    expect(accepted(await get(campaign.uuid))).toEqual({ ...after, counts: uncounted });
  });

  test('that does not exist is not found', async () => {
    const { uuid } = await shop.campaign();
    expectDone(await remove(uuid));
    for (const gone of [uuid, randomUUID()]) {
      for (const answer of [await get(gone), await update(gone, {}), await remove(gone)]) {
        expectError(answer, 404, 'campaign_not_found');
      }
    }
    expectInvalid(await get('x'), ['path.uuid', 'value_error']);
  });

  test('is refused with all its faults', async () => {
    const wrong = { name: '', segment: 7, promotion_type: 'video', promotion_properties: { cta_url: 'javascript:x' } };
    expectInvalid(
      await shop.postCampaign(wrong),
      ['body.name', 'value_error'],
      ['body.segment', 'type_error'],
      ['body.promotion_type', 'value_error'],
      ['body.promotion_properties.cta_url', 'value_error'],
    );
    expectInvalid(
      await shop.call('POST', '/campaigns', { body: {} }),
      ['body.name', 'missing'],
      ['body.segment', 'missing'],
      ['body.promotion_type', 'missing'],
      ['body.promotion_properties', 'missing'],
    );
    expectInvalid(await shop.postCampaign({ start_date: inDays(2), end_date: inDays(1) }), [
      'body.end_date',
      'value_error',
    ]);
  });

  test('must have a known type', async () => {
    const fault = [{ loc: ['body', 'promotion_type'], msg: expect.any(String), type: 'value_error' }];
    expectError(await shop.postCampaign({ promotion_type: 'video' }), 422, 'campaign_type_invalid', fault);
    const { uuid } = await shop.campaign();
    expectError(await update(uuid, { promotion_type: 'video' }), 422, 'campaign_type_invalid', fault);
    expectInvalid(await shop.postCampaign({ promotion_type: 7 }), ['body.promotion_type', 'type_error']);
    const inQuery = await shop.call('GET', '/campaigns', { query: { promotion_type: 'video' } });
    expectInvalid(inQuery, ['query.promotion_type', 'value_error']);
  });

  test('accepts or refuses odd values and never causes an internal error', async () => {
    const odd: Fields[] = [
      { name: '\ud800', segment: '\udfff' },
      { segment: '💥'.repeat(127) },
      { start_date: '0000-01-01T00:00:00+23:59', end_date: '9999-12-31T23:59:60-23:59', enabled: true },
      { start_date: '2026-06-30 23:59:60z', end_date: '2026-07-01t00:00:00.0000000001Z' },
      { promotion_properties: null },
      { promotion_properties: { translations: [{ language: '__proto__', values: {} }], products: [null] } },
      { promotion_type: 'product', promotion_properties: { products: [{ title: 'x', price: 1e-300 }] } },
      { promotion_type: 'product', promotion_properties: { products: [{ title: 'x', price: 1e300 }] } },
      { discount_id: 'urn:uuid:00000000-0000-4000-8000-000000000000' },
    ];
    for (const fields of odd) expectNoFailure(await shop.postCampaign(fields), JSON.stringify(fields));
  });

  test('can be large, but is refused when it is too large to store', async () => {
    const values = (size: number) => ({ title: 'x'.repeat(500), subtitle: '€'.repeat(size) });
    const translations = (size: number) =>
      Array.from({ length: 50 }, (_, i) => ({ language: `x${i}`, values: values(size) }));
    await shop.campaign({ promotion_properties: { translations: translations(500) } });
    const answer = await shop.postCampaign({ promotion_properties: { translations: translations(1000) } });
    expectError(answer, 413, 'payload_too_large');
  });
});

describe('a search for campaigns', () => {
  test('finds those that match every filter, newest first', async () => {
    const segment = randomUUID();
    const dates = [
      { start_date: '2027-01-01T00:00:00Z', end_date: '2027-02-01T00:00:00Z' },
      { start_date: '2027-03-01T00:00:00Z', end_date: '2027-04-01T00:00:00Z' },
      { start_date: '2027-05-01T00:00:00Z' },
    ];
    const made: Campaign[] = [];
    for (const window of dates) made.unshift(await shop.campaign({ segment, ...window, enabled: made.length === 0 }));
    const [third, second, first] = made.map(({ uuid }) => uuid);
    expect(await found({ segment })).toEqual([third, second, first]);
    expect(await found({ segment, per_page: 1, page: 2 })).toEqual([second]);
    expect(await found({ segment, enabled: 'true' })).toEqual([first]);
    expect(await found({ segment, start_date: '2027-03-01T01:00:00+01:00' })).toEqual([third, second]);
    expect(await found({ segment, end_date: '2027-04-01T00:00:00Z' })).toEqual([second, first]);
    expect(await found({ segment, promotion_type: 'product' })).toEqual([]);
    expect(await found({ name: made[1]!.name })).toEqual([second]);
    expect(await found({ uuid: first! })).toEqual([first]);
    expect(await found({ uuid: first!, enabled: 'false' })).toEqual([]);
  });
});

describe('the name of a campaign', () => {
  test('belongs to one campaign of the shop until it is freed', async () => {
    const [first, second] = [await shop.campaign({ enabled: true }), await shop.campaign()];
    expectError(await shop.postCampaign({ name: first.name }), 409, 'campaign_exists');
    expectError(await shop.postCampaign(first as Fields), 409, 'campaign_exists');
    expectError(await update(second.uuid, { name: first.name }), 409, 'campaign_exists');
    accepted(await update(first.uuid, { name: `${first.name} 2` }));
    accepted(await update(second.uuid, { name: first.name }));
    expectDone(await remove(second.uuid));
    await shop.campaign({ name: first.name });
  });

  test('is given to one of many requests at once', async () => {
    const name = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.postCampaign({ name })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'campaign_exists');
    expect(await found({ name })).toHaveLength(1);
  });
});

describe('a segment', () => {
  const taken = 'campaign_active_segment_exists';

  test('has one enabled campaign at a time', async () => {
    const segment = randomUUID();
    const first = await shop.campaign({ segment, enabled: true, start_date: inDays(1), end_date: inDays(3) });
    const other = { segment, enabled: true };
    expectError(await shop.postCampaign({ ...other, start_date: inDays(2) }), 409, taken);
    expectError(await shop.postCampaign(other), 409, taken);
    await shop.campaign({ ...other, enabled: false });
    await shop.campaign({ ...other, segment: randomUUID() });
    const before = await shop.campaign({ ...other, end_date: first.start_date });
    const after = await shop.campaign({ ...other, start_date: first.end_date });
    expect([before.status, first.status, after.status]).toEqual(['active', 'scheduled', 'scheduled']);
  });

  test('is free again when its campaign is disabled, deleted, moved or shortened', async () => {
    const segment = randomUUID();
    const wanted = { segment, enabled: true, start_date: inDays(5) };
    const moves: Fields[] = [{ enabled: false }, { segment: randomUUID() }, { end_date: wanted.start_date }];
    for (const move of moves) {
      const { uuid } = await shop.campaign({ segment, enabled: true });
      expectError(await shop.postCampaign(wanted), 409, taken);
      accepted(await update(uuid, move));
      const next = await shop.campaign(wanted);
      expectError(await update(uuid, { enabled: true, segment, end_date: null }), 409, taken);
      expectDone(await remove(next.uuid));
      accepted(await update(uuid, { enabled: true, segment, end_date: null, promotion_properties: { title: 'x' } }));
      expectDone(await remove(uuid));
    }
  });

  test('is given to one of many new campaigns at once', async () => {
    const segment = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => shop.postCampaign({ segment, enabled: true, end_date: inDays(i + 1) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, taken);
    expect(await found({ segment })).toHaveLength(1);
  });

  test('is given to one of many campaigns that are enabled in it or moved to it at once', async () => {
    const segment = randomUUID();
    const places = [{ segment }, { segment, start_date: inDays(1) }, { enabled: true }];
    const made = await Promise.all([...places, ...places].map((place) => shop.campaign(place)));
    const answers = await Promise.all(made.map(({ uuid }) => update(uuid, { enabled: true, segment })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await found({ segment, enabled: 'true' })).toHaveLength(1);
  });
});

describe('a campaign in an A/B test', () => {
  test('is paused while the test runs, and keeps its type', async () => {
    const segment = randomUUID();
    const [first, second] = [await shop.campaign({ segment, enabled: true }), await shop.campaign({ segment })];
    const test = await shop.test({ segment, campaigns: halves(first, second) });
    expect(await Promise.all([first, second].map(shop.statusOf))).toEqual(['paused', 'paused']);
    expectError(await update(first.uuid, { promotion_type: 'product' }), 422, 'campaign_type_invalid', [
      { loc: ['body', 'promotion_type'], msg: expect.any(String), type: 'value_error' },
    ]);
    accepted(await update(first.uuid, { promotion_properties: { title: 'Still here' } }));
    expect(await shop.statusOf(first)).toBe('paused');
    accepted(await shop.call('POST', `/ab-tests/${test.uuid}/end-test`));
    expect(await Promise.all([first, second].map(shop.statusOf))).toEqual(['active', 'inactive']);
    accepted(await update(first.uuid, { promotion_type: 'product' }));
  });
});
