import { Agent, request } from 'undici';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { functionAlone } from './delivery-function.ts';
import { benchIsolation } from './isolation.ts';
import { body, makeDeliveries, send } from './queued-deliveries.ts';
import { type BenchReceiver, startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

/** Webhook deliveries: how fast on the local stack, and how much an endpoint that hangs costs another one. */
export async function benchDeliveries(folder: string): Promise<void> {
  const service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const { username, secret } = service.operator;
  const shop = await newWebhookShop(clientOf(service.stack.url), `${username}:${secret}`);
  try {
    await benchSpeed(service, shop);
    await benchIsolation(folder, service, shop);
  } finally {
    await service.stop();
  }
}

type Shop = Awaited<ReturnType<typeof newWebhookShop>>;

/** Receivers that answer at once, as none does, and after the time that a web shop takes. */
const answerTimes = [0, 50];
const deliveries = 400;
const rounds = 5;

async function benchSpeed(service: RunningService, shop: Shop): Promise<void> {
  const rows: Record<string, Record<string, string>> = {};
  for (const answerAfterMs of answerTimes) {
    const receiver = await startReceiver(answerAfterMs);
    const path = `/after-${answerAfterMs}`;
    const { uuid } = await shop.addEndpoint(receiver.urlOf(path));
    await delivered(service, shop, uuid, receiver, path, 100); // functions start and connections open
    const count = answerAfterMs === 0 ? deliveries : deliveries / 10;
    const times = { loop: [] as number[], alone: [] as number[] };
    // In turn, so that a slow moment of the machine falls on both.
    for (let round = 0; round < rounds; round++) {
      times.loop.push(await postLoop(receiver.urlOf('/loop'), count));
      times.alone.push(await functionAlone(receiver.urlOf('/alone'), count));
    }
    const loop = median(times.loop);
    const figures = {
      'POST loop, one at a time': loop,
      'delivery function, table at once': median(times.alone),
      'local stack, from queue to door': await delivered(service, shop, uuid, receiver, path, deliveries),
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
