import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FamilyName } from '#schemas/families/index.ts';
import { type Send, SmokeFault } from './client.ts';
import { entriesOf, type Fields, keyExpiration, removeKeys, removeLeftovers, removeListed } from './leftovers.ts';
import { deliveryMs, type Receiver } from './receiver.ts';

/** A walk through a deployment, from family to family. */
export interface Journey {
  send: Send;
  /** `username:secret` of a SuperAdmin. */
  superAdmin: string;
  receiver: Receiver | undefined;
  /** Called at the end, the last one first. */
  cleanUp(step: () => Promise<unknown>): void;
  /** Is in the names of what the run makes. */
  run: string;
  /** What is older than this was left by an earlier run. */
  leftoverAgeMs: number;
  found: Found;
}

/** What a walk leaves for those after it. */
interface Found {
  /** Requests below the shop, with a key of its own. */
  shop?: Send;
  parcel?: { orderId: string; shipmentId: string; trackingNumber: string; pageUrl: string };
  discountId?: string;
  endpoint?: { uuid: string; secret: string };
}

/** It throws if the family does not work. What it returns is said about it. */
export type Walk = (journey: Journey) => Promise<string | undefined>;

/** No operation deletes a shop, so every walk uses this one. */
export const shopSlug = 'smoke-test';

/** In this order: a walk may need what an earlier one found. */
export const walks: Record<FamilyName, Walk> = {
  meta: async ({ send }) => {
    await send('GET', '/health');
    const { openapi } = await send('GET', '/v1/openapi.json');
    expect(openapi, 'The description of the API has no version of OpenAPI.');
  },

  shops: async ({ send, superAdmin: key, cleanUp, found, leftoverAgeMs }) => {
    const path = `/v1/shops/${shopSlug}`;
    if (!(await hasShop(send, key))) {
      await send('POST', '/v1/shops', { key, body: { name: 'Acceptance test', slug: shopSlug } });
    }
    const asSuperAdmin: Send = (method, rest, call) => send(method, path + rest, { key, ...call });
    const removed = await removeLeftovers(asSuperAdmin, leftoverAgeMs);
    const expiration = keyExpiration();
    const created = await make(
      cleanUp,
      () => asSuperAdmin('POST', '/api-keys', { body: { role: 'admin', expiration } }),
      () => removeKeys(asSuperAdmin, (other) => other === expiration),
    );
    const own = `${created.username}:${created.secret}`;
    found.shop = (method, rest, call) => send(method, path + rest, { key: own, ...call });
    await found.shop('GET', '');
    return removed > 0 ? `deleted ${removed} things that an earlier run left` : undefined;
  },

  sessions: async ({ send, superAdmin: key, cleanUp }) => {
    let cookie = '';
    const onHeaders = (headers: Headers) => {
      cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const { username } = await send('POST', '/v1/sessions', { key, onHeaders });
    cleanUp(() => send('DELETE', '/v1/sessions/current', { headers: { cookie } }));
    expect(key.startsWith(`${username}:`), `The session is that of ${username}.`);
  },

  statistics: async (journey) => {
    const shop = need(journey, 'shop');
    await shop('GET', '/statistics');
    await shop('GET', '/attention');
  },

  feed: async (journey) => {
    const shop = need(journey, 'shop');
    await shop('PATCH', '/settings/events', { body: { feed_enabled: true } });
    journey.cleanUp(() => shop('PATCH', '/settings/events', { body: { feed_enabled: false } }));
    const { feed_enabled } = await shop('GET', '/settings/events');
    expect(feed_enabled, 'The feed is off after it was switched on.');
    const { next } = await shop('GET', '/events?limit=1');
    await shop('GET', `/events?wait=1&after=${next}`);
    await shop('GET', '/events/ledger');
  },

  analytics: async (journey) => {
    const shop = need(journey, 'shop');
    await shop('GET', '/analytics/delivery-times');
    await shop('GET', '/analytics/overview');
    await shop('GET', '/analytics/arrival-calibration');
  },

  simulations: async (journey) => {
    const shop = need(journey, 'shop');
    const { uuid } = await shop('POST', '/simulations', { body: { journey: 'delivered' } });
    journey.cleanUp(() => removeListed(shop, '/simulations', (simulation) => simulation.uuid === uuid));
    const { happened } = await shop('POST', `/simulations/${uuid}/advance`, { body: { steps: 1 } });
    expect(happened.length > 0, 'Nothing happened when the clock of a simulation moved.');
  },

  privacy: async (journey) => {
    const shop = need(journey, 'shop');
    await shop('GET', '/settings/retention');
    await shop('GET', '/privacy/requests');
  },

  emails: async (journey) => {
    const shop = need(journey, 'shop');
    const { available } = await shop('GET', '/settings/emails');
    await shop('GET', '/emails/preview?format=json');
    return available ? undefined : 'the stage names no sender, so no e-mails are sent';
  },

  settings: async (journey) => {
    const shop = need(journey, 'shop');
    await shop('GET', '/settings');
    await shop('PATCH', '/settings/brand-palette', { body: { primary_dark: '#12372A' } });
  },

  webhooks: async (journey) => {
    const shop = need(journey, 'shop');
    const { receiver, cleanUp, found, run } = journey;
    if (!receiver) {
      await shop('GET', '/webhooks');
      return 'no event was delivered, because nothing can receive it: give --receiver-url';
    }
    const secret = randomUUID();
    const url = `${receiver.url}?run=${run}`;
    const { uuid } = await make(
      cleanUp,
      () => shop('POST', '/webhooks', { body: { url, secret, enabled_events: ['shipments'] } }),
      () => removeListed(shop, '/webhooks', (endpoint) => endpoint.url === url),
    );
    found.endpoint = { uuid, secret };
  },

  orders: async (journey) => {
    const shop = need(journey, 'shop');
    // No operation deletes an order or its parcels, so all walks of a day use one order.
    const id = `smoke-${new Date().toISOString().slice(0, 10)}`;
    const trackingNumber = `SMOKE${journey.run}`;
    const email_id = 'smoke-test@example.com';
    await shop('PUT', '/orders', {
      body: { id, order: { email_id }, trackings: [{ tracking_number: trackingNumber }] },
    });
    const [order] = await shop('GET', `/orders?order_number=${id}`);
    const parcel = order?.trackings.find(
      ({ carrier }: { carrier: { tracking_number: string } }) => carrier.tracking_number === trackingNumber,
    );
    expect(parcel, `The order ${id} was stored without its parcel.`);
    const pageUrl = order.tracking_page_url;
    journey.found.parcel = { orderId: order.uuid, shipmentId: parcel.uuid, trackingNumber, pageUrl };
  },

  shipments: async (journey) => {
    const [shop, { trackingNumber }] = [need(journey, 'shop'), need(journey, 'parcel')];
    const { shipments } = await shop('GET', `/shipments?tracking_number=${trackingNumber}`);
    expect(shipments.length === 1, `A search finds ${shipments.length} parcels with the number ${trackingNumber}.`);
  },

  events: async (journey) => {
    const [shop, { shipmentId }] = [need(journey, 'shop'), need(journey, 'parcel')];
    const body = { event_name: 'OUT_FOR_DELIVERY', event_time: new Date().toISOString() };
    await shop('POST', `/shipments/${shipmentId}/events`, { body });
    return delivered(journey);
  },

  claims: async (journey) => {
    const [shop, { trackingNumber, shipmentId }] = [need(journey, 'shop'), need(journey, 'parcel')];
    const { uuid } = await make(
      journey.cleanUp,
      () => shop('POST', '/claims', { body: { tracking_number: trackingNumber, reason: 'damage' } }),
      () => removeListed(shop, `/claims?shipment_id=${shipmentId}`, () => true),
    );
    await shop('GET', `/claims/${uuid}`);
  },

  withdrawals: async (journey) => {
    await need(journey, 'shop')('GET', '/withdrawals');
    return undefined;
  },

  pages: async (journey) => {
    const { send } = journey;
    const { pageUrl } = need(journey, 'parcel');
    const page = await send('GET', pageUrl);
    expect(String(page).includes('<html'), `${pageUrl} is no page.`);
    const token = new URL(pageUrl).pathname.split('/').at(-1);
    await send('GET', `/v1/tracking/${token}`);
  },

  images: async (journey) => {
    const body = new FormData();
    body.set('image_type', 'claim');
    body.set('image', new Blob([onePixel], { type: 'image/gif' }), 'smoke.gif');
    await need(journey, 'shop')('POST', '/images', { body });
    return 'an image of 43 bytes stays, because no operation deletes it';
  },

  discounts: async (journey) => {
    const uuid = await record(journey, '/discounts', { code: `SMOKE-${journey.run}`, type: 'order' });
    journey.found.discountId = uuid;
  },

  deals: async (journey) => {
    await record(journey, '/deals', { discount_id: need(journey, 'discountId') });
  },

  announcements: async (journey) => {
    await record(journey, '/announcements', { text: `Acceptance test ${journey.run}`, language: 'en' });
  },

  campaigns: async (journey) => {
    const basic = { promotion_type: 'basic', promotion_properties: {}, enabled: false };
    await record(journey, '/campaigns', { name: `Acceptance test ${journey.run}`, segment: 'smoke', ...basic });
  },

  'ab-tests': async (journey) => {
    const shop = need(journey, 'shop');
    await shop('GET', '/ab-tests');
    await shop('POST', '/ab-tests', { body: {}, status: 422 });
    return 'only read, because no operation deletes an A/B test';
  },

  automations: async (journey) => {
    await record(journey, '/automations', {
      name: `Acceptance test ${journey.run}`,
      enabled: false,
      trigger: { ref: 'claims/created' },
      actions: [{ type: 'webhook', params: { url: 'https://example.com/smoke' } }],
    });
  },

  'shop-system': async (journey) => {
    const shop = need(journey, 'shop');
    const { webhook_secret } = await shop('GET', '/shop-system/webhook-config');
    const body = JSON.stringify({ id: 1 });
    const signature = createHmac('sha256', webhook_secret).update(body).digest('base64');
    // The service acknowledges deleted products, and does nothing.
    await shop('POST', '/shop-system/inbound/product-deletion', {
      key: undefined,
      body,
      headers: { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signature },
    });
  },

  'tracking-providers': async ({ send, superAdmin: key }) => {
    await send('GET', '/v1/tracking-providers', { key });
    return 'only read, because its settings are of the whole deployment';
  },

  operations: async ({ send, superAdmin: key }) => {
    const { queues } = await send('GET', '/v1/operations', { key });
    const given_up = queues.filter((queue: { given_up: number }) => queue.given_up > 0);
    if (given_up.length === 0) return undefined;
    return `messages were given up: ${given_up.map(({ name }: { name: string }) => name).join(', ')}`;
  },
};

async function hasShop(send: Send, key: string): Promise<boolean> {
  const shops = await send('GET', `/v1/shops?slug=${shopSlug}`, { key });
  return shops.some(({ slug }: { slug: string }) => slug === shopSlug);
}

/** Makes something and leaves its removal for the end, also if the answer is lost, since it may exist. */
async function make<T>(cleanUp: Journey['cleanUp'], act: () => Promise<T>, undo: () => Promise<unknown>): Promise<T> {
  try {
    const made = await act();
    cleanUp(undo);
    return made;
  } catch (error) {
    if (!isRefused(error)) cleanUp(undo);
    throw error;
  }
}

/** The service itself said that it did nothing. A gateway knows nothing of it. */
const isRefused = (error: unknown): boolean =>
  error instanceof SmokeFault && error.status !== undefined && error.status <= 500;

/** Creates a record, finds it by its first field and leaves its deletion for the end. Not every POST answers the id. */
async function record(journey: Journey, path: string, body: object): Promise<string> {
  const shop = need(journey, 'shop');
  const [[name, value]] = Object.entries(body) as [[string, unknown]];
  const isOwn = (one: Fields) => one[name] === value;
  await make(
    journey.cleanUp,
    () => shop('POST', path, { body }),
    () => removeListed(shop, path, isOwn),
  );
  const created = (await entriesOf(shop, path)).find(isOwn);
  expect(created, `GET ${path} does not list the new record.`);
  return String(created!.uuid);
}

/** Waits until the event has reached the endpoint. */
async function delivered(journey: Journey): Promise<string | undefined> {
  const { receiver, found } = journey;
  if (!receiver || !found.endpoint) return undefined;
  const began = Date.now();
  const { uuid, secret } = found.endpoint;
  if (receiver.signedEvent) await receiver.signedEvent(secret);
  while (!(await hasDelivered(need(journey, 'shop'), uuid))) {
    if (Date.now() - began > deliveryMs) throw new SmokeFault(`No event was delivered in ${deliveryMs / 1000} s.`);
    await pause(500);
  }
  return `an event was delivered after ${Date.now() - began} ms`;
}

async function hasDelivered(shop: Send, uuid: string): Promise<boolean> {
  const deliveries = await shop('GET', `/webhooks/${uuid}/deliveries`);
  return deliveries.some(({ status }: { status: string }) => status === 'delivered');
}

/** An earlier walk failed, so this one cannot be done. */
export class Missing extends Error {}

function need<Name extends keyof Found>({ found }: Journey, name: Name): NonNullable<Found[Name]> {
  const value = found[name];
  if (value === undefined) throw new Missing(`needs ${name}, which an earlier family did not give`);
  return value;
}

function expect(isRight: unknown, fault: string): void {
  if (!isRight) throw new SmokeFault(fault);
}

const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
