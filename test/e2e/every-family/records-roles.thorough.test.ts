import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { abTests } from '#schemas/families/ab-tests.ts';
import { announcements } from '#schemas/families/announcements.ts';
import { campaigns } from '#schemas/families/campaigns.ts';
import { deals } from '#schemas/families/deals.ts';
import { discounts } from '#schemas/families/discounts.ts';
import type { Operation } from '#schemas/families/operation.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { newRecordShop, pathIn, type RecordRequest, recordRequests } from '#test/e2e/kit/record-requests.ts';
import { api, keyFor, newShop, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';

const declared = { ...discounts, ...announcements, ...deals, ...campaigns, ...abTests };
type Id = keyof typeof declared;
type Role = (typeof shopRoles)[number];

/** The rights of each role, written by hand from the contract. */
const readers: readonly Role[] = ['viewer', 'editor', 'admin'];
const writers: readonly Role[] = ['editor', 'admin'];
const rights: Record<Id, readonly Role[]> = {
  createDiscount: writers,
  searchDiscounts: readers,
  updateDiscount: writers,
  deleteDiscount: writers,
  createAnnouncement: writers,
  searchAnnouncements: readers,
  updateAnnouncement: writers,
  deleteAnnouncement: writers,
  listAllDeals: readers,
  listDeals: readers,
  createDeal: writers,
  updateDeal: writers,
  deleteDeal: writers,
  createCampaign: writers,
  searchCampaigns: readers,
  getCampaign: readers,
  updateCampaign: writers,
  deleteCampaign: writers,
  getPromotion: readers,
  createAbTest: writers,
  listAbTests: readers,
  getAbTest: [],
  getAbTestResults: readers,
  endAbTest: writers,
};

const keys = {} as Record<Role, string>;
let slug: string;
let stranger: string;
let requests: Record<Id, RecordRequest>;

beforeAll(async () => {
  const shop = await newRecordShop(api, superAdmin);
  slug = shop.slug;
  for (const role of shopRoles) keys[role] = await keyFor(slug, role);
  stranger = await keyFor(await newShop());
  requests = Object.assign({}, ...Object.values(recordRequests).map((of) => of(shop)));
});

describe.each(Object.keys(rights) as Id[])('the operation %s', (id) => {
  const { method, path: declaredPath }: Operation = declared[id];

  test(`is allowed only to ${['SuperAdmin', ...rights[id]].join(', ')} of the shop`, async () => {
    const { path, ...call } = requests[id];
    const send = (key: string) => api(method, pathIn(slug, path), { key, ...call });
    const refused = shopRoles.filter((role) => !rights[id].includes(role)).map((role) => keys[role]);
    const strangers = declaredPath.includes('{slug}') ? [stranger] : [];
    for (const key of [...refused, ...strangers]) expectError(await send(key), 403, 'insufficient_rights');
    expectError(await api(method, pathIn(slug, path), call), 400, 'invalid_merchant_or_key');
    const [least] = rights[id];
    const { status, text } = await send(least ? keys[least] : superAdmin);
    expect(status, text).toBe(200);
  });

  test('needs an existing shop, valid uuids and valid pages', async () => {
    const { path, query, ...call } = requests[id];
    const { params, query: declaredQuery }: Operation = declared[id];
    const send = (shop: string, changed: string, page: object = {}) =>
      api(method, pathIn(shop, changed), { key: superAdmin, ...call, query: { ...query, ...page } });
    if (declaredPath.includes('{slug}')) expectError(await send(newSlug(), path), 404, 'shop_not_found');
    for (const name of Object.keys(params?.properties ?? {})) {
      expectInvalid(await send(slug, path.replace(/[0-9a-f-]{36}/, 'x')), [`path.${name}`, 'value_error']);
    }
    if (declaredQuery?.properties.page) {
      expectInvalid(await send(slug, path, { page: 0 }), ['query.page', 'value_error']);
    }
  });
});
