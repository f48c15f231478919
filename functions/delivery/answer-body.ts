import type { Readable } from 'node:stream';

/** What is read of an answer at most. Nothing is decompressed: a bomb stays as small as it was sent. */
const mostRead = 64 * 1024;

/** What of it is kept for the merchant to see. */
const mostKept = 1024;

/** Reads an answer to its end or to the limit, and gives its beginning. */
export async function readBeginning(body: Readable): Promise<Buffer> {
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

/** As text of at most 1 KB; undefined where there is none to show. */
export function textOf(beginning: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (beginning.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // A byte that is no text became three.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, mostKept));
}

/** Without the letter that the limit cut, if it cut one: a stream would go on with it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });
