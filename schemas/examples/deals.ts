import type { deals } from '../families/deals.ts';
import { discount } from './discounts.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, slug } from './story.ts';

const translations = [
  { language: 'de', data: { title: '10 % auf Regenkleidung', description: 'Auf alles, was trocken hält.' } },
];

const createdDeal = {
  uuid: ids.deal,
  shop_slug: slug,
  shop_name: 'Nordlicht Outdoor',
  discount_id: ids.discount,
  brand_image_url: null,
  brand_logo_url: `${hosts.shop}/images/logo.png`,
  cta_url: `${hosts.shop}/rain`,
  title: '10 % off rainwear',
  description: 'For everything that keeps you dry.',
  rank: 1,
  discount,
  translations,
  created_at: '2026-11-16T09:06:48.350Z',
  updated_at: '2026-11-16T09:06:48.350Z',
};

const deal = {
  ...createdDeal,
  brand_image_url: `${hosts.shop}/images/rain.jpg`,
  updated_at: '2026-11-16T09:06:52.730Z',
};

export const dealExamples = {
  createDeal: {
    body: {
      discount_id: ids.discount,
      title: '10 % off rainwear',
      description: 'For everything that keeps you dry.',
      cta_url: `${hosts.shop}/rain`,
      brand_logo_url: `${hosts.shop}/images/logo.png`,
      translations,
    },
    response: createdDeal,
  },
  updateDeal: {
    params: { deal_id: ids.deal },
    body: { rank: 1, brand_image_url: `${hosts.shop}/images/rain.jpg` },
    response: deal,
  },
  listDeals: { query: { per_page: 10 }, response: [deal] },
  listAllDeals: { query: { per_page: 10 }, response: [deal] },
  deleteDeal: { params: { deal_id: ids.deal }, response: null },
} satisfies ExamplesOf<typeof deals>;
