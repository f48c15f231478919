import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Endpoint, type EndpointSecret, endpointItem } from '#domain/endpoints/endpoint.ts';
import { endpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { type Counter, countNew, countRemoved } from '#platform/table/counter.ts';
import { keyOf } from '#platform/table/keys.ts';
import { insert, setAttributes, transact, WriteConflict, write } from '#platform/table/writes.ts';
import { endpointLimits } from '#schemas/catalogues/limits.ts';
import { urlHash } from './endpoint-rules.ts';

/**
 * Stores the endpoint and reserves its URL. Throws `webhook_exists` if another endpoint has the URL, and WriteConflict
 * if another request changed the number of endpoints.
 */
export async function insertEndpoint(endpoint: Endpoint): Promise<void> {
  const counted = await countNew(endpointCounter(endpoint.shop_slug));
  try {
    await transact([counted, insert(endpointItem(endpoint)), reserveUrl(endpoint, endpoint.url)]);
  } catch (error) {
    const isTaken = error instanceof WriteConflict && error.positions.some((position) => position > 0);
    throw isTaken ? new ServiceError('webhook_exists') : error;
  }
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

/** Throws WriteConflict if the endpoint was deleted or changed since it was read. */
export function changeEndpoint(endpoint: Endpoint, changes: Changes): Promise<void> {
  const { url = endpoint.url } = changes;
  const update = { TableName: tableName(), ...changeOf(endpoint, changes) };
  if (urlHash(url) === urlHash(endpoint.url)) return write(() => table.send(new UpdateCommand(update)));
  return takenMeansExists(transact([{ Update: update }, releaseUrl(endpoint), reserveUrl(endpoint, url)]));
}

/** Throws WriteConflict if the endpoint was deleted or got another URL since it was read. */
export async function removeEndpoint({ shop_slug, uuid, url }: Endpoint): Promise<void> {
  const Delete = {
    TableName: tableName(),
    Key: keyOf.webhook(shop_slug, uuid),
    ...urlUnchanged(url),
  };
  const counted = await countRemoved(endpointCounter(shop_slug));
  await transact([{ Delete }, releaseUrl({ shop_slug, uuid, url }), counted]);
}

/** Throws WriteConflict if the endpoint has changed since it was read. */
export function replaceSecrets(
  endpoint: Endpoint,
  changes: { secrets: EndpointSecret[]; updated_at: string },
): Promise<void> {
  const { ExpressionAttributeValues, ...update } = setAttributes(changes);
  return write(() =>
    table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keyOf.webhook(endpoint.shop_slug, endpoint.uuid),
        ...update,
        ConditionExpression: 'secrets = :before AND updated_at = :read',
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':before': endpoint.secrets,
          ':read': endpoint.updated_at,
        },
      }),
    ),
  );
}

type Place = Pick<Endpoint, 'shop_slug' | 'uuid'>;

const reserveUrl = ({ shop_slug, uuid }: Place, url: string) => ({
  Put: {
    TableName: tableName(),
    Item: { ...keyOf.webhookUrl(shop_slug, urlHash(url)), uuid },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const releaseUrl = ({ shop_slug, url }: Pick<Endpoint, 'shop_slug' | 'uuid' | 'url'>) => ({
  Delete: { TableName: tableName(), Key: keyOf.webhookUrl(shop_slug, urlHash(url)) },
});

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

/** If the endpoint itself has changed as well, that conflict comes first: the endpoint may already own the URL. */
async function takenMeansExists(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const isTaken = error instanceof WriteConflict && !error.positions.includes(0);
    throw isTaken ? new ServiceError('webhook_exists') : error;
  }
}
