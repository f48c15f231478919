import { type Endpoint, type EndpointSecret, endpointItem } from '#domain/endpoints/endpoint.ts';
import { endpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { invalidValue } from '#platform/errors.ts';
import { tableName } from '#platform/table/client.ts';
import { type Counter, countNew, countRemoved } from '#platform/table/counter.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, commit, insert, remove, setAttributes } from '#platform/table/writes.ts';
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
  const Update = { TableName: tableName(), ...changeOf(endpoint, changes) };
  return commit([{ Update }, ...(isSame ? [] : [releaseUrl(endpoint), reserveUrl(endpoint, url)])]);
}

/** Throws WriteConflict if the endpoint was deleted or got another URL since it was read. */
export async function removeEndpoint({ shop_slug, uuid, url }: Endpoint): Promise<void> {
  const Delete = {
    TableName: tableName(),
    Key: keyOf.webhook(shop_slug, uuid),
    ...urlUnchanged(url),
  };
  const counted = await countRemoved(endpointCounter(shop_slug));
  await commit([{ Delete }, releaseUrl({ shop_slug, url }), counted]);
}

/** Throws WriteConflict if the endpoint has changed since it was read. */
export function replaceSecrets(
  endpoint: Endpoint,
  changes: { secrets: EndpointSecret[]; updated_at: string },
): Promise<void> {
  const { ExpressionAttributeValues, ...update } = setAttributes(changes);
  const Update = {
    TableName: tableName(),
    Key: keyOf.webhook(endpoint.shop_slug, endpoint.uuid),
    ...update,
    ConditionExpression: 'secrets = :before AND updated_at = :read',
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ':before': endpoint.secrets,
      ':read': endpoint.updated_at,
    },
  };
  return commit([{ Update }]);
}

const reserveUrl = ({ shop_slug, uuid }: Pick<Endpoint, 'shop_slug' | 'uuid'>, url: string): Action => ({
  ...insert({ ...keyOf.webhookUrl(shop_slug, urlHash(url)), uuid }),
  refusal: 'webhook_exists',
});

const releaseUrl = ({ shop_slug, url }: Pick<Endpoint, 'shop_slug' | 'url'>): Action =>
  remove(keyOf.webhookUrl(shop_slug, urlHash(url)));

/** The same write releases the URL that was read, so the endpoint must still have it. */
const urlUnchanged = (url: string) => ({
  ConditionExpression: '#url = :address',
  ExpressionAttributeNames: { '#url': 'url' },
  ExpressionAttributeValues: { ':address': url },
});

function changeOf({ shop_slug, uuid, url, updated_at }: Endpoint, changes: Changes) {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setAttributes(changes);
  const condition = urlUnchanged(url);
  return {
    Key: keyOf.webhook(shop_slug, uuid),
    UpdateExpression,
    ConditionExpression: `${condition.ConditionExpression} AND updated_at = :read`,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ...condition.ExpressionAttributeValues,
      ':read': updated_at,
    },
  };
}
