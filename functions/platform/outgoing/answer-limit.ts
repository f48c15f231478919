import type { Socket } from 'node:net';
import { mostRead } from './answer-body.ts';

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** A body in parts of one byte each is six times as long on the wire. */
const mostReceived = 16 * mostRead;

/**
 * Leaves a target that goes on sending where no body grows: announcements of an answer that never comes, or notes
 * between the parts of a body. Until the deadline it could send hundreds of megabytes, and reading them holds up
 * whatever else is under way.
 */
export function limitAnswers(socket: Socket): void {
  let sent = 0;
  let receivedBefore = 0;
  socket.on('readable', () => {
    const { bytesWritten, bytesRead } = socket;
    // Something was written since: this belongs to the next request.
    if (bytesWritten !== sent) [sent, receivedBefore] = [bytesWritten, bytesRead];
    else if (bytesRead - receivedBefore > mostReceived) socket.destroy(new AnswerTooLarge());
  });
}
