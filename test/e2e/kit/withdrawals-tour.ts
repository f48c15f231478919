import type { Answer, Api } from './client.ts';

/** A customer withdraws from an order and from a simulated one, and the shop settles it. */
export async function tourOfWithdrawals(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const offerWithdrawals = await call('PATCH', '/settings/tracking-page', { withdrawal_enabled: true });
  const order = { products: [{ title: 'Shirt', quantity: 1 }] };
  await call('PUT', '/orders', { id: '1', order, trackings: [{ tracking_number: 'T1' }] });
  const [{ tracking_page_url }] = (await call('GET', '/orders?order_number=1')).body;
  const { body: simulation } = await call('POST', '/simulations', { journey: 'delivered' });
  const own = await withdraw(api, new URL(tracking_page_url).pathname);
  const simulated = await withdraw(api, new URL(simulation.tracking_page_url).pathname);
  const searchWithdrawals = await call('GET', '/withdrawals?per_page=1');
  const secondPage = await call('GET', '/withdrawals?per_page=1&page=2');
  const [one, other] = [searchWithdrawals, secondPage].map(({ body }) => body?.withdrawals?.[0]?.uuid);
  return {
    offerWithdrawals,
    ...own,
    sendSimulatedWithdrawal: simulated.sendWithdrawalForm!,
    searchWithdrawals,
    secondPage,
    getWithdrawal: await call('GET', `/withdrawals/${one}`),
    settleWithdrawal: await call('PUT', `/withdrawals/${one}`, { status: 'accepted' }),
    settleOther: await call('PUT', `/withdrawals/${other}`, { status: 'rejected' }),
    removeSimulation: await call('DELETE', `/simulations/${simulation.uuid}`),
  };
}

/** From the form on the tracking page. */
export async function withdraw(api: Api, page: string): Promise<Record<string, Answer>> {
  const getWithdrawalForm = await api('GET', `${page}/withdrawal`);
  const valuesOf = (name: string) =>
    [...getWithdrawalForm.text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value]) => value!);
  const fields: [string, string][] = [
    ['form_key', valuesOf('form_key')[0] ?? ''],
    ['name', 'Ada'],
    ['email_id', 'ada@example.com'],
    ...valuesOf('items').map((value): [string, string] => ['items', value]),
  ];
  const sent = await api('POST', `${page}/withdrawal`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(fields)),
    staysHere: true,
  });
  // A redirect is the success of this operation.
  return { getWithdrawalForm, sendWithdrawalForm: { ...sent, status: sent.status === 303 ? 200 : sent.status } };
}
