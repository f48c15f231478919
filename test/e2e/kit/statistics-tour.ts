import type { Answer, Api } from './client.ts';

/** All operations, on a shop with a lost parcel and a claim. */
export async function tourOfStatistics(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  await call('PUT', '/orders', { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] });
  await call('POST', '/shipment-events', { id: 'T1', event_name: 'SHIPMENT_LOST' });
  const [{ uuid: order_id, trackings }] = (await call('GET', '/orders?order_number=1')).body;
  await call('POST', '/claims', { order_id, shipment_id: trackings[0].uuid, reason: 'investigation' });
  return {
    getStatistics: await call('GET', '/statistics'),
    getTargetStatistics: await call('GET', '/statistics/deliveries/integration_1'),
    getAttention: await call('GET', '/attention'),
  };
}
