import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as pages } from '#api/pages/handler.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { holdsShop, newCampaign, pageShop, shopCall } from '#test/kit/page-shop.ts';
import { elementsIn, parseHtml, textOf } from '#test/kit/parse-html.ts';
import { asOperator } from '#test/kit/table.ts';

beforeEach(() => {
  // The sample tells when things happened.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T10:00:00Z') });
  holdsShop();
});
afterEach(() => vi.useRealTimers());

const resource = '/v1/shops/{slug}/tracking-page/preview';
const params = { slug: pageShop };
const urlEncoded = { ...asOperator, 'Content-Type': 'application/x-www-form-urlencoded' };

const get = (query: Record<string, string> = {}) =>
  invoke(pages, { method: 'GET', resource, params, query, headers: asOperator });
const post = (fields: Record<string, string>) =>
  invoke(pages, {
    method: 'POST',
    resource,
    params,
    headers: urlEncoded,
    rawBody: new URLSearchParams(fields).toString(),
  });
const drafted = (draft: object, fields: Record<string, string> = {}) =>
  post({ draft: JSON.stringify(draft), ...fields });

/** The text of a page that must be shown. */
async function shownBy(answer: ReturnType<typeof get>): Promise<string> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return textOf(parseHtml(body));
}

const samplePromotion = '10 % off your next order';
const announce = (text: string, language = 'en') =>
  shopCall('announcements', 'POST', '/announcements', { body: { text, language } });

async function newDiscount(code: string): Promise<string> {
  await shopCall('discounts', 'POST', '/discounts', { body: { code, type: 'order' } });
  const [{ uuid }] = await shopCall('discounts', 'GET', '/discounts', { query: { code } });
  return uuid;
}

describe('a preview of what is saved', () => {
  test('has a sample of a promotion, and shows what customers see at present only if it is asked for', async () => {
    await newCampaign('Warm socks');
    await announce('We move on Monday');
    const sample = await shownBy(get());
    expect(sample).not.toContain('Warm socks');
    expect(sample).not.toContain('We move on Monday');
    for (const present of [get({ show_storefront: 'true' }), drafted({ show_storefront: true })]) {
      const text = await shownBy(present);
      expect(text).toContain('Warm socks');
      expect(text).toContain('We move on Monday');
    }
  });

  test('shows no promotion where the shop has none at present', async () => {
    const sample = parseHtml((await get()).body);
    const present = parseHtml((await get({ show_storefront: 'true' })).body);
    const offers = (page: typeof sample) =>
      elementsIn(page).filter(({ attributes }) => attributes.class === 'card offer');
    expect(offers(sample)).toHaveLength(1);
    expect(offers(present)).toHaveLength(0);
  });
});

describe('a preview of a draft', () => {
  test('shows a campaign with the texts of the language, its products and the code of its discount', async () => {
    const discount_id = await newDiscount('SOCKS');
    const promotion_properties = {
      title: 'Warm socks',
      translations: [{ language: 'de', values: { title: 'Warme Socken' } }],
      products: [{ title: 'Red socks' }],
    };
    const campaign = { promotion_type: 'product', promotion_properties, discount_id };
    const german = await shownBy(drafted({ campaign }, { language: 'de' }));
    for (const text of ['Warme Socken', 'Red socks', 'SOCKS']) expect(german).toContain(text);
    const basic = await shownBy(drafted({ campaign: { ...campaign, promotion_type: 'basic' } }, { language: 'en' }));
    expect(basic).toContain('Warm socks');
    expect(basic).not.toContain('Red socks');
  });

  test('shows deals and announcements instead of those that are saved, and keeps the others', async () => {
    await announce('We move on Monday');
    await newCampaign('Warm socks');
    const deals = [{ title: 'Ten off', discount_id: await newDiscount('TEN') }];
    const announcements = [{ text: 'We moved', language: 'en' }];
    const text = await shownBy(drafted({ deals, announcements, show_storefront: true }));
    for (const shown of ['Ten off', 'TEN', 'We moved', 'Warm socks']) expect(text).toContain(shown);
    expect(text).not.toContain('We move on Monday');
  });

  test('shows colours and settings of the page, and null brings the default back', async () => {
    await shopCall('settings', 'PATCH', '/settings/brand-palette', { body: { primary_dark: '#0000FF' } });
    await shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { claims_enabled: false } });
    const saved = (await get()).body;
    const colours = (palette: object) => drafted({ palette });
    expect((await colours({})).body).toBe(saved);
    expect((await colours({ primary_dark: '#00AA00' })).body).not.toBe(saved);
    const links = async (page_settings: object) =>
      elementsIn(parseHtml((await drafted({ page_settings })).body)).map(({ attributes }) => attributes.href);
    expect(await links({ imprint_url: 'https://shop.example/imprint' })).toContain('https://shop.example/imprint');
    expect(await shownBy(drafted({}))).not.toContain('Report a problem');
    expect(await shownBy(drafted({ page_settings: { claims_enabled: null } }))).toContain('Report a problem');
    expect(await shownBy(drafted({}))).toContain('Linen shirt');
    expect(await shownBy(drafted({ page_settings: { show_products: false } }))).not.toContain('Linen shirt');
  });

  test('shows what we expect unless the setting or its draft says no, and what the carrier says in any case', async () => {
    const note = 'Our estimate from recent deliveries';
    const underWay = (page_settings: object, event_name = 'ARRIVED_AT_SORTING_CENTER') =>
      shownBy(drafted({ page_settings }, { event_name, language: 'en' }));
    expect(await underWay({})).toContain(note);
    expect(await underWay({ show_predictions: false })).not.toMatch(/Expected|Our estimate/);
    expect(await underWay({ show_predictions: false }, 'OUT_FOR_DELIVERY')).toContain('Arrives today');
    await shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { show_predictions: false } });
    expect(await underWay({})).not.toContain(note);
    expect(await underWay({ show_predictions: null })).toContain(note);
  });

  test('runs nothing of what was typed', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>';
    const campaign = { promotion_properties: { title: hostile, subtitle: hostile, cta_label: hostile } };
    const announcements = [{ text: hostile, language: 'en' }];
    const { body, headers } = await drafted({ campaign, announcements, deals: [{ title: hostile }] });
    const elements = elementsIn(parseHtml(body));
    expect(elements.filter(({ name }) => name === 'script')).toHaveLength(1);
    expect(elements.filter(({ attributes }) => 'onerror' in attributes)).toEqual([]);
    expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'self'");
    expect(headers['Content-Security-Policy']).not.toContain('unsafe');
  });

  test('writes nothing but the view of the storefront', async () => {
    await get();
    const before = memoryTable.all('').length;
    await drafted({ campaign: { promotion_properties: { title: 'Warm socks' } } });
    expect(memoryTable.all('').length).toBe(before);
  });

  test.each([
    ['no JSON', { draft: '{' }, ['body', 'draft']],
    ['a text', { draft: '"x"' }, ['body', 'draft']],
    ['a bad link', { draft: '{"deals":[{"cta_url":"javascript:x"}]}' }, ['body', 'draft', 'deals', 0, 'cta_url']],
    ['a bad colour', { draft: '{"palette":{"surface":"red"}}' }, ['body', 'draft', 'palette', 'surface']],
    ['half a character', { draft: '{"deals":[{"title":"\\ud83d"}]}' }, ['body', 'draft', 'deals', 0, 'title']],
    ['deep lists', { draft: `{"deals":${'['.repeat(9000)}${']'.repeat(9000)}}` }, ['body', 'draft', 'deals', 0]],
    ['too much', { draft: `{"x":"${'x'.repeat(33_000)}"}` }, ['body', 'draft']],
    ['far too much', { draft: `{"x":"${'x'.repeat(200_000)}"}` }, ['body', 'draft']],
    ['an unknown event', { event_name: 'TELEPORTED' }, ['body', 'event_name']],
    ['an unknown theme', { theme: 'pink' }, ['body', 'theme']],
  ])('that is %s is refused with the place of the fault', async (_what, fields, loc) => {
    const { status, body } = await post(fields as unknown as Record<string, string>);
    expect(status).toBe(422);
    expect(body.errors[0].loc).toEqual(loc);
  });

  test('takes a form without a draft, and empty fields as absent ones', async () => {
    expect((await post({ event_name: '', language: '', theme: '', draft: '' })).body).toBe((await get()).body);
    expect(await shownBy(post({ language: 'de' }))).not.toContain(samplePromotion);
  });
});
