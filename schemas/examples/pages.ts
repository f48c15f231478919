import type { pages } from '../families/pages.ts';
import type { TrackingPage } from '../shapes/tracking-page.ts';
import type { ExamplesOf } from './example.ts';
import { deliveredParcel, order } from './order.ts';
import { palette } from './settings.ts';
import { firstNumber, hosts, ids, pageToken } from './story.ts';

const page = `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Order ${order.order_number}</title>`;

const facts = {
  order_number: order.order_number,
  language: 'en',
  shop: { name: 'Nordlicht Outdoor', logo_url: null, palette },
  parcels: [
    {
      tracking_number: firstNumber,
      carrier: {
        carrier_reference: 'dhl',
        name: 'DHL',
        tracking_url: deliveredParcel.carrier.tracking_url,
      },
      is_return: false,
      phase: 'delivered',
      flag: 'normal',
      event_name: 'SUCCESSFULLY_DELIVERED',
      event_strings: deliveredParcel.events[2]!.event_strings,
      estimated_arrival: null,
      pickup: null,
      products: [{ title: 'Rain jacket Fjord', variant_title: null, quantity: 1, sku: 'FJORD-M', image_url: null }],
      events: deliveredParcel.events.toReversed().map(({ event_name, phase, time, timezone, event_strings }) => ({
        event_name: event_name as TrackingPage['parcels'][number]['event_name'],
        phase,
        time,
        timezone,
        location: null,
        event_strings,
      })),
    },
  ],
  promotion: {
    promotion_id: ids.campaign,
    title: 'Stay dry',
    subtitle: 'Rain trousers that go with your jacket',
    cta_label: 'Have a look',
    image_url: null,
    discount_code: 'RAIN10',
    url: `${hosts.service}/t/${pageToken}/go/${ids.campaign}`,
    products: [{ title: 'Rain trousers Fjord', image_url: null, product_url: `${hosts.shop}/fjord-trousers` }],
  },
  deals: [],
  announcements: [],
  claims: [{ reason: 'damage', status: 'pending', created_at: '2026-11-16T09:05:16.910Z' }],
  links: {
    page_url: `${hosts.service}/t/${pageToken}`,
    claim_url: `${hosts.service}/t/${pageToken}/claim`,
    shop_url: hosts.shop,
    service_url: null,
    faq_url: null,
    support_url: `${hosts.shop}/help`,
    privacy_url: null,
    imprint_url: null,
  },
} satisfies TrackingPage;

const settings = {
  enabled: true,
  claims_enabled: true,
  show_products: true,
  support_url: `${hosts.shop}/help`,
  privacy_url: null,
  imprint_url: null,
};

const token = pageToken;

/** Of the pages only the beginning is shown. */
export const pageExamples = {
  getTrackingPage: { params: { token }, query: { lang: 'en' }, response: page },
  getClaimForm: { params: { token }, response: page },
  sendClaimForm: {
    params: { token },
    body: {
      form_key: 'c2FtcGxlLWZvcm0ta2V5',
      reason: 'damage',
      description: 'The zip is torn.',
      selected_items: ['FJORD-M'],
    },
    response: '',
  },
  followPromotion: { params: { token, promotion_id: ids.campaign }, response: '' },
  getLookup: { response: page },
  sendLookup: {
    body: { order_number: order.order_number, email_or_postcode: order.address.zip_code },
    response: '',
  },
  getTrackingFacts: { params: { token }, query: { lang: 'en' }, response: facts },
  getTrackingPageSettings: { response: settings },
  updateTrackingPageSettings: { body: { support_url: settings.support_url }, response: settings },
  previewTrackingPage: { query: { event_name: 'OUT_FOR_DELIVERY', language: 'en', theme: 'dark' }, response: page },
} satisfies ExamplesOf<typeof pages>;
