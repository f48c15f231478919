import { setTimeout as pause } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Agent, request } from 'undici';
import { partitionOf } from '#shared/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { body, makeDeliveries, send } from './queued-deliveries.ts';
import { type BenchReceiver, startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

/** Webhook deliveries on the local stack: how fast, and how much an endpoint that hangs costs another one. */
export async function benchDeliveries(): Promise<void> {
  const service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const { username, secret } = service.operator;
  const shop = await newWebhookShop(clientOf(service.stack.url), `${username}:${secret}`);
  try {
    await benchSpeed(service, shop);
    await benchIsolation(service, shop);
  } finally {
    await service.stop();
  }
}

type Shop = Awaited<ReturnType<typeof newWebhookShop>>;

/** Receivers that answer at once, as none does, and after the time that a web shop takes. */
const answerTimes = [0, 50];
const deliveries = 400;

async function benchSpeed(service: RunningService, shop: Shop): Promise<void> {
  const rows: Record<string, Record<string, string>> = {};
  for (const answerAfterMs of answerTimes) {
    const receiver = await startReceiver(answerAfterMs);
    const path = `/after-${answerAfterMs}`;
    const { uuid } = await shop.addEndpoint(receiver.urlOf(path));
    await delivered(service, shop, uuid, receiver, path, 100); // functions start and connections open
    const perSecond = await delivered(service, shop, uuid, receiver, path, deliveries);
    const loop = await postLoop(receiver.urlOf('/loop'), answerAfterMs === 0 ? deliveries : deliveries / 4);
    rows[`receiver answers after ${answerAfterMs} ms`] = {
      'POST loop, per s': fixed(loop, 0),
      'deliveries per s': fixed(perSecond, 0),
      'of the loop': fixed(perSecond / loop, 2),
    };
    await receiver.stop();
  }
  console.table(rows);
}

async function delivered(
  service: RunningService,
  { slug }: Shop,
  target: string,
  receiver: BenchReceiver,
  path: string,
  count: number,
): Promise<number> {
  const made = await makeDeliveries(service, slug, target, count);
  const arriving = receiver.arrivals(path, count);
  const start = Date.now();
  await send(service, made);
  return (count / ((await arriving).at(-1)! - start)) * 1000;
}

/** One after the other, nothing signed, nothing recorded: what a script would do. */
async function postLoop(url: string, count: number): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const start = performance.now();
  for (let sent = 0; sent < count; sent++) {
    const answer = await request(url, { method: 'POST', body, dispatcher });
    await answer.body.dump();
  }
  const seconds = (performance.now() - start) / 1000;
  await dispatcher.close();
  return count / seconds;
}

const pendingAtHanging = 1000;
const healthyDeliveries = 50;

async function benchIsolation(service: RunningService, shop: Shop): Promise<void> {
  const receiver = await startReceiver(0);
  const healthy = await shop.addEndpoint(receiver.urlOf('/healthy'));
  const hanging = await shop.addEndpoint(receiver.urlOf('/hangs'));
  const sendToHanging = async () =>
    send(service, await makeDeliveries(service, shop.slug, hanging.uuid, pendingAtHanging));
  const measured = async () => waits(service, shop, healthy.uuid, receiver);

  const alone = await measured();
  await sendToHanging();
  const beginning = await measured();
  await allParked(service, shop.slug, hanging.uuid);
  await sendToHanging();
  const open = await measured();
  await receiver.stop();
  console.table({
    'healthy endpoint alone': row(alone, alone),
    [`another begins to hang, ${pendingAtHanging} pending`]: row(beginning, alone),
    [`its circuit is open, ${pendingAtHanging} more pending`]: row(open, alone),
  });
}

/** Milliseconds from the queue to the door, for each delivery. */
async function waits(service: RunningService, { slug }: Shop, target: string, receiver: BenchReceiver) {
  const made = await makeDeliveries(service, slug, target, healthyDeliveries);
  const arriving = receiver.arrivals('/healthy', healthyDeliveries);
  const start = Date.now();
  await send(service, made);
  return (await arriving).map((at) => at - start);
}

const row = (times: number[], alone: number[]) => ({
  'median wait, ms': fixed(median(times), 0),
  'longest, ms': fixed(Math.max(...times), 0),
  'of alone': fixed(median(times) / median(alone), 2),
});

async function allParked({ table, tableName }: RunningService, slug: string, target: string): Promise<void> {
  const query = new QueryCommand({
    TableName: tableName,
    IndexName: 'lists',
    KeyConditionExpression: 'list_pk = :target',
    ExpressionAttributeValues: { ':target': partitionOf.parkedDeliveries(slug, target) },
    Select: 'COUNT',
  });
  for (let round = 0; round < 240; round++) {
    if ((await table.send(query)).Count === pendingAtHanging) return;
    await pause(500);
  }
  throw new Error('The deliveries of the hanging endpoint were not parked within two minutes.');
}
