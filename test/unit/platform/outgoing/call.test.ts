import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCall } from '#platform/outgoing/call.ts';

const server = createServer((request, response) => response.end(request.url));
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = createCall({ allowLocal: true });
const answerOf = async (url: string) => {
  const { body, failure } = await call({ method: 'GET', url, headers: {} });
  return failure ?? String(body);
};

test('what is known of one URL is not taken for another one, however many there are', async () => {
  const paths = Array.from({ length: 250 }, (_, i) => `/path-${i}?query=${i}`);
  for (const path of paths) expect(await answerOf(origin + path)).toBe(path);
  for (const path of [paths[0]!, paths[249]!, paths[0]!]) expect(await answerOf(origin + path)).toBe(path);
});

test('a URL that may not be called stays so, beside one that may', async () => {
  const refused = 'http://10.0.0.1/';
  for (const round of [1, 2, 3]) {
    expect(await answerOf(refused)).toBe('address_not_allowed');
    expect(await answerOf(`${origin}/${round}`)).toBe(`/${round}`);
  }
});

test('a call that may not use its own machine does not know what another one may', async () => {
  expect(await answerOf(`${origin}/local`)).toBe('/local');
  const strict = createCall({ allowLocal: false });
  expect(await strict({ method: 'GET', url: `${origin}/local`, headers: {} })).toEqual({
    failure: 'address_not_allowed',
  });
});
