import { expect, vi } from 'vitest';
import type { Answer, Api } from './client.ts';

/** Every operation of the family, on a shop of its own; nothing listens at the endpoint, nor at the integration. */
export async function tourOfWebhooks(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}/webhooks${path}`, { key, body });
  const integration = await tourOfIntegration(api, key, slug);
  const create = await call('POST', '', { url: 'http://127.0.0.1:9/one' });
  const one = `/${create.body.uuid}`;
  const [test, another] = [await call('POST', `${one}/test`), await call('POST', `${one}/test`)];
  const delivery = `${one}/deliveries/${test.body.delivery_id}`;
  return {
    create,
    test,
    another,
    health: await call('GET', `${one}/health`),
    search: await call('GET', ''),
    byUuid: await call('GET', `?uuid=${create.body.uuid}`),
    moved: await call('PATCH', one, { url: 'http://127.0.0.1:9/two' }),
    rotated: await call('POST', `${one}/rotate-secret`, {}),
    deliveries: await call('GET', `${one}/deliveries?per_page=1`),
    secondPage: await call('GET', `${one}/deliveries?per_page=1&page=2`),
    farPage: await call('GET', `${one}/deliveries?page=100`),
    delivery: await call('GET', delivery),
    redelivered: await call('POST', `${delivery}/redeliver`),
    recovered: await call('POST', `${one}/recover`, { since: '2026-01-01T00:00:00Z' }),
    deleted: await call('DELETE', one),
    ...integration,
  };
}

/** An order makes the integration's first delivery, and the tour waits for that. */
async function tourOfIntegration(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) => api(method, `/v1/shops/${slug}${path}`, { key, body });
  const own = '/integrations/integration_3';
  await call('PATCH', '/settings/triggers', { integration_3: true });
  await call('PATCH', '/settings/triggers/integration_3', { rest_endpoint: 'http://127.0.0.1:9/push' });
  await call('PUT', '/keys/integration_3', { api_key: 'key-of-the-integration' });
  await call('PUT', '/orders', { id: '1', order: {}, trackings: [{ tracking_number: 'integration-1' }] });
  const ofIntegration = await vi.waitFor(
    async () => {
      const listed = await call('GET', `${own}/deliveries`);
      expect(listed.body).not.toEqual([]);
      return listed;
    },
    { timeout: 20_000, interval: 100 },
  );
  const delivery = `${own}/deliveries/${ofIntegration.body[0].id}`;
  return {
    ofIntegration,
    healthOfIntegration: await call('GET', `${own}/health`),
    deliveryOfIntegration: await call('GET', delivery),
    redeliveredToIntegration: await call('POST', `${delivery}/redeliver`),
    recoveredForIntegration: await call('POST', `${own}/recover`, { since: '2026-01-01T00:00:00Z' }),
  };
}
