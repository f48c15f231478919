import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '#lib/local/gateway/http-server.ts';

test('a request that is under way when the stack stops is answered', async () => {
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

test('one that is never answered does not keep the stack from stopping', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<ServerResponse>();
  const server = await listen((_request, response) => resolve(response), 0);
  const answer = fetch(`http://127.0.0.1:${server.port}`).catch((error: Error) => error);
  const cut = once(await arrived, 'close');
  await server.close();
  await cut;
  expect(await answer).toBeInstanceOf(Error);
});
