import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Agent, request } from 'undici';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { functionAlone } from './delivery-function.ts';
import { benchIsolation } from './isolation.ts';
import { body, makeDeliveries, send } from './queued-deliveries.ts';
import { type BenchReceiver, startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

/** Webhook deliveries: how fast on the local stack, and how much an endpoint that hangs costs another one. */
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

/** Receivers that answer at once, and after the time that a web shop takes. */
const answerTimes = [0, 50];
const deliveries = 800;
const rounds = 5;
/** The compiler needs some runs to optimize the service; the floor is a short loop that it optimizes soon. */
const beforehand = 2000;

async function benchSpeed(service: RunningService, shop: Shop): Promise<void> {
  const rows: Record<string, Record<string, string>> = {};
  for (const answerAfterMs of answerTimes) {
    const receiver = await startReceiver(answerAfterMs);
    const path = `/after-${answerAfterMs}`;
    const { uuid } = await shop.addEndpoint(receiver.urlOf(path));
    const made: Delivery[] = [];
    const deliver = async (number: number) => {
      const some = await makeDeliveries(service, shop.slug, uuid, number);
      made.push(...some);
      return speedOf(service, some, receiver, path);
    };
    await deliver(beforehand); // functions start and connections open
    const count = answerAfterMs === 0 ? deliveries : deliveries / 10;
    const times = { loop: [] as number[], alone: [] as number[], stack: [] as number[] };
    // In turn, so that a slow moment of the machine affects all.
    for (let round = 0; round < rounds; round++) {
      times.loop.push(await postLoop(receiver.urlOf('/loop'), count));
      times.alone.push(await functionAlone(receiver.urlOf('/alone'), count));
      times.stack.push(await deliver(deliveries));
    }
    await eachArrivedOnce(service, made, receiver, path);
    const loop = median(times.loop);
    const figures = {
      'POST loop, one at a time': loop,
      'delivery function, table at once': median(times.alone),
      'local stack, from queue to door': median(times.stack),
    };
    for (const [name, perSecond] of Object.entries(figures)) {
      rows[`${name}, receiver takes ${answerAfterMs} ms`] = {
        'per second': fixed(perSecond, 0),
        'of the loop': fixed(perSecond / loop, 2),
      };
    }
    await receiver.stop();
  }
  console.table(rows);
}

/** Long enough to fill the queue first, because filling it uses the same cores. */
const filledAfterSeconds = 2;

/** Deliveries per second from the first arrival to the last, without the latency of a single one. */
async function speedOf(service: RunningService, made: Delivery[], receiver: BenchReceiver, path: string) {
  const arriving = receiver.arrivals(path, made.length);
  await send(service, made, filledAfterSeconds);
  const times = await arriving;
  return ((times.length - 1) / (times.at(-1)! - times[0]!)) * 1000;
}

/** Nothing more can arrive once the queue is empty. */
async function eachArrivedOnce(service: RunningService, made: Delivery[], receiver: BenchReceiver, path: string) {
  await emptied(service);
  const [sent, arrived] = [made.map(({ id }) => id).sort(), receiver.ids(path).sort()];
  if (JSON.stringify(sent) !== JSON.stringify(arrived)) {
    throw new Error(`Of ${sent.length} deliveries ${new Set(arrived).size} arrived, in ${arrived.length} requests.`);
  }
  console.log(`${sent.length} deliveries arrived, each exactly once`);
}

const maxWait = 30_000;

async function emptied({ stack }: RunningService): Promise<void> {
  const sqs = new SQSClient(stack.clientConfig);
  const AttributeNames = ['ApproximateNumberOfMessages' as const, 'ApproximateNumberOfMessagesNotVisible' as const];
  for (const end = Date.now() + maxWait; Date.now() < end; await pause(50)) {
    const command = new GetQueueAttributesCommand({ QueueUrl: stack.outputs.DeliveryQueueUrl!, AttributeNames });
    const { Attributes = {} } = await sqs.send(command);
    if (AttributeNames.every((name) => Attributes[name] === '0')) return sqs.destroy();
  }
  throw new Error('The queue of deliveries does not get empty.');
}

/** One POST after the other, neither signed nor recorded, as a script would send them. */
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
