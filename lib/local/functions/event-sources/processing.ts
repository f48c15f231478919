import type { Message } from '@aws-sdk/client-sqs';
import { type InProcess, tenantOf } from '../../queues/fairest.ts';

/** After this time a message that is still in process waits for somebody. */
const recentMs = 500;
/** A tenant whose last message came in this time is expected to have another one soon. */
const activeMs = 2000;

export interface Processing {
  /** Returns the function to call when the messages are processed. */
  begin(messages: readonly Message[]): () => void;
  inProcess(): InProcess;
}

/** Knows which messages a mapping is processing. */
export function trackProcessing(now: () => number = () => performance.now()): Processing {
  const batches = new Set<{ groups: string[]; since: number }>();
  const lastSeen = new Map<string, number>();

  const begin = (messages: readonly Message[]) => {
    const groups = messages.flatMap(({ Attributes }) => Attributes?.MessageGroupId ?? []);
    const batch = { groups, since: now() };
    batches.add(batch);
    for (const group of groups) lastSeen.set(tenantOf(group), batch.since);
    return () => void batches.delete(batch);
  };

  const inProcess = (): InProcess => {
    const busy = new Map<string, number>();
    const recent = new Map<string, number>();
    for (const [tenant, time] of lastSeen) {
      if (now() - time < activeMs) recent.set(tenant, 0);
      else lastSeen.delete(tenant);
    }
    for (const { groups, since } of batches) {
      for (const group of groups) {
        increment(busy, group);
        if (now() - since < recentMs) increment(recent, tenantOf(group));
      }
    }
    return { busy, recent };
  };

  return { begin, inProcess };
}

const increment = (counts: Map<string, number>, name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);
