import { handler as pages } from '#api/pages/handler.ts';
import { handler as simulations } from '#api/simulations/handler.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { invoke } from './invoke.ts';
import { memoryTable } from './memory-table.ts';
import { asOperator, operator, shopItem, tableWith } from './table.ts';

/** A shop on the table in memory whose simulations go through the handler. */

export const simulationShop = 'blue';

export const holdsSimulations = (...items: object[]) => tableWith(operator.item, shopItem(simulationShop), ...items);

export const callSimulations = (method: string, path: string, call: object = {}) =>
  invoke(simulations, {
    method,
    resource: `/v1/shops/{slug}/simulations${path}`,
    headers: asOperator,
    ...call,
    params: { slug: simulationShop, ...(call as { params?: Record<string, string> }).params },
  });

async function done(answer: ReturnType<typeof callSimulations>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const startSimulation = (body: object) => done(callSimulations('POST', '', { body }));
export const tryAdvance = (uuid: string, body: object) =>
  callSimulations('POST', '/{uuid}/advance', { params: { uuid }, body });
export const advanceSimulation = (uuid: string, body: object) => done(tryAdvance(uuid, body));
export const removeSimulation = (uuid: string) => done(callSimulations('DELETE', '/{uuid}', { params: { uuid } }));

const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);

export const factsAt = async (url: string, lang = 'en') =>
  (
    await invoke(pages, {
      method: 'GET',
      resource: '/v1/tracking/{token}',
      params: { token: tokenIn(url) },
      query: { lang },
    })
  ).body;

export const pageAt = async (url: string) =>
  (await invoke(pages, { method: 'GET', resource: '/t/{token}', params: { token: tokenIn(url) } })).body as string;

/** The outgoing events of all orders, in the order of their times. */
export const outgoing = () =>
  (memoryTable.all(partitions.outbox) as unknown as OutboxEvent[])
    .filter((item) => 'ref' in item)
    .toSorted((a, b) => (a.triggered_at < b.triggered_at ? -1 : a.triggered_at > b.triggered_at ? 1 : 0));
