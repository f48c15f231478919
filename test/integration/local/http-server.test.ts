import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '#lib/local/gateway/http-server.ts';

test('a request in progress is answered when the stack stops', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<ServerResponse>();
  const server = await listen((_request, response) => resolve(response), 0);
  const answer = fetch(`http://127.0.0.1:${server.port}`);
  const response = await arrived;
  const closed = server.close();
  response.end('done');
  expect(await (await answer).text()).toBe('done');
  await closed;
  await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow('fetch failed');
});

test('a request that is never answered does not keep the stack from stopping', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<ServerResponse>();
  const server = await listen((_request, response) => resolve(response), 0);
  const answer = fetch(`http://127.0.0.1:${server.port}`).catch((error: Error) => error);
  const cut = once(await arrived, 'close');
  await server.close();
  await cut;
  expect(await answer).toBeInstanceOf(Error);
});

test('an idle connection is left to its client, which would otherwise send a request while it is closed', async () => {
  const { port, close } = await listen((_request, response) => response.end(), 0);
  const { headers } = await fetch(`http://127.0.0.1:${port}`);
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
  await close();
});

test('the local stack listens on one loopback address only', async () => {
  const { port, close } = await listen((_request, response) => response.end(), 0);
  const reach = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host, port, timeout: 1000 });
      const done = (reached: boolean) => {
        socket.destroy();
        resolve(reached);
      };
      socket
        .once('connect', () => done(true))
        .once('error', () => done(false))
        .once('timeout', () => done(false));
    });
  expect(await reach('127.0.0.1')).toBe(true);
  // A server on all interfaces would answer here too.
  expect(await reach('127.0.0.2')).toBe(false);
  await close();
});
