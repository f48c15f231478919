import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface NeighbourData {
  orders: string;
  authorization: string;
  maxWaitMs: number;
}

export interface Round {
  count: number;
  everyMs: number;
}

/**
 * A shop that sends orders and receives their events in a thread of its own, so that it waits for the service and not
 * for its thread.
 */
const { orders, authorization, maxWaitMs } = workerData as NeighbourData;

/** By the numbers of the orders whose events did not arrive yet. */
const expected = new Map<string, () => void>();

const server = createServer(async (request, response) => {
  const event = (await json(request)) as { context: { order: { order_number: string } } };
  expected.get(event.context.order.order_number)?.();
  response.writeHead(200).end();
});
server.listen(0, '127.0.0.1', () => parentPort!.postMessage({ port: (server.address() as AddressInfo).port }));

parentPort!.on('message', async (round: Round) => parentPort!.postMessage({ waits: await waits(round) }));

/**
 * The orders are sent at fixed times, whether or not the events before them have arrived. One after the other, a long
 * wait would count once, and hide all the orders that a shop would have sent meanwhile.
 */
async function waits({ count, everyMs }: Round): Promise<number[]> {
  const waiting: Promise<number>[] = [];
  for (let sent = 0; sent < count; sent++) {
    waiting.push(waitOf(randomUUID()));
    await pause(everyMs);
  }
  return Promise.all(waiting);
}

/** Milliseconds from the call to the arrival of its event. Infinity if the call fails or the event comes too late. */
async function waitOf(id: string): Promise<number> {
  const start = performance.now();
  const { promise: arrival, resolve } = Promise.withResolvers<void>();
  expected.set(id, resolve);
  const signal = AbortSignal.timeout(maxWaitMs);
  signal.addEventListener('abort', () => resolve());
  await placed(id, signal);
  await arrival;
  expected.delete(id);
  return signal.aborted ? Number.POSITIVE_INFINITY : performance.now() - start;
}

async function placed(id: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ id, order: {}, trackings: [{ tracking_number: id }] });
  const headers = { authorization, 'content-type': 'application/json' };
  try {
    const answer = await fetch(orders, { method: 'PUT', headers, body, signal });
    if (!answer.ok) console.log(`the other shop: an order got ${answer.status} ${await answer.text()}`);
  } catch {
    console.log('the other shop: an order got no answer');
  }
}
