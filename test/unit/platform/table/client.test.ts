import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.authorization!);
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const yesterday = new Date(Date.now() - 86_400_000);
const useExpiredKey = (id: string) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', `secret of ${id}`);
  vi.stubEnv('AWS_CREDENTIAL_EXPIRATION', yesterday.toISOString());
};
const keysSeen = () => seen.map((header) => /Credential=([^/]+)\//.exec(header)?.[1]);

test('a request is signed with the credentials of its time, though all share a signer', async () => {
  const { table } = await import('#platform/table/client.ts');
  const get = () => table.send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
  const makesOne = vi.spyOn(table.config, 'signer');
  useExpiredKey('first');
  await get();
  useExpiredKey('second');
  await get();
  expect(keysSeen()).toEqual(['first', 'second']);
  const [one, other] = await Promise.all(makesOne.mock.results.map(({ value }) => value));
  expect(one).toBe(other);
  table.destroy();
});
