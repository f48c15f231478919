import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { goneWebhookPrefix, keyOf, shopPartition, webhookPrefix } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { deliveryLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
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

/** The uuids of endpoints that were deleted while their deliveries are kept. */
export async function goneEndpointsOf(slug: string): Promise<string[]> {
  const items = await allItemsIn<{ sk: string }>(shopPartition(slug), { prefix: goneWebhookPrefix });
  return items.map(({ sk }) => sk.slice(goneWebhookPrefix.length));
}

/** The endpoints that receive events. */
export const activeEndpoints = async (slug: string): Promise<Endpoint[]> => (await endpointsOf(slug)).filter(isActive);

/** @param items of the shop */
export const activeEndpointsIn = (items: readonly { sk: string }[]): Endpoint[] =>
  items
    .filter(({ sk }) => sk.startsWith(webhookPrefix))
    .map(toEndpoint)
    .filter(isActive);

const isActive = ({ status }: Endpoint) => status === 'active';

/** A day longer than deliveries are kept. */
const goneTtlSeconds = secondsOfDays(deliveryLimits.days + 1);

export const goneEndpointItem = (slug: string, uuid: string, now: Date) => ({
  ...keyOf.goneWebhook(slug, uuid),
  expires_at: Math.floor(now.getTime() / 1000) + goneTtlSeconds,
});
