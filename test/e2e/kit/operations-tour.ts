import { expect, vi } from 'vitest';
import type { Answer, Api } from './client.ts';
import { startReceiver } from './receiver.ts';
import { setProvider } from './tracking-providers-tour.ts';

/** An endpoint that refuses so many deliveries that its circuit opens, and one that is parked for it. */
export async function openCircuit(api: Api, key: string, slug: string): Promise<string> {
  await using receiver = await startReceiver();
  receiver.answer(503);
  const webhooks = `/v1/shops/${slug}/webhooks`;
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const { uuid } = (await api('POST', webhooks, { key, body: { url: receiver.url } })).body;
  for (let i = 0; i < 10; i++) await api('POST', `${webhooks}/${uuid}/test`, { key });
  const has = (path: string, expected: object) =>
    vi.waitFor(
      async () => expect((await api('GET', `${webhooks}/${uuid}${path}`, { key })).body).toMatchObject(expected),
      { timeout: 20_000, interval: 100 },
    );
  await has('/health', { circuit: { state: 'open' } });
  const { delivery_id } = (await api('POST', `${webhooks}/${uuid}/test`, { key })).body;
  await has(`/deliveries/${delivery_id}`, { status: 'parked' });
  return uuid;
}

/** The operation of the family, with a provider and an open circuit, so that it reads everything that it may. */
export async function tourOfOperations(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  await setProvider(api, key);
  await openCircuit(api, key, slug);
  return { getOperations: await api('GET', '/v1/operations', { key }) };
}
