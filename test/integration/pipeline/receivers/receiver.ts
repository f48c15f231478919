import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

/** A merchant's system on this machine. */
export interface Receiver {
  url: string;
  port: number;
  /** Requests as they arrived. */
  requests: { headers: IncomingMessage['headers']; body: string }[];
  /** Resolves when a connection was closed. */
  closed: Promise<void>;
  stop(): Promise<void>;
}

type Answering = (response: ServerResponse, count: number) => void;

/** Speaks HTTP, or HTTPS with a certificate, and answers with the given function. */
export async function receiver(answer: Answering, certificate?: { key: string; cert: string }): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => {});
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    answer(response, requests.length);
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  return { requests, ...(await listen(server)) };
}

/** Sends any bytes once a request has begun. */
export async function rawReceiver(speak: (socket: Socket) => void): Promise<Receiver> {
  const server = createSocketServer((socket) => {
    socket.once('data', () => speak(socket));
  });
  return { requests: [], ...(await listen(server)) };
}

async function listen(server: Server): Promise<Omit<Receiver, 'requests'>> {
  const sockets = new Set<Socket>();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((ended) => server.close(ended));
  };
  return { url: `http://127.0.0.1:${port}/hook?shop=blue`, port, closed, stop };
}
