import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

export interface Forwarder {
  send(target: string, request: IncomingMessage, body: Buffer): Promise<Answer>;
  close(): void;
}

// The longest wait of AWS is SQS's long poll of 20 s.
const timeout = 60_000;

/**
 * Passes a request on as it came, except for what belongs to the connection and the access key: each worker has its
 * own, and an emulator may keep separate data per key (DynamoDB Local does). No emulator checks the signature.
 */
export function createForwarder(): Forwarder {
  const agent = new HttpAgent({ keepAlive: true });
  const secureAgent = new HttpsAgent({ keepAlive: true });

  const send = (target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const secure = target.startsWith('https:');
      const { connection, 'transfer-encoding': encoding, expect, host, ...headers } = incoming.headers;
      const outgoing = (secure ? httpsRequest : httpRequest)(
        {
          // Not resolved as a URL: a path such as //host/x must stay a path.
          ...hostOf(target),
          path: incoming.url ?? '/',
          method: incoming.method ?? 'POST',
          agent: secure ? secureAgent : agent,
          headers: {
            ...headers,
            ...oneAccessKey(headers.authorization),
            ...(body.length > 0 || encoding ? { 'content-length': body.length } : {}),
          },
          timeout,
        },
        (response) => collect(response).then(resolve, reject),
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${target} did not answer within ${timeout} ms.`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return {
    send,
    close: () => {
      agent.destroy();
      secureAgent.destroy();
    },
  };
}

function hostOf(target: string): { hostname: string; port: string } {
  const { hostname, port } = new URL(target);
  return { hostname, port };
}

function oneAccessKey(authorization: string | undefined): { authorization?: string } {
  return authorization ? { authorization: authorization.replace(/Credential=[^/]+/, 'Credential=local') } : {};
}

async function collect(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const { connection, 'transfer-encoding': encoding, 'keep-alive': keepAlive, ...headers } = response.headers;
  return { status: response.statusCode ?? 502, headers, body: Buffer.concat(chunks) };
}
