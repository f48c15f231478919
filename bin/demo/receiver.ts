import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  stop(): void;
}

/**
 * Takes the events of the demo's endpoints on this machine. Of twenty requests to the help desk two fail and one takes
 * three seconds. The warehouse always works.
 */
export async function startReceiver(): Promise<Receiver> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    const position = request.url?.startsWith('/helpdesk') ? ++requests % 20 : 0;
    const status = position % 10 === 3 ? 500 : 200;
    setTimeout(() => response.writeHead(status).end(), position === 15 ? 3000 : 20 + 10 * position);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
