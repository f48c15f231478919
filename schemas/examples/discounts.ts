import type { Discount, discounts } from '../families/discounts.ts';
import type { ExamplesOf } from './example.ts';
import { ids, slug } from './story.ts';

export const discount = {
  uuid: ids.discount,
  shop_slug: slug,
  code: 'RAIN10',
  target_selection: 'group',
  target_type: 'line_item',
  title: '10 % off rainwear',
  value_type: 'percentage',
  value: 10,
  type: 'product',
  created_at: '2026-11-16T09:06:41.120Z',
  updated_at: '2026-11-16T09:06:41.120Z',
} satisfies Discount;

export const discountExamples = {
  createDiscount: {
    body: {
      code: 'RAIN10',
      title: '10 % off rainwear',
      type: 'product',
      target_type: 'line_item',
      target_selection: 'group',
      value_type: 'percentage',
      value: 10,
    },
    response: null,
  },
  searchDiscounts: { query: { code: 'RAIN10' }, response: [discount] },
  updateDiscount: { params: { uuid: ids.discount }, body: { value: 15, title: '15 % off rainwear' }, response: null },
  deleteDiscount: { params: { uuid: ids.discount }, response: null },
} satisfies ExamplesOf<typeof discounts>;
