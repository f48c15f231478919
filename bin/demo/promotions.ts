import type { Service } from './service.ts';

const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

/** Something of each kind that marketing makes: running, planned and over. */
export async function makePromotions(shop: Service, receiver: string | undefined): Promise<void> {
  const discounts = [
    { code: 'RAIN10', title: '10 % off rainwear', type: 'product', value_type: 'percentage', value: 10 },
    { code: 'WELCOME5', title: '5 € off the next order', type: 'order', value_type: 'fixed_amount', value: 5 },
  ];
  for (const discount of discounts) await shop.call('POST', '/discounts', discount);
  const found = await shop.call<{ uuid: string; code: string }[]>('GET', '/discounts');
  const discountOf = (code: string) => found.find((one) => one.code === code)?.uuid;
  await shop.call('POST', '/deals', {
    discount_id: discountOf('RAIN10'),
    title: '10 % off rainwear',
    description: 'For everything that keeps you dry.',
    cta_url: 'https://shop.example/rain',
  });
  const announcement = { text: 'Parcels take one day longer in the week before Christmas.', language: 'en' };
  await shop.call('POST', '/announcements', announcement);
  await makeCampaigns(shop, discountOf('RAIN10'), discountOf('WELCOME5'));
  await makeAutomations(shop, receiver);
}

interface Made {
  uuid: string;
}

async function makeCampaigns(shop: Service, rain: string | undefined, welcome: string | undefined): Promise<void> {
  const campaign = (name: string, segment: string, more: object): Promise<Made> =>
    shop.call('POST', '/campaigns', {
      name,
      segment,
      promotion_type: 'basic',
      enabled: true,
      promotion_properties: { title: name, cta_label: 'Have a look', cta_url: 'https://shop.example/offer' },
      ...more,
    });
  await campaign('Stay dry', 'all', { discount_id: rain, start_date: day(-10), end_date: day(20) });
  await campaign('Summer is over', 'newsletter', { start_date: day(-60), end_date: day(-20) });
  await campaign('Christmas', 'newsletter', { start_date: day(10), end_date: day(40) });
  const variants = [
    await campaign('A warm welcome', 'vip', { discount_id: welcome, enabled: false }),
    await campaign('Only for you', 'vip', { discount_id: rain, enabled: false }),
  ];
  await shop.call('POST', '/ab-tests', {
    name: 'Which one do regulars like?',
    segment: 'vip',
    campaign_type: 'basic',
    campaigns: variants.map(({ uuid }) => ({ campaign_id: uuid, allocation: 40 })),
    has_holdout: true,
    holdout_percentage: 20,
    start_date: day(-5),
    end_date: day(20),
  });
}

async function makeAutomations(shop: Service, receiver: string | undefined): Promise<void> {
  const tell = (segment: string) =>
    receiver
      ? { type: 'webhook', params: { url: `${receiver}/warehouse` } }
      : { type: 'add_segment', params: { segment } };
  await shop.call('POST', '/automations', {
    name: 'Tell the warehouse about damage',
    trigger: { ref: 'claims/created' },
    conditions: { all: [{ field: 'event_data.reason', operator: 'in', value: ['damage', 'partial_damage'] }] },
    actions: [tell('had-damage')],
  });
  await shop.call('POST', '/automations', {
    name: 'Ask for a review two days after delivery',
    trigger: { ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED' },
    delay_minutes: 2 * 24 * 60,
    actions: [tell('review')],
  });
}
