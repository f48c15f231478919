import type { Artwork } from './artwork.ts';
import { chanceOf } from './chance.ts';
import { newBasket, newCustomer } from './people.ts';
import type { Service } from './service.ts';

const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

/** A segment of some customers in people.ts. */
const regulars = 'vip';

type Pictures = Pick<Artwork, 'rain' | 'aurora' | 'products'>;

/** Something of each kind that marketing makes: running, planned and over. Returns the variants of the A/B test. */
export async function makePromotions(
  shop: Service,
  pictures: Pictures,
  receiver: string | undefined,
): Promise<string[]> {
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
    translations: [
      { language: 'de', data: { title: '10 % auf Regenkleidung', description: 'Auf alles, was Sie trocken hält.' } },
    ],
    brand_image_url: pictures.products['FJORD-JK'],
    cta_url: 'https://shop.example/rain',
  });
  const announcements = [
    { text: 'Parcels take one day longer in the week before Christmas.', language: 'en' },
    { text: 'In der Woche vor Weihnachten brauchen Pakete einen Tag länger.', language: 'de' },
  ];
  for (const announcement of announcements) await shop.call('POST', '/announcements', announcement);
  const variants = await makeCampaigns(shop, pictures, discountOf('RAIN10'), discountOf('WELCOME5'));
  await makeAutomations(shop, receiver);
  return variants;
}

interface Made {
  uuid: string;
}

interface Words {
  title: string;
  subtitle: string;
  cta_label: string;
}

async function makeCampaigns(
  shop: Service,
  { rain: rainPicture, aurora }: Pictures,
  rain: string | undefined,
  welcome: string | undefined,
): Promise<string[]> {
  const campaign = (name: string, segment: string, words: Words, german: Words, more: object): Promise<Made> =>
    shop.call('POST', '/campaigns', {
      name,
      segment,
      promotion_type: 'basic',
      enabled: true,
      promotion_properties: {
        ...words,
        cta_url: 'https://shop.example/offer',
        image_url: name.includes('dry') || name.includes('Summer') ? rainPicture : aurora,
        translations: [{ language: 'de', values: german }],
      },
      ...more,
    });
  await campaign(
    'Stay dry',
    'all',
    { title: 'Stay dry this autumn', subtitle: '10 % off everything against rain.', cta_label: 'See rainwear' },
    { title: 'Trocken durch den Herbst', subtitle: '10 % auf alles gegen Regen.', cta_label: 'Regenkleidung ansehen' },
    { discount_id: rain, start_date: day(-10), end_date: day(20) },
  );
  await campaign(
    'Summer is over',
    'newsletter',
    { title: 'Summer is over', subtitle: 'The last light jackets.', cta_label: 'Have a look' },
    { title: 'Der Sommer ist vorbei', subtitle: 'Die letzten leichten Jacken.', cta_label: 'Ansehen' },
    { start_date: day(-60), end_date: day(-20) },
  );
  await campaign(
    'Christmas',
    'newsletter',
    { title: 'A warm Christmas', subtitle: 'Presents for people who go outside.', cta_label: 'Find presents' },
    { title: 'Warme Weihnachten', subtitle: 'Geschenke für alle, die rausgehen.', cta_label: 'Geschenke finden' },
    { start_date: day(10), end_date: day(40) },
  );
  const variants = [
    await campaign(
      'A warm welcome',
      regulars,
      { title: 'A warm welcome back', subtitle: '5 € off your next order.', cta_label: 'Look around' },
      { title: 'Schön, dass Sie wieder da sind', subtitle: '5 € auf Ihre nächste Bestellung.', cta_label: 'Umsehen' },
      { discount_id: welcome, enabled: false },
    ),
    await campaign(
      'Only for you',
      regulars,
      { title: 'Only for you', subtitle: '10 % off rainwear, for regulars alone.', cta_label: 'See rainwear' },
      { title: 'Nur für Sie', subtitle: '10 % auf Regenkleidung, nur für Stammkunden.', cta_label: 'Ansehen' },
      { discount_id: rain, enabled: false },
    ),
  ];
  await shop.call('POST', '/ab-tests', {
    name: 'Which one do regulars like?',
    segment: regulars,
    campaign_type: 'basic',
    campaigns: variants.map(({ uuid }) => ({ campaign_id: uuid, allocation: 40 })),
    has_holdout: true,
    holdout_percentage: 20,
    start_date: day(-5),
    end_date: day(20),
  });
  return variants.map(({ uuid }) => uuid);
}

const newOrders = 12;

/**
 * Regulars order while the A/B test runs: all other orders are older than it, and are not in it. Whether they come back is
 * known in a month, so a result on that cannot be shown; one on clicks follows at once.
 */
export async function orderDuringTest(shop: Service, products: Pictures['products']): Promise<number> {
  const chance = chanceOf(33);
  await shop.call(
    'PUT',
    '/orders/bulk',
    Array.from({ length: newOrders }, (_, i) => {
      const number = String(20_001 + i);
      const order = { ...newCustomer(chance), segments: [regulars], products: newBasket(chance, products) };
      return {
        id: number,
        order: { ...order, order_name: `#${number}`, currency: 'EUR', financial_status: 'paid' },
        trackings: [],
      };
    }),
  );
  return newOrders;
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
