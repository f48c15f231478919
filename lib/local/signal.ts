/** Notifies waiting code that something has happened. */
export interface Signal {
  raise(): void;
  /** How often it was raised. */
  count(): number;
  /** Resolves when it was raised more often than `count`, or after this many milliseconds. */
  beyond(count: number, milliseconds: number): Promise<void>;
}

export function createSignal(): Signal {
  const waiting = new Set<() => void>();
  let count = 0;
  return {
    raise: () => {
      count++;
      for (const wake of waiting) wake();
    },
    count: () => count,
    beyond: (seen, milliseconds) =>
      new Promise((resolve) => {
        if (count > seen) return resolve();
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        waiting.add(wake);
      }),
  };
}
