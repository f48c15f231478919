import { randomUUID } from 'node:crypto';
import type { Api } from './client.ts';

/** A request; a path that begins with `/v1` is not below the shop. */
export interface RecordRequest {
  path: string;
  body?: Record<string, unknown>;
  query?: Record<string, number>;
}

type Requests<Id extends string> = Record<Id, RecordRequest>;

/** A shop with two discounts, two announcements, two deals and two campaigns of its own, an A/B test and an order. */
export interface RecordShop {
  slug: string;
  discounts: [string, string];
  announcements: [string, string];
  deals: [string, string];
  campaigns: [string, string];
  abTest: string;
  order: string;
}

export async function newRecordShop(api: Api, key: string): Promise<RecordShop> {
  const slug = `records-${randomUUID()}`;
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const two = async (path: string, body: () => object) => {
    for (let i = 0; i < 2; i++) await api('POST', `/v1/shops/${slug}${path}`, { key, body: body() });
    const { body: found } = await api('GET', `/v1/shops/${slug}${path}`, { key });
    return found.map(({ uuid }: { uuid: string }) => uuid);
  };
  const discounts = await two('/discounts', () => ({ code: randomUUID(), type: 'order' }));
  const announcements = await two('/announcements', newAnnouncement);
  const deals = await two('/deals', () => ({ discount_id: discounts[0] }));
  const campaigns = await two('/campaigns', () => ({ ...newCampaign(), discount_id: discounts[0] }));
  const post = async (path: string, body: object) =>
    (await api('POST', `/v1/shops/${slug}${path}`, { key, body })).body;
  const { uuid: abTest } = await post('/ab-tests', newAbTest(campaigns[0]));
  await post('/orders', { order_number: 'one', external_id: 'one', address: {} });
  const [order] = (await api('GET', `/v1/shops/${slug}/orders`, { key })).body;
  return { slug, discounts, announcements, deals, campaigns, abTest, order: order.uuid };
}

const newAnnouncement = () => ({ text: randomUUID(), language: 'en' });
const newCampaign = () => ({
  name: randomUUID(),
  segment: randomUUID(),
  promotion_type: 'basic',
  promotion_properties: {},
  enabled: true,
});
const newAbTest = (campaign_id: string) => ({
  name: 'A test',
  segment: randomUUID(),
  campaign_type: 'basic',
  campaigns: [{ campaign_id, allocation: 100 }],
});
const pages = { first: { per_page: 1 }, second: { per_page: 1, page: 2 } };

/** A successful request of each operation; deletions use the second record. */
export const recordRequests = {
  DiscountsApi: ({ discounts: [kept, spare] }: RecordShop) =>
    ({
      createDiscount: { path: '/discounts', body: { code: randomUUID(), type: 'order' } },
      searchDiscounts: { path: '/discounts', query: pages.first },
      updateDiscount: { path: `/discounts/${kept}`, body: { code: randomUUID() } },
      deleteDiscount: { path: `/discounts/${spare}` },
    }) satisfies Requests<string>,
  AnnouncementsApi: ({ announcements: [kept, spare] }: RecordShop) =>
    ({
      createAnnouncement: { path: '/announcements', body: newAnnouncement() },
      searchAnnouncements: { path: '/announcements', query: pages.first },
      updateAnnouncement: { path: `/announcements/${kept}`, body: newAnnouncement() },
      deleteAnnouncement: { path: `/announcements/${spare}` },
    }) satisfies Requests<string>,
  DealsApi: ({ discounts: [discount], deals: [kept, spare] }: RecordShop) =>
    ({
      listAllDeals: { path: '/v1/deals', query: pages.first },
      listDeals: { path: '/deals' },
      createDeal: { path: '/deals', body: { discount_id: discount } },
      updateDeal: { path: `/deals/${kept}`, body: { discount_id: discount } },
      deleteDeal: { path: `/deals/${spare}` },
    }) satisfies Requests<string>,
  CampaignsApi: ({ discounts: [discount_id], campaigns: [kept, spare], order }: RecordShop) =>
    ({
      createCampaign: { path: '/campaigns', body: { ...newCampaign(), discount_id } },
      searchCampaigns: { path: '/campaigns', query: pages.first },
      getCampaign: { path: `/campaigns/${kept}` },
      updateCampaign: { path: `/campaigns/${kept}`, body: { name: randomUUID(), discount_id } },
      deleteCampaign: { path: `/campaigns/${spare}` },
      getPromotion: { path: `/orders/${order}/promotion` },
    }) satisfies Requests<string>,
  AbTestsApi: ({ campaigns: [campaign], abTest }: RecordShop) =>
    ({
      createAbTest: { path: '/ab-tests', body: newAbTest(campaign) },
      listAbTests: { path: '/ab-tests', query: pages.first },
      getAbTest: { path: `/ab-tests/${abTest}` },
      getAbTestResults: { path: `/ab-tests/${abTest}/results` },
      endAbTest: { path: `/ab-tests/${abTest}/end-test` },
    }) satisfies Requests<string>,
};

/** The second pages of the lists, whose beginnings are stored and read. */
export const furtherPages: Partial<Record<RecordFamily, RecordRequest>> = {
  DiscountsApi: { path: '/discounts', query: pages.second },
  AnnouncementsApi: { path: '/announcements', query: pages.second },
  DealsApi: { path: '/v1/deals', query: pages.second },
  CampaignsApi: { path: '/campaigns', query: pages.second },
  AbTestsApi: { path: '/ab-tests', query: pages.second },
};

export type RecordFamily = keyof typeof recordRequests;

export const pathIn = (slug: string, path: string) => (path.startsWith('/v1') ? path : `/v1/shops/${slug}${path}`);
