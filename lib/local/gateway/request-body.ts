import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}

/** Reads a body up to a limit; beyond it, stops at once and leaves the connection open for the answer. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    reject(new BodyTooLarge());
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) return;
    request.off('data', take).pause();
    reject(new BodyTooLarge());
  };
  request.on('data', take);
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(new Error('The sender closed the connection.')));
  return promise;
}
