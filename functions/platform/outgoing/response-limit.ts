import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * The maximum number of bytes that we read from a response body, unless the caller needs more of it. Nothing is
 * decompressed, so a compression bomb stays small.
 */
export const maxBytesRead = 64 * 1024;

/**
 * Reads a body to its end or to the limit, and returns its beginning. By events, because an iterator takes several times
 * longer for the few bytes of a usual response.
 */
export function readBeginning(body: Readable, maxBytesKept: number, limit = maxBytesRead): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let size = 0;
  const finish = () => resolve(Buffer.concat(parts).subarray(0, maxBytesKept));
  body.on('data', (part: Buffer) => {
    if (size < maxBytesKept) parts.push(part);
    size += part.length;
    if (size < limit) return;
    finish();
    body.destroy();
  });
  body.on('end', finish);
  body.on('error', reject); // if we stop reading, undici emits one too, which changes nothing any more
  body.on('close', () => {
    if (!body.readableEnded) reject(new ResponseCutOff());
  });
  return promise;
}

/** As Node names the end of a stream before its last byte. */
class ResponseCutOff extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
}

export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/** A body in chunks of one byte is six times as long on the wire. */
const bytesOnTheWire = 16;

/**
 * Closes a connection that receives much data without a growing body: interim responses (1xx) or chunk extensions.
 * Before the deadline a target could send hundreds of megabytes, and reading them would slow down other requests.
 */
export function limitResponses(socket: Socket, limit = maxBytesRead): void {
  let sent = 0;
  let receivedBefore = 0;
  socket.on('readable', () => {
    const { bytesWritten, bytesRead } = socket;
    // Something was written since then, so this belongs to the next request.
    if (bytesWritten !== sent) [sent, receivedBefore] = [bytesWritten, bytesRead];
    else if (bytesRead - receivedBefore > bytesOnTheWire * limit) socket.destroy(new ResponseTooLarge());
  });
}
