import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that causes what happens now. What is written meanwhile carries it to the functions behind. */

const requests = new AsyncLocalStorage<string>();

export const causedBy = <T>(correlationId: string, work: () => T): T => requests.run(correlationId, work);

/** Empty where no request is the cause, such as a carrier update. */
export function correlation(): { correlation_id?: string } {
  const correlation_id = requests.getStore();
  return correlation_id === undefined ? {} : { correlation_id };
}

/** For a log: the ids among the things, each once. */
export const correlationsOf = (things: readonly ({ correlation_id?: string | undefined } | undefined)[]): string[] => [
  ...new Set(things.flatMap((thing) => thing?.correlation_id ?? [])),
];
