import { claimNumber } from '../catalogues/claim-number.ts';
import type { pages } from '../families/pages.ts';
import type { Tracking } from '../shapes/order-shapes.ts';
import type { TrackingPage } from '../shapes/tracking-page.ts';
import { campaign } from './campaigns.ts';
import { claim, claimMessage } from './claims.ts';
import { discount } from './discounts.ts';
import type { ExamplesOf } from './example.ts';
import { deliveredParcel, order, updatedSecondParcel } from './order.ts';
import { palette } from './settings.ts';
import { formKey, hosts, ids, pageToken, pageUrl, tickedJacket, unsubscribeToken } from './story.ts';

const pageIn = (theme: string) => `<!doctype html>\n<html lang="en" dir="ltr"${theme}>\n<head>\n<meta charset="utf-8">`;
const page = pageIn('');

type Parcel = TrackingPage['parcels'][number];

/** What a customer sees of a parcel of the order. */
function parcelOf({ carrier, events, phase, products }: Tracking, number: number): Parcel {
  const { event_name, event_strings } = events.at(-1)!;
  return {
    number,
    tracking_number: carrier.tracking_number,
    carrier: { carrier_reference: 'dhl', name: 'DHL Paket', tracking_url: carrier.tracking_url },
    is_return: false,
    phase,
    flag: 'normal',
    event_name: event_name as Parcel['event_name'],
    event_strings,
    estimated_arrival: null,
    pickup: null,
    products: products.map(({ title = '', variant_title = null, quantity = 1, sku = null, images }) => ({
      title,
      variant_title,
      quantity,
      sku,
      image_url: images?.[0]?.src ?? null,
    })),
    products_of: 'parcel',
    events: events.toReversed().map((event) => ({
      event_name: event.event_name as Parcel['event_name'],
      phase: event.phase,
      time: event.time,
      timezone: 'Europe/Berlin',
      location: null,
      event_strings: event.event_strings,
    })),
    rating: null,
  };
}

const { uuid: _uuid, ...shownMessage } = claimMessage;

const facts = {
  order_number: order.order_number,
  language: 'en',
  shop: {
    name: 'Nordlicht Outdoor',
    logo_url: null,
    contact_phone: '+49 40 5550100',
    contact_email: 'service@nordlicht-outdoor.example',
    palette,
  },
  parcels: [parcelOf(updatedSecondParcel, 2), parcelOf(deliveredParcel, 1)],
  promotion: {
    promotion_id: ids.campaign,
    title: campaign.promotion_properties.title,
    subtitle: campaign.promotion_properties.subtitle,
    cta_label: campaign.promotion_properties.cta_label,
    image_url: campaign.promotion_properties.image_url,
    discount_code: discount.code,
    url: `${pageUrl}/go/${ids.campaign}`,
    products: campaign.promotion_properties.products.map(({ title, image_url, product_url }) => ({
      title,
      image_url,
      product_url,
    })),
  },
  deals: [
    {
      title: '10 % off rainwear',
      description: 'For everything that keeps you dry.',
      brand_image_url: `${hosts.shop}/images/rain.jpg`,
      brand_logo_url: `${hosts.shop}/images/logo.png`,
      cta_url: `${hosts.shop}/rain`,
      discount_code: discount.code,
    },
  ],
  announcements: [],
  claims: [
    {
      uuid: claim.uuid,
      number: claimNumber(claim.uuid),
      reason: claim.reason,
      status: 'accepted',
      created_at: claim.created_at,
      description: claim.description,
      messages: [{ ...shownMessage, author: 'Nordlicht Outdoor' }],
    },
  ],
  withdrawal: { status: 'declared' },
  links: {
    page_url: pageUrl,
    claim_url: `${pageUrl}/claim`,
    rating_url: `${pageUrl}/rating`,
    withdrawal_url: null,
    shop_url: hosts.shop,
    service_url: `${hosts.shop}/contact`,
    faq_url: `${hosts.shop}/questions`,
    support_url: `${hosts.shop}/help`,
    privacy_url: null,
    imprint_url: null,
  },
} satisfies TrackingPage;

const token = pageToken;

/** Of the pages only the beginning is shown. */
export const pageExamples = {
  getTrackingPage: { params: { token }, query: { lang: 'en' }, response: page },
  getWithdrawalForm: { params: { token }, response: page },
  sendWithdrawalForm: {
    params: { token },
    body: {
      form_key: formKey,
      name: 'Mara Lindqvist',
      email_id: 'mara.lindqvist@example.com',
      items: [tickedJacket],
    },
    response: '',
  },
  getClaimForm: { params: { token }, response: page },
  sendClaimForm: {
    params: { token },
    body: {
      form_key: formKey,
      reason: 'damage',
      description: 'The zip is torn.',
      selected_items: ['FJORD-GRN-M'],
    },
    response: '',
  },
  sendMessageForm: {
    params: { token, claim_uuid: ids.claim },
    body: { form_key: formKey, text: 'Thank you, that helps me a lot.' },
    response: '',
  },
  sendRating: {
    params: { token },
    body: {
      form_key: formKey,
      parcel: deliveredParcel.carrier.tracking_number!,
      stars: '5',
      text: 'On time and in good shape.',
    },
    response: '',
  },
  followPromotion: { params: { token, promotion_id: ids.campaign }, response: '' },
  getLookup: { response: page },
  sendLookup: {
    body: { order_number: order.order_number, email_or_postcode: order.address.zip_code },
    response: '',
  },
  getUnsubscribePage: { params: { token: unsubscribeToken }, query: { lang: 'en' }, response: page },
  sendUnsubscribe: {
    params: { token: unsubscribeToken },
    body: { 'List-Unsubscribe': 'One-Click' },
    response: page,
  },
  getTrackingFacts: { params: { token }, query: { lang: 'en' }, response: facts },
  previewTrackingPage: {
    query: { event_name: 'OUT_FOR_DELIVERY', language: 'en', theme: 'dark' },
    response: pageIn(' data-theme="dark"'),
  },
  previewDraft: {
    body: {
      event_name: 'SUCCESSFULLY_DELIVERED',
      language: 'en',
      theme: 'light',
      draft: '{"campaign":{"promotion_properties":{"title":"Warm socks for free"}},"show_storefront":true}',
    },
    response: pageIn(' data-theme="light"'),
  },
} satisfies ExamplesOf<typeof pages>;
