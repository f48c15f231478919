import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}

/** Reads a body up to a limit. Above it, stops at once and keeps the connection open for the response. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    reject(new BodyTooLarge());
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) return;
    request.off('data', onData).pause();
    reject(new BodyTooLarge());
  };
  request.on('data', onData);
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.readableEnded) reject(new Error('The sender closed the connection.'));
  });
  return promise;
}
