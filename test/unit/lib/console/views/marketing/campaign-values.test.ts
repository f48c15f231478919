import { expect, test } from 'vitest';
import { fieldOf, toBody, toDraft, toValues } from '#lib/console/views/marketing/campaign-values.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';

const campaign = {
  uuid: '01930000-0000-7000-8000-0000000000aa',
  name: 'Autumn',
  segment: 'vip',
  promotion_type: 'product',
  enabled: true,
  start_date: '2026-11-16T10:00:00.000Z',
  end_date: null,
  discount_id: null,
  promotion_properties: {
    title: 'Warm socks',
    subtitle: null,
    cta_label: 'Look',
    cta_url: 'https://shop.example/socks',
    image_url: null,
    discount_code: null,
    translations: [{ language: 'de', values: { title: 'Warme Socken', subtitle: null, cta_label: null } }],
    products: [{ uuid: '01930000-0000-7000-8000-0000000000bb', title: 'Red', image_url: null, product_url: null }],
  },
} as unknown as Campaign;

test('the form of a campaign gives everything back as it was', () => {
  const { uuid: _uuid, ...fields } = campaign as unknown as Record<string, unknown>;
  expect(toBody(toValues(campaign))).toEqual(fields);
});

test('a basic campaign sends no products, so that those it had are not asked for', () => {
  const body = toBody({ ...toValues(campaign), promotion_type: 'basic' });
  expect(body.promotion_properties).not.toHaveProperty('products');
});

test('a draft leaves out what is half typed, and a request does not', () => {
  const values = { ...toValues(campaign), cta_url: 'https', products: [{ title: '', image_url: '', product_url: '' }] };
  expect(toDraft(values).campaign?.promotion_properties).toMatchObject({ cta_url: null, products: [] });
  expect(toBody(values).promotion_properties).toMatchObject({ cta_url: 'https', products: [{ title: '' }] });
});

test('the fault of a request stands beside its field', () => {
  expect(fieldOf('promotion_properties.cta_url')).toBe('cta_url');
  expect(fieldOf('promotion_properties.translations.0.values.title')).toBe('translations.0.title');
});
