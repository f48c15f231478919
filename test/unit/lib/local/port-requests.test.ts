import { once } from 'node:events';
import http, { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type PortRequest, sendRequestsBy } from '#lib/local/aws/port-requests.ts';

const { request: overNetwork } = http;
const endpoint = { host: '127.0.0.1', port: 4566 };
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

let channel: MessageChannel;
let received: PortRequest[];

beforeEach(() => {
  channel = new MessageChannel();
  received = [];
  channel.port1.on('message', (request: PortRequest) => {
    received.push(request);
    const answer = { id: request.id, status: 203, headers: { 'Content-Length': 256 }, body: request.body };
    channel.port1.postMessage(answer);
  });
  sendRequestsBy(channel.port2, `http://${endpoint.host}:${endpoint.port}`);
});

afterEach(() => {
  Object.assign(http, { request: overNetwork });
  channel.port1.close();
});

const send = (options: http.RequestOptions, ...parts: Buffer[]): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = http.request({ method: 'PUT', path: '/a?b=c', ...options }, resolve).on('error', reject);
    for (const part of parts) request.write(part);
    request.end();
  });

it('passes a request to the endpoint and its answer byte for byte, with headers as after the way over the network', async () => {
  const response = await send({ ...endpoint, headers: { 'X-Amz-Target': 'T' } }, everyByte, everyByte);
  expect(received).toMatchObject([{ method: 'PUT', url: '/a?b=c', headers: { 'x-amz-target': 'T' } }]);
  expect(response).toMatchObject({ statusCode: 203, headers: { 'content-length': '256' } });
  expect(await buffer(response)).toEqual(Buffer.concat([everyByte, everyByte]));
});

it('passes a text as its bytes', async () => {
  const response = await new Promise<IncomingMessage>((resolve) => {
    http.request({ ...endpoint, path: '/' }, resolve).end('größer €');
  });
  expect(await buffer(response)).toEqual(Buffer.from('größer €'));
});

it('answers with JSON as bytes, which the SDK reads faster than a stream', async () => {
  channel.port1.removeAllListeners('message').on('message', ({ id }: PortRequest) => {
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    channel.port1.postMessage({ id, status: 200, headers, body: '{}' });
  });
  const response = await send(endpoint);
  expect(Buffer.from(response as never).toString()).toBe('{}');
});

it.each(['Expect', 'expect'])('sends a request that waits for a 100 over the network (%s)', async (name) => {
  const server = createServer((_, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, endpoint.host, resolve));
  const { port } = server.address() as AddressInfo;
  sendRequestsBy(channel.port2, `http://${endpoint.host}:${port}`);
  const response = await send({ host: endpoint.host, port, headers: { [name]: '100-continue' } });
  response.resume();
  expect(response.statusCode).toBe(204);
  expect(received).toEqual([]);
  server.close();
});

it('sends a request to another address over the network', async () => {
  const server = createServer((_, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, endpoint.host, resolve));
  const { port } = server.address() as AddressInfo;
  const response = await send({ host: endpoint.host, port });
  response.resume();
  expect(response.statusCode).toBe(204);
  expect(received).toEqual([]);
  server.close();
});

it('ignores the answer to a request that was given up', async () => {
  const answered: unknown[] = [];
  const given = http.request({ ...endpoint, path: '/' }, (response) => answered.push(response));
  channel.port1.once('message', () => given.destroy());
  given.end();
  await once(given, 'close');
  await send(endpoint);
  expect(received).toHaveLength(2);
  expect(answered).toEqual([]);
});
