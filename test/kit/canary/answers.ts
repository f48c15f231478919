import { setTimeout as pause } from 'node:timers/promises';
import { mapConcurrently } from '#platform/batches.ts';
import { allOperations } from '#schemas/families/index.ts';
import { readable, type Stored } from './everything.ts';
import type { Canaries, World } from './world.ts';

/** What the GET operations answer about the shop of the canaries, with every id that is known of it. */
export async function answersOf(world: World, { first, neighbour, shop }: Canaries): Promise<Stored[]> {
  const { api, key } = world;
  const { slug } = shop.shop;
  // Connections may have ended while a test was busy with words: the client sees it when it gets to it.
  await pause(100);
  const path = `/v1/shops/${slug}`;
  const idsIn = async (list: string, name = 'uuid'): Promise<string[]> => {
    const { body } = await api('GET', `${path}${list}`, { key, query: { per_page: 100 } });
    const entries: Record<string, string>[] = Array.isArray(body) ? body : Object.values(body ?? {}).flat();
    return entries.map((entry) => entry[name]!).filter((id) => id !== undefined);
  };
  const integrations = ['integration_1', 'email'];
  const endpoints = Object.values(shop.endpoints);
  const known: Record<string, readonly string[]> = {
    slug: [slug],
    order_id: [...first.orders, ...neighbour.orders],
    'claims.uuid': [...first.claims, ...neighbour.claims],
    'withdrawals.uuid': [...first.withdrawals, ...neighbour.withdrawals],
    'webhooks.uuid': endpoints,
    'simulations.uuid': await idsIn('/simulations'),
    'requests.uuid': await idsIn('/privacy/requests'),
    automation_id: Object.values(shop.automations),
    integration: [...integrations, 'webhook'],
    target: [...endpoints, ...integrations],
    token: [...first.pages, ...neighbour.pages].map((page) => page.split('/').at(-1)!),
  };
  for (const endpoint of endpoints)
    known[`${endpoint}.delivery_id`] = await idsIn(`/webhooks/${endpoint}/deliveries`, 'id');
  for (const integration of integrations)
    known[`${integration}.delivery_id`] = await idsIn(`/integrations/${integration}/deliveries`, 'id');
  const addresses = allOperations
    .filter(({ method, id }) => method === 'GET' && !['getDescription', 'getDocs', 'getDocsPage'].includes(id))
    .flatMap((operation) => addressesOf(operation.path, known));
  const searches = [first.email, ...first.numbers, ...first.trackingNumbers].map(
    (q) => `${path}/search?q=${encodeURIComponent(q)}`,
  );
  const all = new Set([...addresses, ...searches, `${path}/orders?email_id=${encodeURIComponent(first.email)}`]);
  return mapConcurrently(
    all,
    async (where): Promise<Stored> => {
      const { status, text } = await api('GET', where, { key, staysHere: true });
      return { kind: 'answer', where, raw: `${status} ${text}`, text: readable(text) };
    },
    4,
  );
}

/** The path with every known value of each parameter. None if a parameter has none. */
function addressesOf(path: string, known: Readonly<Record<string, readonly string[]>>): string[] {
  const found = /\{(\w+)\}/.exec(path);
  if (!found) return [path];
  const [whole, name] = found as unknown as [string, string];
  const before = path.slice(0, found.index).split('/').filter(Boolean);
  const values = known[name] ?? known[`${before.at(-1)}.${name}`] ?? known[`${before.at(-2)}.${name}`] ?? [];
  return values.flatMap((value) => addressesOf(path.replace(whole, value), known));
}
