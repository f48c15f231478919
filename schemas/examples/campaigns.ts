import type { Campaign, campaigns } from '../families/campaigns.ts';
import { discount } from './discounts.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, slug } from './story.ts';

const createdCampaign = {
  name: 'Autumn rain',
  segment: 'newsletter',
  promotion_type: 'product',
  enabled: true,
  start_date: '2026-11-15T00:00:00.000Z',
  end_date: '2026-12-01T00:00:00.000Z',
  discount_id: ids.discount,
  uuid: ids.campaign,
  shop_slug: slug,
  created_at: '2026-11-16T09:07:07.460Z',
  updated_at: '2026-11-16T09:07:07.460Z',
  status: 'active',
  promotion_properties: {
    title: 'Stay dry',
    subtitle: 'Rain trousers that go with your jacket',
    cta_label: 'Have a look',
    cta_url: `${hosts.shop}/rain`,
    image_url: null,
    discount_code: 'RAIN10',
    translations: [{ language: 'de', values: { title: 'Bleib trocken', cta_label: 'Ansehen' } }],
    products: [
      {
        image_url: null,
        product_url: `${hosts.shop}/fjord-trousers`,
        price: 89.9,
        currency: 'EUR',
        sku: 'FJORD-TR-M',
        translations: [],
        title: 'Rain trousers Fjord',
        uuid: ids.campaignProduct,
      },
    ],
  },
  discount,
} satisfies Campaign;

export const campaign = {
  ...createdCampaign,
  end_date: '2026-12-15T00:00:00.000Z',
  updated_at: '2026-11-16T09:07:14.830Z',
} satisfies Campaign;

export const campaignExamples = {
  createCampaign: {
    body: {
      name: 'Autumn rain',
      segment: 'newsletter',
      promotion_type: 'product',
      enabled: true,
      start_date: '2026-11-15T00:00:00Z',
      end_date: '2026-12-01T00:00:00Z',
      discount_id: ids.discount,
      promotion_properties: {
        title: 'Stay dry',
        subtitle: 'Rain trousers that go with your jacket',
        cta_label: 'Have a look',
        cta_url: `${hosts.shop}/rain`,
        discount_code: 'RAIN10',
        translations: [{ language: 'de', values: { title: 'Bleib trocken', cta_label: 'Ansehen' } }],
        products: [
          {
            title: 'Rain trousers Fjord',
            product_url: `${hosts.shop}/fjord-trousers`,
            price: 89.9,
            currency: 'EUR',
            sku: 'FJORD-TR-M',
          },
        ],
      },
    },
    response: createdCampaign,
  },
  updateCampaign: { params: { uuid: ids.campaign }, body: { end_date: '2026-12-15T00:00:00Z' }, response: campaign },
  getCampaign: {
    params: { uuid: ids.campaign },
    response: { ...campaign, counts: { shown: 1, clicked: 1 } },
  },
  searchCampaigns: { query: { segment: 'newsletter', enabled: true }, response: [campaign] },
  getPromotion: {
    params: { order_id: ids.order },
    query: { explain: true },
    response: {
      promotion: campaign,
      language: 'en',
      ab_test: null,
      explanation: [
        {
          kind: 'campaign',
          uuid: ids.campaign,
          name: 'Autumn rain',
          segment: 'newsletter',
          chosen: true,
          reason: 'chosen',
          message: 'The customer sees it.',
        },
      ],
    },
  },
  deleteCampaign: { params: { uuid: ids.campaign }, response: null },
} satisfies ExamplesOf<typeof campaigns>;
