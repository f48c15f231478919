import { AsyncLocalStorage } from 'node:async_hooks';

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
const packed = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
    : id;

function unpacked(text: string): string {
  if (!/^[\w-]{22}$/.test(text)) return text;
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
