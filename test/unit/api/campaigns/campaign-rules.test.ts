import { describe, expect, test } from 'vitest';
import { newAbTest, variantsOf } from '#api/ab-tests/ab-test-rules.ts';
import { changedCampaign, newCampaign } from '#api/campaigns/campaign-rules.ts';
import { campaignFilter } from '#api/campaigns/campaigns.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import type { ServiceError } from '#platform/errors.ts';
import type { AbTestCreate } from '#schemas/families/ab-tests.ts';
import type { CampaignCreate, CampaignFilters, CampaignUpdate } from '#schemas/families/campaigns.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
let ids = 0;
const newId = () => `product-${++ids}`;

const body = (fields: Partial<CampaignCreate> = {}): CampaignCreate => ({
  name: 'Summer',
  segment: 'vip',
  promotion_type: 'product',
  promotion_properties: {},
  enabled: false,
  ...fields,
});
const stored = (fields: Partial<CampaignCreate> = {}) =>
  ({ ...newCampaign(body(fields), now, newId), uuid: 'c', version: 1 }) as CampaignRecord;
const changed = (before: CampaignRecord, change: CampaignUpdate) => changedCampaign(before, change, now, newId);

function refusal(attempt: () => unknown): Pick<ServiceError, 'key' | 'details'> {
  try {
    attempt();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('It was not refused.');
}
const placesOf = ({ details }: Pick<ServiceError, 'details'>) => details.errors!.map(({ loc }) => loc.join('.'));

describe('a new campaign', () => {
  test('starts now and has no end unless the request names them', () => {
    for (const dates of [{}, { start_date: null, end_date: null }]) {
      expect(newCampaign(body(dates), now, newId)).toMatchObject({ start_date: now.toISOString(), end_date: null });
    }
  });

  test('keeps its times in UTC', () => {
    const dates = { start_date: '2026-06-01T02:00:00+02:00', end_date: '2026-06-02T00:00:00z' };
    expect(newCampaign(body(dates), now, newId)).toMatchObject({
      start_date: '2026-06-01T00:00:00.000Z',
      end_date: '2026-06-02T00:00:00.000Z',
    });
  });

  test.each(['2026-06-15T12:00:00Z', '2026-06-15T13:00:00+02:00'])(
    'is refused with the end %s, which is not after its start',
    (end_date) => {
      const error = refusal(() => newCampaign(body({ end_date }), now, newId));
      expect(error.key).toBe('invalid_payload');
      expect(placesOf(error)).toEqual(['body.end_date']);
    },
  );

  test('has products only if it is a product campaign', () => {
    const promotion_properties = { products: [{ title: 'Shoe', price: 19.999999 }] };
    const product = { title: 'Shoe', price: 20, sku: null, translations: [], uuid: expect.any(String) };
    expect(stored({ promotion_properties }).promotion_properties.products).toMatchObject([product]);
    expect(stored({ promotion_properties, promotion_type: 'basic' }).promotion_properties.products).toEqual([]);
  });
});

describe('a changed campaign', () => {
  test('keeps absent fields and clears fields that are null', () => {
    const before = stored({ end_date: '2027-01-01T00:00:00Z', promotion_properties: { title: 'A', subtitle: 'B' } });
    const after = changed(before, { end_date: null, promotion_properties: { subtitle: null } });
    expect(after).toMatchObject({ name: 'Summer', start_date: before.start_date, end_date: null });
    expect(after.promotion_properties).toMatchObject({ title: 'A', subtitle: null });
  });

  test('is refused when its new start is not before its end', () => {
    const before = stored({ end_date: '2026-07-01T00:00:00Z' });
    const error = refusal(() => changed(before, { start_date: '2026-07-01T00:00:00Z' }));
    expect(placesOf(error)).toEqual(['body.end_date']);
  });

  test('keeps, changes, adds and drops products by their uuid', () => {
    const products = [
      { title: 'A', sku: 'a' },
      { title: 'B', sku: 'b' },
    ];
    const before = stored({ promotion_properties: { products } });
    const [, b] = before.promotion_properties.products;
    const given = [{ uuid: b!.uuid.toUpperCase(), title: 'B2' }, { title: 'C' }];
    const after = changed(before, { promotion_properties: { products: given } }).promotion_properties.products;
    expect(after).toMatchObject([
      { uuid: b!.uuid, title: 'B2', sku: 'b' },
      { title: 'C', sku: null },
    ]);
    expect(new Set([...before.promotion_properties.products, ...after].map(({ uuid }) => uuid)).size).toBe(3);
  });

  test('cannot name a product of another campaign', () => {
    const products = [{ uuid: '00000000-0000-4000-8000-000000000000' }];
    expect(refusal(() => changed(stored(), { promotion_properties: { products } })).key).toBe(
      'campaign_product_not_found',
    );
  });

  test('cannot name a product twice', () => {
    const before = stored({ promotion_properties: { products: [{ title: 'A' }] } });
    const { uuid } = before.promotion_properties.products[0]!;
    const products = [{ uuid }, { title: 'B' }, { uuid: uuid.toUpperCase() }];
    const error = refusal(() => changed(before, { promotion_properties: { products } }));
    expect(placesOf(error)).toEqual(['body.promotion_properties.products.2.uuid']);
  });

  test('is refused with the place of every new product without a title', () => {
    const error = refusal(() => changed(stored(), { promotion_properties: { products: [{}, { title: 'x' }, {}] } }));
    const products = 'body.promotion_properties.products';
    expect(placesOf(error)).toEqual([`${products}.0.title`, `${products}.2.title`]);
  });

  test('keeps its type as long as an A/B test needs it', () => {
    const test = { uuid: 't', start_date: '2026-06-20T00:00:00.000Z', end_date: null };
    const inTest = { ...stored(), tests: [test] };
    expect(refusal(() => changed(inTest, { promotion_type: 'basic' })).key).toBe('campaign_type_invalid');
    const over = { ...stored(), tests: [{ ...test, start_date: '', end_date: '2026-06-15T12:00:00.000Z' }] };
    expect(changed(over, { promotion_type: 'basic' })).toMatchObject({ promotion_type: 'basic', tests: [] });
  });
});

describe('the campaign filter', () => {
  const campaign = stored({ start_date: '2026-06-10T00:00:00Z', end_date: '2026-06-20T00:00:00Z' });
  test.each<[Partial<CampaignFilters>, boolean]>([
    [{ start_date: '2026-06-10T00:00:00Z' }, true],
    [{ start_date: '2026-06-10T00:00:01Z' }, false],
    [{ end_date: '2026-06-20T00:00:00Z' }, true],
    [{ end_date: '2026-06-19T23:59:59Z' }, false],
    [{ end_date: '2026-06-20T00:00:00Z', enabled: true }, false],
    [{ start_date: '2026-06-01T02:00:00+02:00', segment: 'vip', enabled: false }, true],
  ])('with %j matches a campaign from 10 to 20 June: %s', (filters, found) => {
    expect(campaignFilter({ page: 1, per_page: 30, ...filters }, now)!(campaign)).toBe(found);
  });

  const inTest = [{ uuid: 't', start_date: '2026-06-14T00:00:00.000Z', end_date: null }];
  test.each([
    ['inactive', campaign],
    ['inactive', { ...campaign, enabled: true, end_date: '2026-06-15T12:00:00.000Z' }],
    ['active', { ...campaign, enabled: true }],
    ['scheduled', { ...campaign, enabled: true, start_date: '2026-06-15T12:00:00.001Z' }],
    ['paused', { ...campaign, enabled: true, tests: inTest }],
  ] as const)('with the status %s matches a campaign of that status and no other status', (status, one) => {
    const matching = (['inactive', 'scheduled', 'active', 'paused'] as const).filter((wanted) =>
      campaignFilter({ page: 1, per_page: 30, status: wanted }, now)!(one),
    );
    expect(matching).toEqual([status]);
    expect(campaignFilter({ page: 1, per_page: 30, status, segment: 'new' }, now)!(one)).toBe(false);
  });

  test('with an end date does not match a campaign without an end', () => {
    const filter = campaignFilter({ page: 1, per_page: 30, end_date: '2099-01-01T00:00:00Z' }, now)!;
    expect(filter({ ...campaign, end_date: null })).toBe(false);
  });

  test('does not exist when the request filters by nothing', () => {
    expect(campaignFilter({ page: 2, per_page: 30, uuid: 'c' }, now)).toBeUndefined();
  });
});

describe('a new A/B test', () => {
  const create = (fields: Partial<AbTestCreate> = {}) =>
    newAbTest(
      {
        name: 'A test',
        segment: 'vip',
        campaign_type: 'product',
        campaigns: [
          { campaign_id: 'A', allocation: 50 },
          { campaign_id: 'b', allocation: 50 },
        ],
        has_holdout: false,
        ...fields,
      },
      now,
    );
  const shares = (...allocations: number[]) =>
    allocations.map((allocation, i) => ({ campaign_id: `c${i}`, allocation }));

  test.each<Partial<AbTestCreate>>([
    {},
    { holdout_percentage: 0 },
    { holdout_percentage: null, has_holdout: true },
    { holdout_percentage: 10, has_holdout: true, campaigns: shares(45, 45) },
    { campaigns: shares(100) },
    { campaigns: shares(0), holdout_percentage: 100, has_holdout: true },
  ])('is accepted with %j', (fields) => {
    expect(create(fields)).toMatchObject({ start_date: now.toISOString(), end_date: null, ended_at: null });
  });

  test.each<[Partial<AbTestCreate>, string[]]>([
    [{ campaigns: shares(50, 49) }, ['body.campaigns']],
    [{ campaigns: shares(50, 51) }, ['body.campaigns']],
    [{ holdout_percentage: 10, has_holdout: true }, ['body.campaigns']],
    [{ holdout_percentage: 10, campaigns: shares(90) }, ['body.holdout_percentage']],
    [{ has_holdout: true, campaigns: shares(90) }, ['body.campaigns']],
    [{ campaigns: [...shares(50), { campaign_id: 'C0', allocation: 50 }] }, ['body.campaigns.1.campaign_id']],
    [{ end_date: '2026-06-15T12:00:00Z' }, ['body.end_date']],
    [
      { end_date: '2026-06-01T12:00:00Z', holdout_percentage: 1 },
      ['body.holdout_percentage', 'body.campaigns', 'body.end_date'],
    ],
  ])('is refused with %j', (fields, places) => {
    const error = refusal(() => create(fields));
    expect(error.key).toBe('invalid_payload');
    expect(placesOf(error)).toEqual(places);
  });

  test('says that its customers are counted', () => {
    expect(create()).toMatchObject({ counted: true });
  });

  test('is refused when its campaigns do not exist or are of another type', () => {
    const [a, b] = [
      { ...stored(), uuid: 'a' },
      { ...stored(), uuid: 'b' },
    ];
    const found = (...campaigns: CampaignRecord[]) => new Map(campaigns.map((one) => [one.uuid, one]));
    expect(variantsOf(create(), found(b, a))).toEqual([a, b]);
    expect(refusal(() => variantsOf(create(), found(a))).key).toBe('campaign_not_found');
    const error = refusal(() => variantsOf(create(), found(a, { ...b, promotion_type: 'basic' })));
    expect(error.key).toBe('campaign_type_invalid');
    expect(placesOf(error)).toEqual(['body.campaigns.1.campaign_id']);
  });
});
