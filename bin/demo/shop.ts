import type { Service } from './service.ts';

const name = 'demo-shop';
const maxNames = 100;

/** A new shop: `demo-shop`, or the next name that is free. */
export async function makeShop(service: Service): Promise<{ slug: string; shop: Service }> {
  for (let i = 1; i <= maxNames; i++) {
    const slug = i === 1 ? name : `${name}-${i}`;
    if (await exists(service, slug)) continue;
    await service.call('POST', '/v1/shops', {
      name: i === 1 ? 'Nordlicht Outdoor' : `Nordlicht Outdoor ${i}`,
      slug,
      description: 'Invented orders of ten weeks, to look at.',
      industry: 'sports_and_recreation',
      shop_url: 'https://shop.example',
      shop_service_url: 'https://shop.example/service',
      shop_faq_url: 'https://shop.example/questions',
      contact_phone: '+49 40 5550100',
      contact_email: 'help@shop.example',
      language: 'en',
    });
    return { slug, shop: service.below(`/v1/shops/${slug}`) };
  }
  throw new Error(`There are ${maxNames} shops of earlier demos. Delete some of them.`);
}

async function exists(service: Service, slug: string): Promise<boolean> {
  const path = `/v1/shops/${slug}`;
  if ((await service.statusOf('GET', path)) === 404) return false;
  // Any answer but a success says why, and is an error here.
  await service.call('GET', path);
  return true;
}

/** Events of two weeks ago are news in a demo. */
const twoWeeksInHours = 15 * 24;

/** Invented customers have invented addresses, so only a service on this machine may mail them: nothing leaves it. */
export async function switchOnEmails(shop: Service): Promise<boolean> {
  const { available } = await shop.call<{ available: boolean }>('GET', '/settings/emails');
  if (!available) return false;
  await shop.call('PATCH', '/settings/emails', { enabled: true, reply_to: 'help@shop.example' });
  return true;
}

export async function configure(shop: Service, logo_url: string, receiver: string | undefined): Promise<void> {
  await shop.call('PATCH', '', { logo_url });
  await shop.call('PATCH', '/settings/carriers', { shipment_updates: true });
  await shop.call('PATCH', '/settings/brand-palette', {
    primary_dark: '#12372A',
    primary_light: '#436850',
    secondary_dark: '#52606D',
    secondary_light: '#CBD2D9',
    background: '#FFFFFF',
    surface: '#F9FAFB',
  });
  await shop.call('PATCH', '/settings/tracking-page', {
    support_url: 'https://shop.example/help',
    privacy_url: 'https://shop.example/privacy',
    imprint_url: 'https://shop.example/imprint',
    ratings_enabled: true,
  });
  await shop.call('PATCH', '/settings/triggers/webhook', { stale_event_threshold: twoWeeksInHours });
  await shop.call('POST', '/settings/triggers/webhook/internal-triggers', {
    name: 'No news for three days',
    phase_in: ['in_transit'],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 72,
  });
  if (receiver) {
    await shop.call('POST', '/webhooks', { url: `${receiver}/helpdesk`, description: 'Help desk, fails now and then' });
    await shop.call('POST', '/webhooks', { url: `${receiver}/warehouse`, enabled_events: ['claims'] });
  }
}
