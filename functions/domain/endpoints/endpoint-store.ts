import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { keyOf, shopPartition, webhookPrefix } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { type Endpoint, toEndpoint } from './endpoint.ts';

export async function endpointOf(slug: string, uuid: string): Promise<Endpoint | undefined> {
  const [item] = await gatheredGet([keyOf.webhook(slug, uuid)]);
  return item && toEndpoint(item);
}

/** Every endpoint of the shop, oldest first. A shop has few. */
export async function endpointsOf(slug: string): Promise<Endpoint[]> {
  const items = await allItemsIn<Record<string, unknown>>(shopPartition(slug), { prefix: webhookPrefix });
  return items.map(toEndpoint);
}

/** The endpoints that receive events. */
export async function activeEndpoints(slug: string): Promise<Endpoint[]> {
  return (await endpointsOf(slug)).filter(({ status }) => status === 'active');
}
