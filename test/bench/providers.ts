import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { postWebhook, setProvider } from '#test/e2e/kit/tracking-providers-tour.ts';
import { thirtyCheckpoints } from '#test/kit/providers/thirty-checkpoints.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { fixed, median } from './statistics.ts';

const webhooks = 500;
const spreadOverMs = 60_000;
/** Long enough for the stream of the new orders. */
const quietMs = 5_000;
/** Tests and benches of several people share the machine; a queue that never empties is still noticed. */
const maxWaitMs = 180_000;

/** Webhooks of a tracking provider on the local stack: how fast each is answered, and that every event is recorded once. */
export async function benchProviders(): Promise<void> {
  const service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const api = clientOf(service.stack.url);
  const key = `${service.operator.username}:${service.operator.secret}`;
  try {
    // Of a carrier that no parcel has, so that the provider itself is not asked.
    await setProvider(api, key, { carriers: ['ups'] });
    await api('POST', '/v1/shops', {
      key,
      body: { name: 'Bench', slug: 'bench', settings: { carriers_enabled: true } },
    });
    const numbers = Array.from({ length: webhooks }, (_, i) => `BENCH${String(i).padStart(6, '0')}`);
    await fulfil(api, key, numbers);
    // Functions start, the compiler optimizes them, and what the new orders cause in the background is done.
    const beforehand = Array.from({ length: 40 }, (_, i) => `BEFORE${i}`);
    await fulfil(api, key, beforehand);
    for (const number of beforehand) await postWebhook(api, number, thirtyCheckpoints);
    await emptied(service);
    await pause(quietMs);
    const began = performance.now();
    const times = await Promise.all(numbers.map((number, i) => answerTime(api, number, (i * spreadOverMs) / webhooks)));
    const postedMs = performance.now() - began;
    await emptied(service);
    const recordedMs = performance.now() - began;
    await eachRecordedOnce(api, key, numbers);
    console.table({
      [`${webhooks} webhooks of ${thirtyCheckpoints.length} checkpoints, spread over ${fixed(spreadOverMs / 1000, 0)} s`]:
        {
          'answer, median ms': fixed(median(times)),
          'answer, p95 ms': fixed(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!),
          'answer, slowest ms': fixed(Math.max(...times)),
          'over a second': times.filter((ms) => ms > 1000).length,
          'posted after s': fixed(postedMs / 1000),
          'all recorded after s': fixed(recordedMs / 1000),
        },
    });
  } finally {
    await service.stop();
  }
}

async function fulfil(api: Api, key: string, numbers: readonly string[]): Promise<void> {
  for (let from = 0; from < numbers.length; from += 100) {
    const body = numbers.slice(from, from + 100).map((tracking_number) => ({
      id: tracking_number,
      order: {},
      trackings: [{ tracking_number, carrier_reference: 'dhl' }],
    }));
    const { status, text } = await api('PUT', '/v1/shops/bench/orders/bulk', { key, body });
    if (status !== 200) throw new Error(`Orders were not taken: ${status} ${text}`);
  }
}

async function answerTime(api: Api, number: string, afterMs: number): Promise<number> {
  await pause(afterMs);
  const start = performance.now();
  const { status, text } = await postWebhook(api, number, thirtyCheckpoints);
  if (status !== 200) throw new Error(`A webhook was not taken: ${status} ${text}`);
  return performance.now() - start;
}

async function emptied({ stack }: RunningService): Promise<void> {
  const sqs = new SQSClient(stack.clientConfig);
  const AttributeNames = ['ApproximateNumberOfMessages' as const, 'ApproximateNumberOfMessagesNotVisible' as const];
  for (const end = Date.now() + maxWaitMs; Date.now() < end; await pause(100)) {
    const command = new GetQueueAttributesCommand({ QueueUrl: stack.outputs.CarrierUpdatesQueueUrl!, AttributeNames });
    const { Attributes = {} } = await sqs.send(command);
    if (AttributeNames.every((name) => Attributes[name] === '0')) return sqs.destroy();
  }
  throw new Error('The queue of carrier updates does not get empty.');
}

interface BenchOrder {
  trackings: { events: { event_name: string; time: string }[] }[];
}

async function eachRecordedOnce(api: Api, key: string, numbers: readonly string[]): Promise<void> {
  for (const order_number of numbers) {
    const { body } = await api('GET', '/v1/shops/bench/orders', { key, query: { order_number } });
    const events = (body as BenchOrder[])[0]!.trackings[0]!.events.filter(
      (event) => event.event_name !== 'ORDER_PROCESSED',
    );
    const distinct = new Set(events.map(({ event_name, time }) => `${event_name} ${time}`));
    if (events.length !== thirtyCheckpoints.length || distinct.size !== events.length) {
      throw new Error(`${order_number} has ${events.length} events, ${distinct.size} of them different.`);
    }
  }
  console.log(`${numbers.length * thirtyCheckpoints.length} events are recorded, each exactly once`);
}
