import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Listens on loopback only, so no other machine can connect. Clients close their idle connections, not this server: what is closed
 * while a request is on its way looks like a random failure, and on a busy machine clients notice their own timeouts late.
 */
export async function listen(listener: RequestListener, port: number): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 0 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new Error(`Port ${port} is in use. Stop the program that uses it, or set PORT to another number.`);
}

// Running requests have this much time to end.
const closeTimeoutMs = 2_000;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
    // A connection that becomes idle after its response would be kept alive.
    const idleCheck = setInterval(() => server.closeIdleConnections(), 10);
    server.close(() => {
      clearTimeout(timeout);
      clearInterval(idleCheck);
      resolve();
    });
    server.closeIdleConnections();
  });
}
