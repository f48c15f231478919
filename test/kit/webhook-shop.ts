import { randomUUID } from 'node:crypto';
import type { Api } from '#test/e2e/kit/client.ts';

export interface Endpoint {
  uuid: string;
  secret: string;
}

export interface DeliveryRow {
  id: string;
  status: string;
  attempt_count: number;
}

/** A shop with parcels that have events, and endpoints that listen. `settings` are those of its creation. */
export async function newWebhookShop(api: Api, key: string, settings: Record<string, boolean> = {}) {
  const slug = `shop-${randomUUID()}`;
  const path = `/v1/shops/${slug}`;
  const call = async (
    method: string,
    rest: string,
    options: { body?: object; query?: Record<string, string | number> } = {},
  ) => {
    const { status, body, text } = await api(method, path + rest, { key, ...options });
    if (status !== 200) throw new Error(`${method} ${rest}: ${status} ${text}`);
    return body;
  };
  await api('POST', '/v1/shops', { key, body: { name: slug, slug, settings } });
  return {
    slug,
    call,
    addEndpoint: (url: string): Promise<Endpoint> => call('POST', '/webhooks', { body: { url } }),
    addAutomation: (url: string): Promise<{ uuid: string; secret: string }> => {
      const actions = [{ type: 'webhook', params: { url } }];
      return call('POST', '/automations', { body: { name: randomUUID(), trigger: { ref: '*' }, actions } });
    },
    /** Each parcel is an event of its own at each endpoint. Returns the parcels' numbers. */
    fulfil: async (parcels = 1): Promise<string[]> => {
      const trackings = Array.from({ length: parcels }, () => ({ tracking_number: randomUUID() }));
      await call('PUT', '/orders', { body: { id: randomUUID(), order: {}, trackings } });
      return trackings.map(({ tracking_number }) => tracking_number);
    },
    addTrigger: (integration: string, body: object): Promise<{ id: string }> =>
      call('POST', `/settings/triggers/${integration}/internal-triggers`, { body }),
    /** Records an event without a notification. */
    report: async (id: string, event_name: string, event_time: string): Promise<void> => {
      const { status, text } = await api('POST', `/v1/shop/${slug}/shipment-events`, {
        key,
        body: { id, event_name, event_time },
      });
      if (status !== 200) throw new Error(`${event_name}: ${status} ${text}`);
    },
    deliveriesOf: ({ uuid }: Endpoint): Promise<DeliveryRow[]> =>
      call('GET', `/webhooks/${uuid}/deliveries`, { query: { per_page: 100 } }),
  };
}
