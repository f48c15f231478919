import { type Endpoint, endpointItem } from '#domain/endpoints/endpoint.ts';
import { endpointsOf, goneEndpointItem } from '#domain/endpoints/endpoint-store.ts';
import { invalidValue } from '#platform/errors.ts';
import { type Counter, countNew, countRemoved } from '#platform/table/counter.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, commit, insert, put, remove, setAttributes, update } from '#platform/table/writes.ts';
import { endpointLimits } from '#schemas/catalogues/limits.ts';
import { urlHash } from './endpoint-rules.ts';

/**
 * Stores the endpoint and reserves its URL. Throws `webhook_exists` if another endpoint has the URL, and WriteConflict
 * if another request changed the number of endpoints.
 */
export async function insertEndpoint(endpoint: Endpoint): Promise<void> {
  const counted = await countNew(endpointCounter(endpoint.shop_slug));
  await commit([counted, insert(endpointItem(endpoint)), reserveUrl(endpoint, endpoint.url)]);
}

/**
 * One invocation creates the deliveries of an event for all endpoints: a hundred for each endpoint if the event is
 * about a hundred drafts.
 */
const { endpoints: maxEndpoints } = endpointLimits;

const endpointCounter = (slug: string): Counter => ({
  key: keyOf.webhookCount(slug),
  max: maxEndpoints,
  count: async () => (await endpointsOf(slug)).length,
  full: () => invalidValue(['body'], `cannot be added, because the shop already has ${maxEndpoints} webhook endpoints`),
});

type Changes = Record<string, unknown> & { url?: string | undefined };

/** Throws WriteConflict if the endpoint was deleted or changed since it was read, else `webhook_exists` if the URL is taken. */
export function changeEndpoint(endpoint: Endpoint, changes: Changes): Promise<void> {
  const { url = endpoint.url } = changes;
  const isSame = urlHash(url) === urlHash(endpoint.url);
  return commit([changeOf(endpoint, changes), ...(isSame ? [] : [releaseUrl(endpoint), reserveUrl(endpoint, url)])]);
}

/** Endpoints of earlier releases may have been written twice with the same `updated_at`, so the condition names all that a change depends on. */
function changeOf({ shop_slug, uuid, url, secrets, updated_at }: Endpoint, changes: Changes): Action {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...set } = setAttributes(changes);
  return update(keyOf.webhook(shop_slug, uuid), {
    ...set,
    ConditionExpression: 'updated_at = :read AND #url = :url AND secrets = :secrets',
    ExpressionAttributeNames: { ...names, '#url': 'url' },
    ExpressionAttributeValues: { ...values, ':read': updated_at, ':url': url, ':secrets': secrets },
  });
}

/** Throws WriteConflict if the endpoint was deleted or got another URL since it was read. */
export async function removeEndpoint({ shop_slug, uuid, url }: Endpoint, now: Date): Promise<void> {
  const removal = remove(keyOf.webhook(shop_slug, uuid), '#url = :url', { ':url': url }, { '#url': 'url' });
  const counted = await countRemoved(endpointCounter(shop_slug));
  const gone = put(goneEndpointItem(shop_slug, uuid, now));
  await commit([removal, releaseUrl({ shop_slug, url }), counted, gone]);
}

const reserveUrl = ({ shop_slug, uuid }: Pick<Endpoint, 'shop_slug' | 'uuid'>, url: string): Action => ({
  ...insert({ ...keyOf.webhookUrl(shop_slug, urlHash(url)), uuid }),
  refusal: 'webhook_exists',
});

/** The same write sees to it that the endpoint still has the URL. */
const releaseUrl = ({ shop_slug, url }: Pick<Endpoint, 'shop_slug' | 'url'>): Action =>
  remove(keyOf.webhookUrl(shop_slug, urlHash(url)));
