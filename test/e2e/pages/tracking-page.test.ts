import { describe, expect, test } from 'vitest';
import { accepted, expectDone, newMerchant, trackingsOf } from '#test/e2e/kit/orders.ts';
import { halves, newMarketer } from '#test/e2e/kit/promotions.ts';
import { startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, url } from '#test/e2e/kit/shared-stack.ts';

/** The page of an order, through the whole service. */

const pathOf = (pageUrl: string | null) => {
  expect(pageUrl).toMatch(new RegExp(`^${url}/t/[\\w-]{22}$`));
  return pageUrl!.slice(url.length);
};
const factsPath = (path: string) => path.replace('/t/', '/v1/tracking/');
const facts = async (path: string, query = {}) => accepted(await api('GET', factsPath(path), { query }));

describe('the page of an order', () => {
  test('shows each step of its life, without anything personal', async () => {
    const shop = await newMerchant();
    const address = { name: 'Ada Lovelace', street: 'Hauptstr. 1', zip_code: '04103', city: 'Leipzig' };
    const personal = { email_id: 'ada@example.com', total_order_price: 1234.56, address };
    const order = await shop.order({ ...personal, products: [{ title: 'Rain jacket' }] });
    const path = pathOf(order.tracking_page_url);
    expect((await facts(path)).parcels).toMatchObject([{ tracking_number: null, phase: 'order_created' }]);

    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf('00340434161094042557') }));
    const { trackings } = await shop.orderWith(order.order_number);
    const report = (event_name: string) =>
      shop.call('POST', `/shipments/${trackings[0]!.uuid}/events`, {
        body: { event_name, time: new Date().toISOString() },
      });
    accepted(await report('OUT_FOR_DELIVERY'));
    accepted(await shop.call('POST', '/claims', { body: { shipment_id: trackings[0]!.uuid, reason: 'damage' } }));
    const shown = await facts(path, { lang: 'de' });
    expect(shown).toMatchObject({
      language: 'de',
      parcels: [{ phase: 'in_delivery', carrier: { name: 'DHL Paket' }, products: [{ title: 'Rain jacket' }] }],
      claims: [{ reason: 'damage', status: 'pending' }],
    });

    const page = await api('GET', path, { headers: { 'accept-language': 'de' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('content-language')).toBe('de');
    // By the URL of its function: API Gateway of the local stack compresses nothing.
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(page.text).toContain('Rain jacket');
    for (const text of [page.text, JSON.stringify(shown)]) {
      expect(text).not.toMatch(/Lovelace|Hauptstr|04103|ada@example|1234|1\.234/);
      expect(text).not.toContain(order.uuid.slice(0, -3));
    }
  });

  test('has other paths around it that nobody knows, as everywhere in the API', async () => {
    for (const path of ['/t/a/b/c', '/t/', '/lookup/a/b', '/u/', '/v1/tracking/a/b', '/v1/nothing']) {
      const { status, headers, body } = await api('GET', path);
      expect([path, status, body.key]).toEqual([path, 404, 'route_not_found']);
      expect(headers.get('x-correlation-id')).toMatch(/^[\w-]{36}$/);
    }
    const { status, headers } = await api('DELETE', '/t/AAAAAAAAAAAAAAAAAAAAAA');
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('is not there for strangers, and while the shop has it switched off', async () => {
    const shop = await newMerchant();
    const path = pathOf((await shop.order()).tracking_page_url);
    const answerOf = async (of: string) => {
      const { status, text } = await api('GET', of);
      return { status, text };
    };
    const stranger = await answerOf('/t/AAAAAAAAAAAAAAAAAAAAAA');
    expect(stranger.status).toBe(404);
    for (const odd of ['/t/x', '/t/%00', `/t/${'A'.repeat(500)}`, `${path}A`])
      expect(await answerOf(odd)).toEqual(stranger);
    expect((await answerOf(path)).status).toBe(200);
    accepted(await shop.call('PATCH', '/settings/tracking-page', { body: { enabled: false } }));
    expect(await answerOf(path)).toEqual(stranger);
    const json = await api('GET', factsPath(path));
    expect(json).toMatchObject({ status: 404, body: { key: 'page_not_found' } });
    expect(json.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('is named in the payload of a webhook', async () => {
    await using receiver = await startReceiver();
    const shop = await newMerchant();
    accepted(await shop.call('POST', '/webhooks', { body: { url: receiver.url } }));
    const { tracking_page_url } = await shop.order({}, trackingsOf('T1'));
    const { context } = JSON.parse((await receiver.next()).body);
    expect(context.order.tracking_page_url).toBe(tracking_page_url);
  });
});

describe('a promotion on the page', () => {
  test('leads to the shop, and its campaign counts an order once', async () => {
    const shop = await newMarketer();
    const cta_url = 'https://shop.example/offer?colour=red';
    const fields = { name: 'Autumn', segment: 'all', enabled: true, promotion_properties: { title: 'Hello', cta_url } };
    const { uuid } = await shop.campaign(fields);
    const path = pathOf((await shop.order()).tracking_page_url);
    for (let i = 0; i < 2; i++)
      expect((await facts(path)).promotion).toMatchObject({ title: 'Hello', promotion_id: uuid });
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await api('GET', `${path}/go/${uuid}`, { staysHere: true });
      expect(status).toBe(302);
      expect(headers.get('location')).toBe(
        `${cta_url}&utm_source=trackpages&utm_medium=basic_promotion&utm_campaign=Autumn`,
      );
    }
    const { counts } = accepted(await shop.call('GET', `/campaigns/${uuid}`));
    expect(counts).toEqual({ shown: 1, clicked: 1 });
  });

  test('of an A/B test is counted for its variant', async () => {
    const shop = await newMarketer();
    const variants = [await shop.campaign({ segment: 'x' }), await shop.campaign({ segment: 'x' })];
    const { uuid } = await shop.test({ segment: 'all', campaigns: halves(...variants) });
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) {
      const path = pathOf((await shop.order()).tracking_page_url);
      seen.push((await facts(path)).promotion.promotion_id);
    }
    const { campaigns } = accepted(await shop.call('GET', `/ab-tests/${uuid}`));
    for (const { campaign_id, counts } of campaigns)
      expect(counts).toEqual({ shown: seen.filter((one) => one === campaign_id).length, clicked: 0 });
  });
});

test('a preview shows any event in any language with the brand of the shop, and is for its viewers', async () => {
  const shop = await newMerchant();
  const query = { event_name: 'SUCCESSFULLY_DELIVERED', language: 'hu', theme: 'dark' };
  const { status, text, headers } = await shop.call('GET', '/tracking-page/preview', { query });
  expect(status).toBe(200);
  expect(text).toContain('A shop');
  expect(headers.get('content-language')).toBe('hu');
  const { status: refused } = await api('GET', `/v1/shops/${shop.slug}/tracking-page/preview`);
  expect(refused).toBe(400);
});
