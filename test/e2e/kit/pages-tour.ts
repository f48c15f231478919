import { wholeImages } from '#test/kit/images.ts';
import { multipart } from '#test/kit/multipart.ts';
import type { Answer, Api } from './client.ts';

/** Every operation of the tracking pages, on a shop that shows something of each kind. */
export async function tourOfPages(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const { discount_id, offer } = await fillStorefront(async (...request) => (await call(...request)).body);
  await call('PUT', '/orders', {
    id: '1',
    order: { address: { zip_code: '10115' } },
    trackings: [{ tracking_number: 'T1' }],
  });
  const [{ tracking_page_url }] = (await call('GET', '/orders?order_number=1')).body;
  const token = tracking_page_url.split('/').at(-1);
  await call('POST', '/shipment-events', { id: 'T1', event_name: 'SUCCESSFULLY_DELIVERED' });
  await call('PATCH', '/settings/tracking-page', { ratings_enabled: true });
  const { body: simulated } = await call('POST', '/simulations', { journey: 'delivered' });
  const answers: Record<string, Answer> = {
    getTrackingPage: await api('GET', `/t/${token}`),
    getTrackingFacts: await api('GET', `/v1/tracking/${token}`),
    getSimulatedPage: await api('GET', new URL(simulated.tracking_page_url).pathname),
    previewTrackingPage: await call('GET', '/tracking-page/preview?show_storefront=true'),
    previewDraft: await api('POST', `/v1/shops/${slug}/tracking-page/preview`, {
      key,
      headers: urlEncoded,
      body: `draft=${encodeURIComponent(JSON.stringify({ campaign: { discount_id } }))}`,
    }),
  };
  const followPromotion = await api('GET', `/t/${token}/go/${offer.uuid}`, { staysHere: true });
  return { ...answers, ...(await tourOfForms(api, slug, token)), followPromotion: redirected(followPromotion) };
}

/** A shop's own words and offers: one of each kind. */
export async function fillStorefront(call: (method: string, path: string, body?: object) => Promise<Answer['body']>) {
  await call('POST', '/discounts', { code: 'TEN', type: 'order' });
  const [{ uuid: discount_id }] = await call('GET', '/discounts');
  await call('POST', '/deals', { discount_id });
  await call('POST', '/announcements', { text: 'Hello', language: 'en' });
  const properties = { promotion_properties: { cta_url: 'https://shop.example/offer' } };
  const campaign = {
    name: 'Offer',
    segment: 'all',
    promotion_type: 'basic',
    enabled: true,
    discount_id,
    ...properties,
  };
  const offer = await call('POST', '/campaigns', campaign);
  const variant = await call('POST', '/campaigns', { ...campaign, name: 'Variant', enabled: false });
  const campaigns = [{ campaign_id: variant.uuid, allocation: 100 }];
  await call('POST', '/ab-tests', { name: 'Test', segment: 'vip', campaign_type: 'basic', campaigns });
  return { discount_id, offer };
}

const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' };

/** The order is found by its number, and gets a claim with a photo, a message with a photo, and a rating. */
async function tourOfForms(api: Api, slug: string, token: string): Promise<Record<string, Answer>> {
  const getLookup = await api('GET', `/lookup/${slug}`);
  const known = { headers: urlEncoded, body: 'order_number=1&email_or_postcode=10115', staysHere: true };
  const getClaimForm = await api('GET', `/t/${token}/claim`);
  const formKey = formKeyIn(getClaimForm);
  const photo = { bytes: wholeImages.jpeg, filename: 'photo.jpg' };
  const form = multipart(['form_key', formKey], ['reason', 'damage'], ['images', photo]);
  const sendClaimForm = redirected(await api('POST', `/t/${token}/claim`, { ...form, staysHere: true }));
  const { body: facts } = await api('GET', `/v1/tracking/${token}`);
  const page = await api('GET', `/t/${token}`);
  const key: [string, string] = ['form_key', formKeyIn(page)];
  const message = multipart(key, ['text', 'One thing more.'], ['images', photo]);
  const claim = `/t/${token}/claims/${facts?.claims?.[0]?.uuid}`;
  return {
    getLookup,
    sendMessageForm: redirected(await api('POST', `${claim}/messages`, { ...message, staysHere: true })),
    // With what was written.
    getTalkingPage: await api('GET', `/t/${token}`),
    sendRating: redirected(
      await api('POST', `/t/${token}/rating`, { ...multipart(key, ['stars', '5']), staysHere: true }),
    ),
    sendLookup: redirected(await api('POST', `/lookup/${slug}`, known)),
    getClaimForm,
    sendClaimForm,
  };
}

const formKeyIn = ({ text }: Answer): string => /name="form_key" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** A redirect is the success of some operations. */
const redirected = (answer: Answer): Answer => ({
  ...answer,
  status: [302, 303].includes(answer.status) ? 200 : answer.status,
});
