import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

export interface Forwarder {
  send(target: string, request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, body: Buffer): Promise<Answer>;
  close(): void;
}

// The longest wait is a long poll of SQS, 20 s.
const timeoutMs = 60_000;

/**
 * Forwards a request unchanged, except for headers of the connection and the access key: each worker has its own key,
 * and an emulator may keep separate data for each key (DynamoDB Local does). No emulator checks the signature.
 */
export function createForwarder(): Forwarder {
  const agent = new HttpAgent({ keepAlive: true });
  const secureAgent = new HttpsAgent({ keepAlive: true });

  const send: Forwarder['send'] = (target, incoming, body) =>
    new Promise((resolve, reject) => {
      const secure = target.startsWith('https:');
      const { connection, 'transfer-encoding': encoding, expect, host, ...headers } = incoming.headers;
      const outgoing = (secure ? httpsRequest : httpRequest)(
        {
          // Not joined as a URL, because a path such as //host/x must stay a path.
          ...hostOf(target),
          path: incoming.url ?? '/',
          method: incoming.method ?? 'POST',
          agent: secure ? secureAgent : agent,
          headers: {
            ...headers,
            ...commonAccessKey(headers.authorization),
            ...(body.length > 0 || encoding ? { 'content-length': body.length } : {}),
          },
          timeout: timeoutMs,
        },
        (response) => collect(response).then(resolve, reject),
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${target} did not answer within ${timeoutMs} ms.`)));
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

function commonAccessKey(authorization: string | undefined): { authorization?: string } {
  return authorization ? { authorization: authorization.replace(/Credential=[^/]+/, 'Credential=local') } : {};
}

async function collect(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const { connection, 'transfer-encoding': encoding, 'keep-alive': keepAlive, ...headers } = response.headers;
  return { status: response.statusCode ?? 502, headers, body: Buffer.concat(chunks) };
}
