import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A merchant's system in a thread of its own, so that it does not wait for what is measured. It answers after the time
 * that its settings say, and never under a path that begins with /hangs.
 */
const { answerAfterMs } = workerData as { answerAfterMs: number };

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const path = request.url!;
    parentPort!.postMessage({ path, id: request.headers['webhook-id'], at: Date.now() });
    if (!path.startsWith('/hangs')) setTimeout(() => response.writeHead(200).end('ok'), answerAfterMs);
  });
});
server.listen(0, '127.0.0.1', () => parentPort!.postMessage({ port: (server.address() as AddressInfo).port }));
