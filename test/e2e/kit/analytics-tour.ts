import type { Answer, Api } from './client.ts';

/** All operations, also as CSV. */
export async function tourOfAnalytics(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (path: string, headers = {}) => api('GET', `/v1/shops/${slug}/analytics${path}`, { key, headers });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  return {
    getDeliveryTimes: await call('/delivery-times?by=carrier,country,week'),
    getOverview: await call('/overview', { accept: 'text/csv' }),
    getArrivalCalibration: await call('/arrival-calibration'),
  };
}
