import { maxOfGroup } from '#lib/local/queues/fairest.ts';
import { attemptDeadlineMs } from '#pipeline/delivery/post.ts';
import type { RunningService } from '#test/kit/service.ts';
import type { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { makeDeliveries, send } from './queued-deliveries.ts';
import { type BenchReceiver, startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

const pendingAtHanging = 1000;
const healthyDeliveries = 50;
const rounds = 5;
/** As many attempts at the hanging endpoint as may run at once: three of the ten messages of a batch. */
const hangingAtLeast = (maxOfGroup / 10) * 3;

type Shop = Awaited<ReturnType<typeof newWebhookShop>>;

/** The latency of a healthy endpoint while another one hangs, on the local stack. */
export async function benchIsolation(service: RunningService, shop: Shop): Promise<void> {
  const receiver = await startReceiver(0);
  const healthy = await shop.addEndpoint(receiver.urlOf('/healthy'));
  const hanging = await shop.addEndpoint(receiver.urlOf('/hangs'));
  const measured = async () => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(...(await waits(service, shop.slug, healthy.uuid, receiver)));
    }
    return times;
  };

  await measured(); // connections open
  const alone = await measured();
  const pending = await makeDeliveries(service, shop.slug, hanging.uuid, pendingAtHanging);
  const reached = receiver.arrivals('/hangs', hangingAtLeast);
  await send(service, pending);
  const [firstHangs] = await reached;
  const beside = await measured();
  // After that the first attempts are given up, the circuit opens, and nothing hangs any more.
  if (Date.now() - firstHangs! > attemptDeadlineMs)
    console.log('too slow: the other endpoint did not hang all the time');
  await receiver.stop();
  console.table({
    'healthy endpoint alone': row(alone, alone),
    [`another hangs, ${pendingAtHanging} pending`]: row(beside, alone),
  });
}

/** Milliseconds from the queue to the receiver, for each delivery. */
async function waits(service: RunningService, slug: string, target: string, receiver: BenchReceiver) {
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
