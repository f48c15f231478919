import { type Key, keyText } from '#platform/table/reads.ts';

/** What happened adds to counters. A counter is a number in an item of the table. */

/** Adds to one counter. */
export interface Count {
  key: Key;
  /** The counter in the item. */
  name: string;
  step: number;
  /** Unix seconds. Absent if the item stays for ever. */
  expires_at?: number;
}

/** Everything that is added to the counters of one item. */
export interface CounterChange {
  key: Key;
  steps: Record<string, number>;
  expires_at?: number;
}

export const phaseCounter = (phase: string) => `phase#${phase}`;
export const claimCounter = (status: string) => `claim#${status}`;

/** One change for each item. What adds up to nothing is left out. */
export function foldCounts(counts: readonly Count[]): CounterChange[] {
  const changes = new Map<string, CounterChange>();
  for (const { key, name, step, expires_at } of counts) {
    const change = changes.get(keyText(key)) ?? { key, steps: {}, ...(expires_at !== undefined && { expires_at }) };
    change.steps[name] = (change.steps[name] ?? 0) + step;
    changes.set(keyText(key), change);
  }
  return [...changes.values()].flatMap((change) => {
    const steps = Object.entries(change.steps).filter(([, step]) => step !== 0);
    return steps.length > 0 ? [{ ...change, steps: Object.fromEntries(steps) }] : [];
  });
}
