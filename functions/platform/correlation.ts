import { AsyncLocalStorage } from 'node:async_hooks';
import { bytesOfUuid, uuidOfBytes } from './uuid-bytes.ts';

/** The request that causes what happens now. What is written meanwhile carries it to the functions behind the API. */

const requests = new AsyncLocalStorage<string>();

export const causedBy = <T>(correlationId: string, work: () => T): T => requests.run(correlationId, work);

/** What names the request in items and messages. */
export interface Caused {
  /** The correlation id in 22 characters. Absent where no request is the cause, such as of a delay that is over. */
  cause?: string;
}

export function cause(): Caused {
  const correlationId = requests.getStore();
  return correlationId === undefined ? {} : { cause: packed(correlationId) };
}

export const causeOf = ({ cause }: Caused): Caused => (cause === undefined ? {} : { cause });

/** Does the work as a consequence of what caused the thing. */
export function withCauseOf<T>({ cause }: Caused, work: () => T): T {
  return cause === undefined ? work() : causedBy(unpacked(cause), work);
}

/** What caused a message of a queue. Messages of others may hold anything, so only what looks like an id is taken. */
export function causeInMessage({ body }: { body: string }): Caused {
  try {
    const { cause } = JSON.parse(body) as { cause?: unknown };
    return typeof cause === 'string' && /^[\w-]{1,64}$/.test(cause) ? { cause } : {};
  } catch {
    return {};
  }
}

/** For a log: the correlation ids among the things, each once. */
export const correlationIds = (things: readonly Caused[]): string[] => [
  ...new Set(things.flatMap(({ cause }) => (cause === undefined ? [] : unpacked(cause)))),
];

/** Many an event fits into one write unit, and few bytes decide. Other ids than UUIDs stay as they are. */
const packed = (id: string): string => bytesOfUuid(id)?.toString('base64url') ?? id;

const unpacked = (text: string): string =>
  /^[\w-]{22}$/.test(text) ? uuidOfBytes(Buffer.from(text, 'base64url')) : text;
