import { type MessagePort, workerData } from 'node:worker_threads';

const { endpoint, answered, port } = workerData as { endpoint: string; answered: Int32Array; port: MessagePort };

// No emulator checks the signature, but DynamoDB Local requires one and separates the data by access key.
const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

port.on('message', async ({ target, content }: { target: string; content: unknown }) => {
  const answer = await send(target, content).catch((error: Error) => ({ ok: false, body: error.message }));
  port.postMessage(answer);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});

async function send(target: string, content: unknown): Promise<{ ok: boolean; body: unknown }> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      authorization,
    },
    body: JSON.stringify(content),
  });
  return { ok: response.ok, body: await response.json() };
}
