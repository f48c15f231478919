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

export interface Waits {
  /** Milliseconds from the call that sends an order to the arrival of its event. Infinity if it comes too late or never. */
  waits: number[];
  /** How many orders were not taken. They count as infinite waits. */
  refused: number;
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

parentPort!.on('message', async (round: Round) => parentPort!.postMessage(await send(round)));

/**
 * The orders are sent at fixed times, whether or not the events before them have arrived. One after the other, a long
 * wait would count once, and hide all the orders that a shop would have sent meanwhile.
 */
async function send({ count, everyMs }: Round): Promise<Waits> {
  const waiting: Promise<number | 'refused'>[] = [];
  for (let sent = 0; sent < count; sent++) {
    waiting.push(waitOf(randomUUID()));
    await pause(everyMs);
  }
  const results = await Promise.all(waiting);
  const waits = results.map((result) => (result === 'refused' ? Number.POSITIVE_INFINITY : result));
  return { waits, refused: results.filter((result) => result === 'refused').length };
}

async function waitOf(id: string): Promise<number | 'refused'> {
  const start = performance.now();
  const { promise: arrival, resolve } = Promise.withResolvers<void>();
  expected.set(id, resolve);
  const tooLate = AbortSignal.timeout(maxWaitMs);
  tooLate.addEventListener('abort', () => resolve());
  if (!(await isTaken(id, tooLate))) return 'refused';
  await arrival;
  expected.delete(id);
  return tooLate.aborted ? Number.POSITIVE_INFINITY : performance.now() - start;
}

async function isTaken(id: string, signal: AbortSignal): Promise<boolean> {
  const body = JSON.stringify({ id, order: {}, trackings: [{ tracking_number: id }] });
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(orders, { method: 'PUT', headers, body, signal }).catch(() => undefined);
  await answer?.text();
  return answer?.ok ?? false;
}
