import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { anAutomation, aWebhook } from './automations.ts';
import type { Answer, Api } from './client.ts';

/** Nobody listens there, because the tour does not check deliveries. */
const nowhere = 'http://127.0.0.1:9/hook';

/** Every operation on automations, and a run that does each kind of action. */
export async function tourOfAutomations(api: Api, key: string, slug: string): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const actions = [
    aWebhook(nowhere),
    { type: 'add_segment', params: { segment: 'vip' } },
    { type: 'update_claim', params: { status: 'accepted' } },
  ];
  const createAutomation = await call('POST', '/automations', anAutomation({ trigger: { ref: 'claims' }, actions }));
  const path = `/automations/${createAutomation.body.uuid}`;
  const tracking_number = randomUUID();
  await call('PUT', '/orders', { id: randomUUID(), order: {}, trackings: [{ tracking_number }] });
  await call('POST', '/claims', { tracking_number, reason: 'damage' });
  await claimSimulated(call);
  const listAutomationRuns = await ended(() => call('GET', `${path}/runs`));
  const other = await call('POST', '/automations', anAutomation({ status: 'inactive' }));
  return {
    createAutomation,
    listAutomationRuns,
    listAutomations: await call('GET', '/automations?per_page=1'),
    secondPage: await call('GET', '/automations?per_page=1&page=2'),
    farRuns: await call('GET', `${path}/runs?page=100`),
    getAutomation: await call('GET', path),
    dryRunAutomation: await call('POST', `${path}/dry-run`, {}),
    replaceAutomation: await call('PUT', path, anAutomation({ status: 'inactive' })),
    deleteAutomation: await call('DELETE', `/automations/${other.body.uuid}`),
  };
}

/** What an automation does for a simulated order, it does only while there is the simulation. */
async function claimSimulated(call: (method: string, path: string, body?: object) => Promise<Answer>): Promise<void> {
  const { body: simulation } = await call('POST', '/simulations', { journey: 'delivered' });
  await call('POST', `/simulations/${simulation.uuid}/advance`, { steps: 1 });
  const [{ trackings }] = (await call('GET', `/orders?order_number=${simulation.order_number}`)).body;
  await call('POST', '/claims', { tracking_number: trackings[0].carrier.tracking_number, reason: 'damage' });
}

/** The runs that the claims triggered, once they are done. */
const ended = (list: () => Promise<Answer>): Promise<Answer> =>
  vi.waitFor(
    async () => {
      const answer = await list();
      const done = { ref: 'claims/created', status: 'done' };
      expect(answer.body.filter((run: typeof done) => run.ref === done.ref)).toMatchObject([done, done]);
      return answer;
    },
    { timeout: 20_000, interval: 100 },
  );
