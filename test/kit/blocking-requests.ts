import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

const patienceMs = 20_000;

/**
 * Requests to a DynamoDB at an address that are over when the call returns, as those to the engine in memory are: a
 * thread of its own sends them while this one waits.
 */
export function blockingRequests(endpoint: string): (target: string, content: unknown) => object {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const workerData = { endpoint, answered, port: port2 };
  new Worker(new URL('./blocking-requests-thread.ts', import.meta.url), { workerData, transferList: [port2] }).unref();
  port1.unref();
  return (target, content) => {
    Atomics.store(answered, 0, 0);
    port1.postMessage({ target, content });
    if (Atomics.wait(answered, 0, 0, patienceMs) === 'timed-out') throw new Error(`${endpoint} does not answer.`);
    const { ok, body } = receiveMessageOnPort(port1)!.message;
    if (!ok) throw new Error(`${target}: ${JSON.stringify(body)}`);
    return body;
  };
}
