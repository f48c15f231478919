import type { EventEmitter } from 'node:events';

/**
 * A terminal sends Ctrl-C to npm and to us, and npm, where its shell has made way for us (bash), passes it on: a second
 * one so soon is the same one.
 */
const sameKeystroke = 500;

/** Stops on the first signal, gives up waiting for that on the next. */
export function onStopSignals(
  signals: Pick<EventEmitter, 'on'>,
  { stop, endAtOnce }: { stop(): void; endAtOnce(): void },
  now: () => number = Date.now,
): void {
  let stoppingSince: number | undefined;
  const heard = (): void => {
    if (stoppingSince === undefined) {
      stoppingSince = now();
      stop();
    } else if (now() - stoppingSince > sameKeystroke) endAtOnce();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) signals.on(signal, heard);
}
