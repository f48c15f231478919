import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientOf } from '#test/e2e/kit/client.ts';
import { accept, type EventReceiver, hang, startEventReceiver } from '#test/kit/event-receiver.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

let service: RunningService;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  // Longer than a busy machine takes to start a thread, and short enough to wait for.
  service = await startService({ visibilityTimeout: 8, environment: { ALLOW_LOCAL_TARGETS: 'true' } });
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
});

const within = { timeout: 40_000, interval: 50 };
const idsAt = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id']);

test('a delivery function that is killed before a POST, after a POST and before an acknowledgement loses no delivery', async () => {
  const { username, secret } = service.operator;
  const shop = await newWebhookShop(clientOf(service.stack.url), `${username}:${secret}`);
  const statusOf = async (endpoint: { uuid: string; secret: string }) =>
    (await shop.deliveriesOf(endpoint)).map(({ status, attempt_count }) => `${status} ${attempt_count}`);
  await using door = await startDoor();
  const before = await shop.addEndpoint(door.url);
  const after = await shop.addEndpoint(receiver.urlOf('/after'));
  const recorded = await shop.addEndpoint(receiver.urlOf('/recorded'));
  receiver.behave('/after', hang);

  // One event for three endpoints is one batch, which is acknowledged as a whole.
  await shop.fulfil();
  await door.knocked;
  await vi.waitFor(async () => {
    expect(idsAt('/after')).toHaveLength(1);
    expect(await statusOf(recorded)).toEqual(['delivered 1']);
  }, within);
  await service.stack.kill('DeliverySend');
  expect(await Promise.all([before, after].map(statusOf))).toEqual([[], []]);

  receiver.behave('/after', accept);
  door.open();
  await vi.waitFor(async () => {
    expect(await Promise.all([before, after].map(statusOf))).toEqual([['delivered 1'], ['delivered 1']]);
  }, within);
  expect(door.ids).toHaveLength(1);
  expect(idsAt('/after')).toEqual([idsAt('/after')[0], idsAt('/after')[0]]);
  expect(idsAt('/recorded')).toHaveLength(1);
});

/** Accepts connections and reads nothing until it is opened, so that no POST has happened. */
async function startDoor() {
  const ids: unknown[] = [];
  const http = createHttpServer((request, response) => {
    request.resume();
    ids.push(request.headers['webhook-id']);
    accept(response);
  });
  const sockets = new Set<Socket>();
  const knocked = Promise.withResolvers<void>();
  let isOpen = false;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    knocked.resolve();
    if (isOpen) http.emit('connection', socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ids,
    knocked: knocked.promise,
    open: () => {
      hangUp();
      isOpen = true;
    },
    [Symbol.asyncDispose]: async () => {
      hangUp();
      server.close();
    },
  };
}
