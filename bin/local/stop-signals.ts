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

const lookEvery = 250;

/**
 * npm passes signals on, but one that is killed cannot: what it started would run on, unseen, and hold the port. Whoever
 * runs the stack without npm may leave it behind.
 */
export function onParentGone(
  own: { readonly ppid: number; env: Record<string, string | undefined> },
  stop: () => void,
): void {
  if (own.env.npm_lifecycle_event === undefined) return;
  const parent = own.ppid;
  const timer = setInterval(() => {
    if (own.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, lookEvery).unref();
}
