import { randomUUID } from 'node:crypto';
import type { Api } from './client.ts';

/** What to send, and where; a path that begins with `/v1` is not the shop's. */
export interface RecordRequest {
  path: string;
  body?: Record<string, unknown>;
  query?: Record<string, number>;
}

type Requests<Id extends string> = Record<Id, RecordRequest>;

/** A shop with two discounts, two announcements and two deals of its own. */
export interface RecordShop {
  slug: string;
  discounts: [string, string];
  announcements: [string, string];
  deals: [string, string];
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
  return { slug, discounts, announcements, deals };
}

const newAnnouncement = () => ({ text: randomUUID(), language: 'en' });
const pages = { first: { per_page: 1 }, second: { per_page: 1, page: 2 } };

/** Each operation of the families as it succeeds; deleting takes the second one. */
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
};

/** The same lists further on: where their pages begin is kept and read. */
export const furtherPages: Partial<Record<RecordFamily, RecordRequest>> = {
  DiscountsApi: { path: '/discounts', query: pages.second },
  AnnouncementsApi: { path: '/announcements', query: pages.second },
  DealsApi: { path: '/v1/deals', query: pages.second },
};

export type RecordFamily = keyof typeof recordRequests;

export const pathIn = (slug: string, path: string) => (path.startsWith('/v1') ? path : `/v1/shops/${slug}${path}`);
