import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** What is read of an answer at most. Nothing is decompressed: a bomb stays as small as it was sent. */
export const maxBytesRead = 64 * 1024;

/** Reads an answer to its end or to the limit, and gives its beginning. */
export async function readBeginning(body: Readable, maxBytesKept: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  body.on('error', () => {}); // who stops reading makes undici emit one more, to nobody
  for await (const part of body as AsyncIterable<Buffer>) {
    if (size < maxBytesKept) parts.push(part);
    size += part.length;
    if (size >= maxBytesRead) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytesKept);
}

export class ResponseTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** A body in parts of one byte each is six times as long on the wire. */
const maxBytesReceived = 16 * maxBytesRead;

/**
 * Leaves a target that goes on sending where no body grows: announcements of an answer that never comes, or notes
 * between the parts of a body. Until the deadline it could send hundreds of megabytes, and reading them holds up
 * whatever else is under way.
 */
export function limitResponses(socket: Socket): void {
  let sent = 0;
  let receivedBefore = 0;
  socket.on('readable', () => {
    const { bytesWritten, bytesRead } = socket;
    // Something was written since: this belongs to the next request.
    if (bytesWritten !== sent) [sent, receivedBefore] = [bytesWritten, bytesRead];
    else if (bytesRead - receivedBefore > maxBytesReceived) socket.destroy(new ResponseTooLarge());
  });
}
