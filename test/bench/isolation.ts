import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { messageOf } from '#shared/deliveries/delivery-items.ts';
import type { RunningService } from '#test/kit/service.ts';
import type { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { type FairQueue, startFairQueue } from './fair-queue.ts';
import { useInThisProcess } from './lambda-environment.ts';
import { makeDeliveries } from './queued-deliveries.ts';
import { type BenchReceiver, startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

const pendingAtHanging = 1000;
const healthyDeliveries = 50;
/** All of them take less than the ten seconds after which the first attempts at the other endpoint are given up. */
const rounds = 5;
/** As the template says. */
const maximumConcurrency = 200;

type Shop = Awaited<ReturnType<typeof newWebhookShop>>;

/** What a healthy endpoint waits for while another one hangs: the bundled handler behind a fair queue. */
export async function benchIsolation(folder: string, service: RunningService, shop: Shop): Promise<void> {
  const receiver = await startReceiver(0);
  const queue = startFairQueue(await deliveryHandler(folder, service), maximumConcurrency);
  const healthy = await shop.addEndpoint(receiver.urlOf('/healthy'));
  const hanging = await shop.addEndpoint(receiver.urlOf('/hangs'));
  const measured = async () => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(...(await waits(service, shop.slug, healthy.uuid, queue, receiver)));
    }
    return times;
  };

  await measured(); // connections open
  const alone = await measured();
  const reached = receiver.arrivals('/hangs', maximumInFlight);
  queue.send(hanging.uuid, await newMessages(service, shop.slug, hanging.uuid, pendingAtHanging));
  await reached;
  const beside = await measured();
  await queue.drained();
  await receiver.stop();
  console.table({
    'healthy endpoint alone': row(alone, alone),
    [`another hangs, ${pendingAtHanging} pending`]: row(beside, alone),
  });
}

/** Of each batch of ten three are attempted at a time. */
const maximumInFlight = 3 * (pendingAtHanging / 10);

async function deliveryHandler(folder: string, service: RunningService) {
  const { CredentialsKeyId, DeliveryQueueUrl } = service.stack.outputs;
  useInThisProcess(service, {
    ALLOW_LOCAL_TARGETS: 'true',
    CREDENTIALS_KEY_ID: CredentialsKeyId,
    DELIVERY_QUEUE_URL: DeliveryQueueUrl,
  });
  const bundle = join(folder, 'bundles/delivery');
  await bundleEntry('functions/delivery/handler.ts', bundle);
  const { handler } = await import(pathToFileURL(join(bundle, 'index.mjs')).href);
  return handler;
}

/** Milliseconds from the queue to the door, for each delivery. */
async function waits(
  service: RunningService,
  slug: string,
  target: string,
  queue: FairQueue,
  receiver: BenchReceiver,
): Promise<number[]> {
  const messages = await newMessages(service, slug, target, healthyDeliveries);
  const arriving = receiver.arrivals('/healthy', healthyDeliveries);
  const start = Date.now();
  queue.send(target, messages);
  return (await arriving).map((at) => at - start);
}

async function newMessages(service: RunningService, slug: string, target: string, count: number): Promise<string[]> {
  const made = await makeDeliveries(service, slug, target, count);
  return made.map((delivery) => JSON.stringify(messageOf(delivery)));
}

const row = (times: number[], alone: number[]) => ({
  'median wait, ms': fixed(median(times), 0),
  'longest, ms': fixed(Math.max(...times), 0),
  'of alone': fixed(median(times) / median(alone), 2),
});
