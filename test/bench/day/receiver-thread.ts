import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { Book, type BookMemory, heardEvents } from './book.ts';
import { orderOfNumber, orderOfTracking } from './names.ts';

/**
 * The merchant's system, which checks the signature of every webhook and keeps which events it has heard of, and the
 * tracking provider, which takes registrations. In a thread of its own, so that neither waits for the driver.
 */
const { memory, secret } = workerData as { memory: BookMemory; secret: string };
const book = new Book(memory);
const events = new Map<string, number>(heardEvents.map((name, i) => [name, i]));

interface Payload {
  ref: string;
  context: { order: { order_number: string; tracking_page_url: string } };
}

const registered = JSON.stringify({
  meta: { code: 201 },
  data: { id: '0b02015fc7fd4f3c8d5490cece4d124d', active: true },
});

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (request.url!.startsWith('/tracking/')) register(body, response);
    else response.writeHead(receive(request, body)).end();
  });
});
server.keepAliveTimeout = 60_000;

function register(body: Buffer, response: ServerResponse): void {
  const { tracking_number } = JSON.parse(body.toString('utf8')) as { tracking_number: string };
  const order = orderOfTracking(tracking_number, book.orders);
  if (order === undefined) book.refuse('unexpected');
  else book.register(order);
  response.writeHead(201, { 'content-type': 'application/json' }).end(registered);
}

function receive({ headers }: IncomingMessage, body: Buffer): number {
  if (!isGenuine(headers['service-signature'] as string | undefined, body)) {
    book.refuse('wrongSignatures');
    return 401;
  }
  const { ref, context } = JSON.parse(body.toString('utf8')) as Payload;
  const event = events.get(ref.slice(ref.lastIndexOf('/') + 1));
  const order = orderOfNumber(context.order.order_number, book.orders);
  if (event === undefined || order === undefined) {
    book.refuse('unexpected');
    parentPort!.postMessage({ unexpected: `${ref} of ${context.order.order_number}` });
    return 200;
  }
  if (event === 0) book.keepToken(order, context.order.tracking_page_url.slice(-22));
  book.hear(order, event, shortId(headers['webhook-id'] as string), Date.now());
  return 200;
}

/** Of a uuid whose other bits are as random as these. */
const shortId = (id: string): number => Number.parseInt(id.slice(-8), 16) >>> 0;

function isGenuine(header: string | undefined, body: Buffer): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  return v1 !== undefined && createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex') === v1;
}

server.listen(0, '127.0.0.1', () => parentPort!.postMessage({ port: (server.address() as AddressInfo).port }));
