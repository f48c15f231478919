import { orderExamples } from '#schemas/examples/orders.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import type { DayClient, DayRequest } from './http.ts';
import { emailOf, orderNumberOf, trackingNumberOf } from './names.ts';

/** What the shop, its customers and the tracking provider send. */

const slug = 'large-shop';
const shopPath = `/v1/shops/${slug}`;
const fake = fakeProviders.aftership;

const json = (value: unknown): string => JSON.stringify(value);

/** Makes the shop, its endpoint and the provider. */
export async function openShop(client: DayClient, receiverUrl: string, secret: string): Promise<void> {
  const call = async (method: DayRequest['method'], path: string, body: object) => {
    const { status, text } = await client.send({ operation: 'open the shop', method, path, body: json(body) });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  const provider = { api_key: fake.apiKey, webhook_secret: fake.webhookSecret, base_url: receiverUrl };
  await call('PUT', '/v1/tracking-providers/aftership', provider);
  await call('POST', '/v1/shops', { name: 'A large shop', slug, settings: { carriers_enabled: true } });
  await call('POST', `${shopPath}/webhooks`, { url: `${receiverUrl}/events`, secret });
}

const { order: example } = orderExamples.upsertOrder.body;

export const placing = (order: number, placedAt: string): DayRequest => ({
  operation: 'place an order',
  method: 'PUT',
  path: `${shopPath}/orders`,
  body: json({
    id: orderNumberOf(order),
    order: {
      ...example,
      external_id: `E${order}`,
      order_name: `#${order}`,
      order_placed_at: placedAt,
      email_id: emailOf(order),
      external_customer_id: `C-${order}`,
      expected_number_of_shipments: 1,
    },
    trackings: [],
  }),
});

export const fulfilling = (order: number): DayRequest => ({
  operation: 'fulfil an order',
  method: 'PUT',
  path: `${shopPath}/orders`,
  body: json({
    id: orderNumberOf(order),
    trackings: [{ tracking_number: trackingNumberOf(order), carrier_reference: 'dhl' }],
  }),
});

/** The tag, sub-tag and text of each scan. The events are those that the book expects. */
const scans = [
  ['InTransit', 'InTransit_002', 'Accepted', 'Bonn'],
  ['OutForDelivery', 'OutForDelivery_001', 'Out for delivery', 'Hamburg'],
  ['Delivered', 'Delivered_001', 'Delivered', 'Hamburg'],
] as const;

/** The whole history of the parcel so far, as the provider sends it. @param times when each scan was made */
export function reporting(order: number, times: readonly number[], arrivesAt: number): DayRequest {
  const checkpoints = times.map((time, i) => {
    const [tag, subtag, message, city] = scans[i]!;
    const place = { city, state: null, postal_code: null, country_region: 'DEU', country_region_name: 'Germany' };
    const checkpoint_time = new Date(time).toISOString();
    return { checkpoint_time, ...place, location: `${city}, Germany`, slug: 'dhl-germany', message, tag, subtag };
  });
  const webhook = fake.webhook(trackingNumberOf(order), checkpoints) as { msg: object };
  const until = new Date(arrivesAt).toISOString();
  const body = Buffer.from(
    json({
      ...webhook,
      ts: Math.floor(times.at(-1)! / 1000),
      msg: {
        ...webhook.msg,
        courier_estimated_delivery_date: { estimated_delivery_date: until.slice(0, 10) },
        latest_estimated_delivery: { type: 'specific', source: 'Carrier EDD', datetime: until },
      },
    }),
  );
  return {
    operation: 'provider’s webhook',
    method: 'POST',
    path: '/v1/tracking-providers/aftership/webhook',
    body,
    headers: fake.signed(body),
  };
}

const browser = { accept: 'text/html', 'accept-language': 'de-DE,de;q=0.9,en;q=0.8', 'user-agent': 'Mozilla/5.0' };

export const viewing = (token: string): DayRequest => ({
  operation: 'view a page',
  method: 'GET',
  path: `/t/${token}`,
  headers: browser,
});

export const claiming = (order: number): DayRequest => ({
  operation: 'make a claim',
  method: 'POST',
  path: `${shopPath}/claims`,
  body: json({
    tracking_number: trackingNumberOf(order),
    order_number: orderNumberOf(order),
    reason: 'damage',
    resolution_preference: 'refund',
    description: 'The box is open at one side, and the boots are wet.',
  }),
});

export const listing = (path: string, query: Record<string, string>): DayRequest => ({
  operation: 'read back',
  method: 'GET',
  path: `${shopPath}${path}?${new URLSearchParams(query)}`,
});

/** In turn by the number, by the e-mail address, and the newest changes of shipments. */
export function searching(order: number, since: string): DayRequest {
  const kinds: [path: string, query: Record<string, string>][] = [
    ['/orders', { order_number: orderNumberOf(order) }],
    ['/orders', { email_id: emailOf(order) }],
    ['/shipments', { updated_from: since, sort: '-updated_at' }],
  ];
  const [path, query] = kinds[Math.floor(order / 20) % kinds.length]!;
  return { ...listing(path, query), operation: path === '/orders' ? 'search orders' : 'list shipments' };
}
