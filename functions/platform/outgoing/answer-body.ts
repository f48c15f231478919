import type { Readable } from 'node:stream';

/** What is read of an answer at most. Nothing is decompressed: a bomb stays as small as it was sent. */
export const mostRead = 64 * 1024;

/** Reads an answer to its end or to the limit, and gives its beginning. */
export async function readBeginning(body: Readable, mostKept: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  body.on('error', () => {}); // who stops reading makes undici emit one more, to nobody
  for await (const part of body as AsyncIterable<Buffer>) {
    if (size < mostKept) parts.push(part);
    size += part.length;
    if (size >= mostRead) break;
  }
  return Buffer.concat(parts).subarray(0, mostKept);
}
