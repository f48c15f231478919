import { createHash } from 'node:crypto';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { wholeImages } from '#test/kit/images.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const store = 'functions/domain/pages/page-store.ts';
const storefronts = 'functions/domain/pages/storefront-store.ts';
/** A function that has shown the shop before has the view of its storefront in memory. */
const storefront = '`STOREFRONT#slug` / `VERSION`';
const page = `all of \`PAGE#token\`; all of \`ORDER#slug#uuid\`; ${storefront}; the chosen campaign`;
const counting = 'the mark in `PAGE#token` and `COUNTS#slug#campaign` / `test#shard` in one transaction';

/** A shop of their own: what a page costs depends on everything that the shop shows. */
const slug = 'cost-shop-003';
const pathOf = (path: string) => `/v1/shops/${slug}${path}`;
const segments = ['cost-a', 'cost-b', 'cost-c'];
const email_id = 'cost@example.com';

interface Visited {
  token: string;
  campaign: string;
  order: string;
  shipment: string;
}

const visited = (text: string): Visited => JSON.parse(text);

const events = ['SHIPMENT_EN_ROUTE', 'ARRIVED_AT_SORTING_CENTER', 'DISPATCHED_FROM_SORTING_CENTER', 'OUT_FOR_DELIVERY'];

let isFurnished = false;

/** Campaigns in three segments and for everybody, an A/B test, deals and announcements in two languages. */
async function furnish({ call }: MeasuredShop): Promise<void> {
  if (isFurnished) return;
  isFurnished = true;
  await call('POST', pathOf('/discounts'), { code: 'COST10', type: 'order' });
  const [{ uuid: discount_id }] = (await call('GET', pathOf('/discounts'))).body as [{ uuid: string }];
  const made: string[] = [];
  for (const segment of [...segments, 'all', 'cost-d']) {
    const promotion_properties = { title: `Offer for ${segment}`, cta_url: 'https://shop.example/offer' };
    const body = { name: segment, segment, promotion_type: 'basic', enabled: true, discount_id, promotion_properties };
    made.push(((await call('POST', pathOf('/campaigns'), body)).body as { uuid: string }).uuid);
  }
  const campaigns = [{ campaign_id: made.at(-1), allocation: 100 }];
  await call('POST', pathOf('/ab-tests'), { name: 'Test', segment: 'cost-a', campaign_type: 'basic', campaigns });
  for (let i = 0; i < 8; i++) {
    const translations = [{ language: 'de', data: { title: `Angebot ${i}`, description: 'Nur bis Sonntag' } }];
    const texts = { title: `Deal ${i}`, description: 'Until Sunday', translations };
    await call('POST', pathOf('/deals'), { discount_id, cta_url: `https://shop.example/${i}`, ...texts });
  }
  for (const language of ['en', 'de'])
    for (let i = 0; i < 4; i++)
      await call('POST', pathOf('/announcements'), { language, text: `Announcement ${i} of the shop` });
}

/** An order in three segments, with a parcel of ten events, three products and three claims. */
async function newPage(shop: MeasuredShop): Promise<Visited> {
  await furnish(shop);
  const { call, fresh } = shop;
  const tracking_number = comparableTrackingNumber(fresh());
  const products = ['Shirt', 'Trousers', 'Shoes'].map((title) => ({ title, quantity: 1, sku: title }));
  const id = fresh();
  await call('PUT', pathOf('/orders'), {
    id,
    order: { segments, products, email_id },
    trackings: [{ tracking_number }],
  });
  const [{ tracking_page_url, trackings }] = (await call('GET', pathOf(`/orders?order_number=${id}`))).body as [
    { tracking_page_url: string; trackings: [{ uuid: string }] },
  ];
  const shipment_id = trackings[0].uuid;
  for (let i = 0; i < 9; i++) {
    const body = { event_name: events[i % events.length], time: new Date(Date.UTC(2026, 10, 1, i)).toISOString() };
    await call('POST', pathOf(`/shipments/${shipment_id}/events`), body);
  }
  for (let i = 0; i < 3; i++) await call('POST', pathOf('/claims'), { shipment_id, reason: 'damage' });
  const { body } = await call('GET', pathOf(`/campaigns?name=cost-d`));
  const token = tracking_page_url.split('/').at(-1)!;
  return { token, campaign: (body as [{ uuid: string }])[0].uuid, order: id, shipment: shipment_id };
}

/** @param views of the page before the one that counts */
const afterViews = (views: number, before: (shop: MeasuredShop) => Promise<unknown> = async () => {}) => ({
  prepare: async (shop: MeasuredShop) => {
    const made = await newPage(shop);
    // Somebody else's view, so that the view of the storefront is stored.
    await shop.call('GET', `/t/${(await newPage(shop)).token}`);
    for (let i = 0; i < views; i++) await shop.call('GET', `/t/${made.token}`);
    await before(shop);
    return JSON.stringify(made);
  },
});

const forms = 'functions/api/pages/claim-form.ts';
const lookups = 'functions/api/pages/lookup.ts';
const pageOfForm = `all of \`PAGE#token\`; all of \`ORDER#slug#uuid\`; ${storefront}`;
const found =
  '`LOOKUPS#hash` / `TRIES`, read and put; two of `ORDERREF#slug#NUMBER#…`; two of `ORDER#slug#uuid` / `ORDER`';

/** A form as a browser sends it. */
function fieldsOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** The key that protects the form of a page, and stands in it. */
async function openClaimForm(shop: MeasuredShop): Promise<string> {
  const made = await newPage(shop);
  const { body } = await shop.call('GET', `/t/${made.token}/claim`);
  const [, form_key] = /name="form_key" value="([^"]+)"/.exec(String(body)) ?? [];
  return JSON.stringify({ ...made, form_key });
}

/** A page whose parcel has arrived, with the key of its forms and one of its claims. */
async function openPageForms(shop: MeasuredShop): Promise<string> {
  const { call } = shop;
  await call('PATCH', pathOf('/settings/tracking-page'), { ratings_enabled: true });
  const made = await newPage(shop);
  // With a long id, the event of a claim has clearly more than a kilobyte. Else its random ids would decide about a unit.
  const external_id = createHash('sha512').update('delivered').digest('hex');
  const delivered = { event_name: 'SUCCESSFULLY_DELIVERED', external_id };
  await call('POST', pathOf(`/shipments/${made.shipment}/events`), delivered);
  const { body } = await call('GET', `/t/${made.token}`);
  const [, form_key] = /name="form_key" value="([^"]+)"/.exec(String(body)) ?? [];
  const { body: facts } = await call('GET', `/v1/tracking/${made.token}`);
  return JSON.stringify({ ...made, form_key, claim: (facts as { claims: [{ uuid: string }] }).claims[0].uuid });
}

/** With one photo. */
function claimForm(text: string): FormData {
  const { form_key } = JSON.parse(text);
  const form = fieldsOf({ form_key, reason: 'damage', description: 'The zip is torn.' });
  form.append('images', new Blob([wholeImages.jpeg]), 'photo.jpg');
  return form;
}

/** What a page may cost when its promotion was counted before. */
const maxReadUnits = 4;

export const pagesScenarios: Scenario[] = [
  {
    operation: 'getTrackingPage',
    case: 'three segments, ten events, three claims',
    access: page,
    code: store,
    maxReadUnits,
    ...afterViews(1),
    run: ({ call }, text) => call('GET', `/t/${visited(text).token}`),
  },
  {
    operation: 'getTrackingPage',
    case: 'the first view of its promotion',
    access: `${page}; ${counting}`,
    code: 'functions/domain/pages/promotion-counts.ts',
    maxReadUnits,
    ...afterViews(0),
    run: ({ call }, text) => call('GET', `/t/${visited(text).token}`),
  },
  {
    operation: 'getTrackingPage',
    case: 'the first view after a change of the shop',
    access: `${page}; everything that a storefront shows; put \`STOREFRONT#slug\` / \`VIEW\``,
    code: storefronts,
    ...afterViews(1, ({ call }) => call('PATCH', `/v1/shops/${slug}`, { description: 'changed' })),
    run: ({ call }, text) => call('GET', `/t/${visited(text).token}`),
  },
  {
    operation: 'getTrackingFacts',
    access: page,
    code: store,
    maxReadUnits,
    ...afterViews(1),
    run: ({ call }, text) => call('GET', `/v1/tracking/${visited(text).token}`),
  },
  {
    operation: 'followPromotion',
    case: 'the first click',
    access: `${page}; ${counting}`,
    code: 'functions/api/pages/go.ts',
    ...afterViews(1),
    run: ({ call }, text) => call('GET', `/t/${visited(text).token}/go/${visited(text).campaign}`),
  },
  {
    operation: 'getClaimForm',
    access: pageOfForm,
    code: store,
    maxReadUnits,
    ...afterViews(1),
    run: ({ call }, text) => call('GET', `/t/${visited(text).token}/claim`),
  },
  {
    operation: 'sendClaimForm',
    case: 'with a photo',
    access: `${pageOfForm}; \`PAGE#token\` / \`FORMS\`, read twice and put before the photo; \`COUNT\`; put \`PAGE#token\` / \`PHOTOS#attempt\`; put the object; all of \`ORDER#slug#uuid\` again; claim, history, \`COUNT\`, reference, \`PAGE#token\` / \`CLAIM#uuid\` and \`FORMS\`, outbox in one transaction`,
    code: forms,
    prepare: openClaimForm,
    run: ({ call }, text) => call('POST', `/t/${visited(text).token}/claim`, claimForm(text)),
  },
  {
    operation: 'sendMessageForm',
    case: 'without photos',
    access: `${pageOfForm}; \`PAGE#token\` / \`MESSAGES\`; \`CLAIMREF#slug#uuid\`; claim; all of \`ORDER#slug#uuid\` again; claim, \`HISTORY#uuid#version\`, \`MESSAGE#uuid#number\`, \`PAGE#token\` / \`CLAIM#uuid\` and \`MESSAGES\`, outbox in one transaction`,
    code: 'functions/api/pages/message-form.ts',
    prepare: openPageForms,
    run: ({ call }, text) => {
      const { token, claim, form_key } = JSON.parse(text);
      return call('POST', `/t/${token}/claims/${claim}/messages`, fieldsOf({ form_key, text: 'One thing more.' }));
    },
  },
  {
    operation: 'sendRating',
    access: `${pageOfForm}; put \`PAGE#token\` / \`RATING#shipment\` and count \`STATISTICS#slug\` / \`RATINGS#day#carrier#country\` in one transaction`,
    code: 'functions/domain/pages/rating.ts',
    prepare: openPageForms,
    run: ({ call }, text) => {
      const { token, form_key } = JSON.parse(text);
      return call('POST', `/t/${token}/rating`, fieldsOf({ form_key, stars: '5', text: 'On time.' }));
    },
  },
  {
    operation: 'getLookup',
    access: storefront,
    code: storefronts,
    ...afterViews(1),
    run: ({ call }) => call('GET', `/lookup/${slug}`),
  },
  {
    operation: 'sendLookup',
    case: 'of an order that is there',
    access: `${storefront}; ${found}`,
    code: lookups,
    ...afterViews(1),
    run: ({ call }, text) =>
      call('POST', `/lookup/${slug}`, fieldsOf({ order_number: visited(text).order, email_or_postcode: email_id })),
  },
  {
    operation: 'previewTrackingPage',
    access: `${authenticated}; ${storefront}`,
    code: storefronts,
    ...afterViews(1),
    run: ({ call }) => call('GET', pathOf('/tracking-page/preview')),
  },
  {
    operation: 'previewTrackingPage',
    case: 'with what customers see at present',
    access: `${authenticated}; ${storefront}; the chosen campaign`,
    code: storefronts,
    ...afterViews(1),
    run: ({ call }) => call('GET', pathOf('/tracking-page/preview?show_storefront=true')),
  },
  {
    operation: 'previewDraft',
    case: 'of a campaign',
    access: `${authenticated}; ${storefront}; the discounts of the draft`,
    code: 'functions/api/pages/preview.ts',
    ...afterViews(1),
    run: ({ call }) => call('POST', pathOf('/tracking-page/preview'), fieldsOf({ draft: '{"campaign":{}}' })),
  },
];
