export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

export interface Deadline {
  /** Ends the request. Not enough alone: undici looks at it only once it has a connection. */
  signal: AbortSignal;
  /** Waits no longer than the deadline. */
  before<T>(waiting: Promise<T>): Promise<T>;
}

/** Runs a task with one deadline over all that it waits for. */
export async function within<T>(milliseconds: number, task: (deadline: Deadline) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const passed = Promise.withResolvers<never>();
  passed.promise.catch(() => {}); // it may pass while nobody waits
  const timer = setTimeout(() => {
    const error = new DeadlinePassed();
    passed.reject(error);
    controller.abort(error);
  }, milliseconds);
  try {
    return await task({ signal: controller.signal, before: (waiting) => Promise.race([waiting, passed.promise]) });
  } finally {
    clearTimeout(timer);
  }
}
