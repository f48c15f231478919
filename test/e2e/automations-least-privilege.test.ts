import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import type { AutomationRecord } from '#shared/automations/model.ts';
import { messageOf, newRun } from '#shared/automations/run.ts';
import { runItem } from '#shared/automations/run-items.ts';
import { outboxOf } from '#shared/keys.ts';
import { type StoredEvent, subjectsOf } from '#shared/payload/event-payload.ts';
import { anAutomation, aWebhook } from './kit/automations.ts';
import { type Answer, type Api, clientOf } from './kit/client.ts';
import { type Grant, grantsOf } from './kit/grants.ts';
import { startInProcess } from './kit/in-process-stack.ts';
import { lacking } from './kit/narrowed-stack.ts';
import { assembly, newSlug, superAdmin } from './kit/shared-stack.ts';

const of = (name: string) =>
  grantsOf(assembly)
    .filter(({ policy }) => policy.startsWith(name))
    .map((grant) => ({ grant, name: `${grant.action} on ${grant.keys ?? 'its resource'}` }));
const [ofApi, ofRuns] = [of('AutomationsApi'), of('AutomationRunsAct')];

const slug = newSlug();
const actions = [
  aWebhook(),
  { type: 'add_segment', params: { segment: 'vip' } },
  { type: 'update_claim', params: { status: 'accepted' } },
];
let stack: LocalStack & AsyncDisposable;
let table: DynamoDBDocumentClient;
let call: (method: string, path: string, body?: object) => ReturnType<Api>;
/** The one that acts, and one that only looks at past events. */
let uuid: string;
let asleep: string;
/** An event of a claim for each of the runs: what one did, another need not do. */
const events: StoredEvent[] = [];

const put = (Item: object) => table.send(new PutCommand({ TableName: stack.outputs.TableName, Item }));

beforeAll(async () => {
  stack = await startInProcess(assembly);
  table = DynamoDBDocumentClient.from(new DynamoDBClient(stack.clientConfig));
  const api = clientOf(stack.url);
  call = (method, path, body) => api(method, `/v1/shops/${slug}${path}`, { key: superAdmin, ...(body && { body }) });
  await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } });
  for (let i = 0; i <= ofRuns.length; i++) events.push(await claimed());
  // Nothing that happened sets them off: the runs are those that the tests make.
  uuid = (await call('POST', '/automations', anAutomation({ trigger: { ref: 'claims/updated' }, actions }))).body.uuid;
  asleep = (await call('POST', '/automations', anAutomation({ status: 'inactive' }))).body.uuid;
});
afterAll(async () => {
  table.destroy();
  await stack.stop();
});

async function claimed(): Promise<StoredEvent> {
  const tracking_number = randomUUID();
  await call('PUT', '/orders', { id: randomUUID(), order: {}, trackings: [{ tracking_number }] });
  const { body } = await call('POST', '/claims', { tracking_number, reason: 'damage' });
  const { Items } = await table.send(
    new QueryCommand({
      TableName: stack.outputs.TableName,
      KeyConditionExpression: 'pk = :order',
      FilterExpression: 'claim_id = :claim',
      ExpressionAttributeValues: { ':order': outboxOf(slug, body.order_id), ':claim': body.uuid },
    }),
  );
  return { ...(Items![0] as StoredEvent), ref: 'claims/updated' };
}

describe('the grants of the automations family', () => {
  /** Every operation, with a second page and a run that has a delivery. */
  async function tour(): Promise<Answer[]> {
    const created = await call('POST', '/automations', anAutomation({ status: 'inactive' }));
    const own = `/automations/${created.body.uuid ?? asleep}`;
    const readers = await Promise.all([
      call('GET', '/automations?per_page=1'),
      call('GET', `/automations/${uuid}`),
      call('GET', `/automations/${uuid}/runs`),
      call('POST', `/automations/${asleep}/dry-run`, {}),
      call('PUT', own, anAutomation({ status: 'inactive' })),
    ]);
    const second = await call('GET', '/automations?per_page=1&page=2');
    const removed = created.status === 200 ? [await call('DELETE', own)] : [];
    return [created, ...readers, second, ...removed];
  }

  beforeAll(async () => {
    const run = await pendingRun(events.at(-1)!);
    const results = { done: { status: 'done' as const, delivery: { target: 'target', id: randomUUID() } } };
    await put(runItem({ ...run, status: 'done', finished_at: run.due_at, results }));
  });

  it('suffice for every operation', async () => {
    expect((await tour()).map(({ status, text }) => (status === 500 ? text : status))).toEqual([
      200, 200, 200, 200, 200, 200, 200, 204,
    ]);
  });

  it.each(ofApi)('are each needed by some operation: $name', async ({ grant }) => {
    const refused = (await lacking(stack, [grant], tour)).filter(({ status }) => status === 500);
    expect(refused).not.toEqual([]);
    const errors = stack.logs('AutomationsApi').filter((line) => line.includes('AccessDenied'));
    for (const { headers } of refused) {
      expect(errors.find((line) => line.includes(headers.get('x-correlation-id')!))).toContain(grant.action);
    }
  });
});

describe('the grants of the function that runs automations', () => {
  it('suffice for every action', async () => {
    expect(await acted(events[0]!)).toEqual([]);
    expect(stack.logs('AutomationRunsAct').join()).not.toContain('AccessDenied');
  });

  it.each(ofRuns.map((one, i) => ({ ...one, event: i + 1 })))('are each needed: $name', async ({ grant, event }) => {
    expect(await lacking(stack, [grant as Grant], () => acted(events[event]!))).toHaveLength(1);
    expect(stack.logs('AutomationRunsAct').at(-1)).toContain('AccessDenied');
  });
});

async function pendingRun(event: StoredEvent) {
  const { body } = await call('GET', `/automations/${uuid}`);
  return newRun(body as AutomationRecord, event, subjectsOf(event)[0]!, { status: 'pending', conditions: [] });
}

/** What the function says of a run that it is handed. */
async function acted(event: StoredEvent): Promise<object[]> {
  const run = await pendingRun(event);
  await put(runItem(run));
  const Records = [{ messageId: 'm', body: JSON.stringify(messageOf(run)), eventSourceARN: 'arn:runs' }];
  const { batchItemFailures } = (await stack.invoke('AutomationRunsAct', { Records })) as {
    batchItemFailures: object[];
  };
  return batchItemFailures;
}
