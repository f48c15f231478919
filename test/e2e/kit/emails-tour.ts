import type { Answer, Api } from './client.ts';

/**
 * Every operation of the family, in a shop with a suppressed address.
 * @param linkFor makes the token of a link to unsubscribe, as a mail has it
 */
export async function tourOfEmails(
  api: Api,
  key: string,
  slug: string,
  linkFor: (one: { pageToken: string; slug: string; address: string }) => Promise<string>,
): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const address = 'ida@example.com';
  await call('PUT', '/orders', { id: '1', order: { email_id: address }, trackings: [] });
  const [{ tracking_page_url }] = (await call('GET', '/orders?order_number=1')).body;
  const pageToken = tracking_page_url.split('/').at(-1);
  const sendTestEmail = await call('POST', '/emails/test', { to: 'me@example.com' });
  const token = await linkFor({ pageToken, slug, address });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (body: string) => api('POST', `/u/${token}`, { headers, body });
  const sendUnsubscribe = await send('List-Unsubscribe=One-Click');
  const subscribed = await send('emails=on');
  const getUnsubscribePage = await api('GET', `/u/${token}`);
  await send('emails=off');
  // Two, so that the list has a second page.
  const other = await linkFor({ pageToken, slug, address: 'bo@example.com' });
  await api('POST', `/u/${other}`, { headers, body: 'emails=off' });
  const listSuppressions = await call('GET', '/emails/suppressions?per_page=1');
  return {
    sendTestEmail,
    sendUnsubscribe,
    subscribed,
    getUnsubscribePage,
    listSuppressions,
    secondPage: await call('GET', '/emails/suppressions?per_page=1&page=2'),
    deleteSuppression: await call('DELETE', `/emails/suppressions/${listSuppressions.body[0]?.id}`),
    getEmailSettings: await call('GET', '/settings/emails'),
    updateEmailSettings: await call('PATCH', '/settings/emails', { enabled: true }),
    previewEmail: await call('GET', '/emails/preview'),
  };
}
