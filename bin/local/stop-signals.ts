import type { EventEmitter } from 'node:events';

/**
 * A terminal sends Ctrl-C to npm and to us, and npm may pass it on to us again (if its shell is bash, which is replaced
 * by our process). So a second signal within this time is the same keystroke.
 */
const sameKeystrokeMs = 500;

/** Stops on the first signal, and ends at once on the next one. */
export function onStopSignals(
  signals: Pick<EventEmitter, 'on'>,
  { stop, endAtOnce }: { stop(): void; endAtOnce(): void },
  now: () => number = Date.now,
): void {
  let stoppingSince: number | undefined;
  const onSignal = (): void => {
    if (stoppingSince === undefined) {
      stoppingSince = now();
      stop();
    } else if (now() - stoppingSince > sameKeystrokeMs) endAtOnce();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) signals.on(signal, onSignal);
}

const checkIntervalMs = 250;

/**
 * npm passes signals on, but not if it is killed. Then our process would go on in the background and keep the port.
 * Without npm the stack may outlive its parent.
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
  }, checkIntervalMs).unref();
}
