import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalStack } from '#lib/local/stack.ts';
import type { Answer, Api } from './client.ts';

/** Every operation of the family, on a feed with an event whose payload is too big for the table, and a place without one. */
export async function tourOfFeed(
  api: Api,
  key: string,
  slug: string,
  stack: Pick<LocalStack, 'clientConfig' | 'outputs'>,
): Promise<Record<string, Answer>> {
  const call = (method: string, path: string, body?: object) =>
    api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const updateEventSettings = await call('PATCH', '/settings/events', { feed_enabled: true });
  const { body: endpoint } = await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/one' });
  const empty = await call('GET', '/events');
  const waiting = call('GET', `/events?wait=20&after=${empty.body.next}`);
  const products = Array.from({ length: 300 }, () => ({ title: randomBytes(700).toString('base64') }));
  await call('PUT', '/orders', { id: '1', order: { products }, trackings: [{ tracking_number: newNumber() }] });
  const waited = await waiting;
  await leavePlaceEmpty(stack, slug);
  return {
    updateEventSettings,
    empty,
    waited,
    getEventSettings: await call('GET', '/settings/events'),
    listEvents: await call('GET', '/events'),
    ofEndpoint: await call('GET', `/events?endpoint=${endpoint.uuid}`),
    getEventLedger: await call('GET', '/events/ledger'),
    ledgerOfEndpoint: await call('GET', `/events/ledger?endpoint=${endpoint.uuid}`),
  };
}

const newNumber = () => `T-${randomUUID()}`;

/** A new id, and the time of its place. */
function entryOf(at: number): Buffer {
  const time = Buffer.alloc(6);
  time.writeUIntBE(at, 0, 6);
  return Buffer.concat([Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), time]);
}

/** As a function does that dies before it stores its event. */
async function leavePlaceEmpty({ clientConfig, outputs }: Pick<LocalStack, 'clientConfig' | 'outputs'>, slug: string) {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig));
  const TableName = outputs.TableName!;
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :feed AND begins_with(sk, :blocks)',
      ExpressionAttributeValues: { ':feed': `FEED#${slug}`, ':blocks': 'BLOCK#' },
    }),
  );
  const { pk, sk } = Items.at(-1)!;
  await table.send(
    new UpdateCommand({
      TableName,
      Key: { pk, sk },
      UpdateExpression: 'SET entries = list_append(entries, :entry)',
      ExpressionAttributeValues: { ':entry': [entryOf(Date.now() - 60_000)] },
    }),
  );
  table.destroy();
}
