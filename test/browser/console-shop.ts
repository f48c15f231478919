import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import type { ConsoleService } from './console-service.ts';

/** What others write into a shop's data: it must be shown as it is, and run nothing. */
export const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"\'`${1}</textarea>';

/** A receiver that answers 500, with a body that must not be taken for HTML. */
export async function startFailingReceiver(body = 'The receiver is out of order.') {
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(500, { 'content-type': 'text/html' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, stop };
}

/**
 * A shop with one of everything that the console shows, and the values of the names in the addresses of its views.
 * @param more goes into every text that a merchant, a customer or a carrier can write
 */
export async function filledShop({ newShop, call }: ConsoleService, receiver: string, more = '') {
  const text = (own: string, limit = 200) => `${own}${more && ` ${more}`}`.slice(0, limit);
  /** Some operations answer with nothing, and the newest entry of their list is what they made. */
  const make = async (path: string, body: object) => {
    const made = await call('POST', base + path, body);
    return made || (await call('GET', base + path))[0];
  };
  const { slug, base } = await newShop({ name: text('Nordlicht Outdoor'), contact_phone: '+49 40 123456' });
  const endpoint = await make('/webhooks', { url: receiver, description: text('The service desk') });
  const discount = await make('/discounts', {
    code: 'RAIN10',
    title: text('10 % off rainwear'),
    type: 'product',
    target_type: 'line_item',
    target_selection: 'all',
    value_type: 'percentage',
    value: 10,
  });
  const campaign = await make('/campaigns', {
    name: text('Autumn rain', 100),
    segment: 'all',
    promotion_type: 'basic',
    enabled: true,
    start_date: new Date(Date.now() - 86_400_000).toISOString(),
    end_date: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    discount_id: discount.uuid,
    promotion_properties: {
      title: text('Stay dry', 100),
      subtitle: text('Rain trousers that go with your jacket'),
      cta_label: 'Have a look',
      cta_url: 'https://shop.example/rain',
      discount_code: 'RAIN10',
    },
  });
  const deal = await make('/deals', {
    discount_id: discount.uuid,
    title: text('10 % off rainwear', 100),
    description: text('For everything that keeps you dry.'),
    cta_url: 'https://shop.example/rain',
  });
  const announcement = await make('/announcements', {
    text: text('Parcels take one day longer in the week before Christmas.'),
    language: 'en',
  });
  const abTest = await make('/ab-tests', {
    name: text('Does the promotion sell?', 100),
    segment: 'newsletter',
    campaign_type: 'basic',
    campaigns: [{ campaign_id: campaign.uuid, allocation: 80 }],
    has_holdout: true,
    holdout_percentage: 20,
    start_date: new Date(Date.now() + 86_400_000).toISOString(),
    end_date: new Date(Date.now() + 10 * 86_400_000).toISOString(),
  });
  const automation = await make('/automations', {
    name: text('Tell the warehouse about damage', 100),
    trigger: { ref: 'claims/created' },
    conditions: { all: [{ field: 'event_data.reason', operator: 'in', value: ['damage', 'partial_damage'] }] },
    actions: [{ type: 'webhook', params: { url: receiver } }],
  });
  const trigger = await make('/settings/triggers/webhook/internal-triggers', {
    name: text('No news for three days', 100),
    phase_in: ['in_transit'],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 72,
  });
  const number = `00340${slug.replace(/\D/g, '').slice(0, 13)}`;
  await call('PUT', `${base}/orders`, {
    id: 'N-1001',
    order: {
      email_id: 'ada@example.com',
      order_name: text('#N-1001', 100),
      first_name: text('Ada', 100),
      last_name: text('Customer', 100),
      address: {
        name: text('Ada Customer', 100),
        street: text('Side Street 1', 100),
        zip_code: '80331',
        city: 'München',
      },
      products: [{ title: text('Rain jacket Fjord'), sku: 'FJORD-M', quantity: 1, price: 199.95 }],
    },
    trackings: [{ tracking_number: number, carrier_reference: 'dhl' }],
  });
  const [order] = await call('GET', `${base}/orders?order_number=N-1001`);
  await call('POST', `${base}/shipments/${order.trackings[0].uuid}/events?notify=true`, {
    event_name: 'SHIPMENT_EN_ROUTE',
    event_time: new Date(Date.now() - 7_200_000).toISOString(),
    location: { city: text('Hamburg', 100), country_code: 'DE' },
  });
  const claim = await make('/claims', {
    tracking_number: number,
    reason: 'damage',
    resolution_preference: 'reorder',
    description: text('A seam at the left sleeve is torn.'),
  });
  const simulation = await make('/simulations', {
    journey: 'split',
    order: { order_number: text('SIM-1001', 100), address: { name: text('Ada Customer', 100) } },
  });
  await call('POST', `${base}/simulations/${simulation.uuid}/advance`, { steps: 6 });
  const delivery = await vi.waitFor(
    async () => {
      // The newest may wait for the endpoint's circuit, which its failures open.
      const deliveries = await call('GET', `${base}/webhooks/${endpoint.uuid}/deliveries`);
      const attempted = deliveries.find(({ last_attempt }: { last_attempt: unknown }) => last_attempt);
      expect(attempted).toBeDefined();
      return attempted;
    },
    { timeout: 30_000, interval: 100 },
  );
  return {
    slug,
    base,
    number,
    order,
    claim,
    endpoint,
    campaign,
    delivery,
    /** The uuid in the address of a view, by the beginning of its path after the shop. */
    uuids: {
      campaigns: campaign.uuid,
      discounts: discount.uuid,
      deals: deal.uuid,
      announcements: announcement.uuid,
      'ab-tests': abTest.uuid,
      automations: automation.uuid ?? automation.id,
      endpoints: endpoint.uuid,
      orders: order.uuid,
      claims: claim.uuid,
      simulations: simulation.uuid,
      triggers: trigger.uuid ?? trigger.id,
    } as Record<string, string>,
  };
}

export type FilledShop = Awaited<ReturnType<typeof filledShop>>;
