import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { startEventReceiver } from '#test/kit/event-receiver.ts';
import { wholeImages } from '#test/kit/images.ts';
import { multipart } from '#test/kit/multipart.ts';
import { anAutomation, aWebhook } from './automations.ts';
import type { Answer, Api } from './client.ts';

const steps = [
  { event_name: 'ORDER_PROCESSED', after_minutes: 1 },
  { event_name: 'PICKUP_SUCCESSFUL', after_minutes: 2 },
  { event_name: 'SUCCESSFULLY_DELIVERED', after_minutes: 3 * 24 * 60 },
];

const within = { timeout: 25_000, interval: 100 };

/** Every operation on simulations, of which one makes everything that a simulation can make, also mails, and is removed. */
export async function tourOfSimulations(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  await using receiver = await startEventReceiver();
  // The next attempt is so late that it waits in the table.
  receiver.behave('/later', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  await call('PATCH', '/settings/emails', { enabled: true });
  const { body: endpoint } = await call('POST', '/webhooks', { url: receiver.urlOf('/later') });
  const actions = [aWebhook(receiver.urlOf('/automation'))];
  await call('POST', '/automations', anAutomation({ name: 'At once', trigger: { ref: 'shipments' }, actions }));
  const slow = anAutomation({ name: 'Later', trigger: { ref: 'claims' }, actions, delay_minutes: 600 });
  const { body: later } = await call('POST', '/automations', slow);
  await call('POST', '/settings/triggers/webhook/internal-triggers', {
    name: 'Stuck',
    phase_in: ['in_transit'],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 24,
  });
  // Its payloads are too big for the table.
  const products = Array.from({ length: 300 }, () => ({ title: randomBytes(600).toString('base64') }));
  const startSimulation = await call('POST', '/simulations', { steps, order: { products }, emails: true });
  const path = `/simulations/${startSimulation.body.uuid}`;
  await call('POST', `${path}/advance`, { steps: 1 });
  await sendClaim(api, new URL(startSimulation.body.tracking_page_url).pathname);
  const advanceSimulation = await call('POST', `${path}/advance`, { steps: 2 });
  await vi.waitFor(async () => {
    const { body } = await call('GET', `/webhooks/${endpoint.uuid}/deliveries`);
    expect(body).toContainEqual(expect.objectContaining({ status: 'pending', attempt_count: 1 }));
    const { body: mails } = await call('GET', '/integrations/email/deliveries');
    expect(mails).toContainEqual(expect.objectContaining({ status: 'delivered' }));
    const { body: runs } = await call('GET', `/automations/${later.uuid}/runs`);
    expect(runs).not.toEqual([]);
  }, within);
  const other = await call('POST', '/simulations', { journey: 'lost' });
  // Its parcel gets its number with the last step.
  const short = await call('POST', '/simulations', { steps: steps.slice(1, 2) });
  await call('POST', `/simulations/${short.body.uuid}/advance`, { steps: 1 });
  return {
    startSimulation,
    advanceSimulation,
    other,
    short,
    listJourneys: await call('GET', '/simulations/journeys'),
    listSimulations: await call('GET', '/simulations?per_page=1'),
    secondPage: await call('GET', '/simulations?per_page=1&page=2'),
    farPage: await call('GET', '/simulations?page=100'),
    getSimulation: await call('GET', path),
    removeSimulation: await call('DELETE', path),
  };
}

/** A claim with a photo, from the form on the tracking page. */
async function sendClaim(api: Api, page: string): Promise<void> {
  const { text } = await api('GET', `${page}/claim`);
  const [, formKey = ''] = /name="form_key" value="([^"]+)"/.exec(text) ?? [];
  const photo = { bytes: wholeImages.jpeg, filename: 'photo.jpg' };
  const form = multipart(['form_key', formKey], ['reason', 'damage'], ['images', photo]);
  expect((await api('POST', `${page}/claim`, { ...form, staysHere: true })).status).toBe(303);
}
