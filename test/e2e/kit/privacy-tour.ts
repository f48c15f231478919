import { expect, vi } from 'vitest';
import type { Answer, Api } from './client.ts';

const within = { timeout: 25_000, interval: 200 };

/**
 * Every operation of the family, and the download of a disclosure: its address has the rights of the function that signed it.
 * @param work what the schedule does once a minute
 */
export async function tourOfPrivacy(
  api: Api,
  key: string,
  slug: string,
  work: () => Promise<unknown>,
): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  await call('PUT', '/orders', { id: '1', order: { email_id: 'ida@example.com' }, trackings: [] });
  const asked = { kind: 'disclosure', email_id: 'ida@example.com' };
  const createPrivacyRequest = await call('POST', '/privacy/requests', asked);
  const again = await call('POST', '/privacy/requests', asked);
  await call('POST', '/privacy/requests', { kind: 'erasure', email_id: 'ida@example.com', dry_run: true });
  const path = `/privacy/requests/${createPrivacyRequest.body.uuid}`;
  const getPrivacyRequest = await vi.waitFor(async () => {
    await work();
    const answer = await call('GET', path);
    expect(answer.body).toMatchObject({ status: 'done', orders: 1 });
    return answer;
  }, within);
  const download = await fetch(getPrivacyRequest.body.download_url);
  expect([download.status, new TextDecoder().decode((await download.arrayBuffer()).slice(0, 2))]).toEqual([200, 'PK']);
  return {
    createPrivacyRequest,
    again,
    getPrivacyRequest,
    listPrivacyRequests: await call('GET', '/privacy/requests?per_page=1'),
    secondPage: await call('GET', '/privacy/requests?per_page=1&page=2'),
    getRetention: await call('GET', '/settings/retention'),
    updateRetention: await call('PATCH', '/settings/retention', { orders_days: 730 }),
  };
}
