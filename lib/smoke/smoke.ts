import type { FamilyName } from '#schemas/families/index.ts';
import { clientOf, SmokeFault } from './client.ts';
import type { Receiver } from './receiver.ts';
import { type Journey, Missing, type Walk, walks } from './walks.ts';

export interface SmokeOptions {
  url: string;
  /** `username:secret` of a SuperAdmin. */
  superAdmin: string;
  /** Absent where no event can be received. */
  receiver: Receiver | undefined;
  print(line: string): void;
}

/** Walks every family of a deployment and tidies up. @returns whether all of it works */
export async function smoke({ url, superAdmin, receiver, print }: SmokeOptions): Promise<boolean> {
  const steps: (() => Promise<unknown>)[] = [];
  const send = clientOf(url.replace(/\/$/, ''));
  const journey: Journey = { send, superAdmin, receiver, found: {}, cleanUp: (step) => void steps.unshift(step) };
  let works = true;
  const take = async (name: string, walk: Walk): Promise<Result> => {
    const result = await resultOf(walk, journey);
    print(lineOf(name, result));
    works &&= result.state === 'ok';
    return result;
  };
  for (const [family, walk] of Object.entries(walks) as [FamilyName, Walk][]) {
    const { isUnreachable } = await take(family, walk);
    if (isUnreachable) return false;
  }
  await take('clean-up', () => tidy(steps));
  return works;
}

/** Tries every step. */
async function tidy(steps: readonly (() => Promise<unknown>)[]): Promise<undefined> {
  const faults: Error[] = [];
  for (const step of steps) await step().catch((error) => faults.push(error));
  if (faults.length > 0) throw new SmokeFault(faults.map(({ message }) => message).join(' '));
}

interface Result {
  state: 'ok' | 'FAIL' | 'left out';
  milliseconds: number;
  words: string | undefined;
  isUnreachable?: boolean;
}

async function resultOf(walk: Walk, journey: Journey): Promise<Result> {
  const began = Date.now();
  try {
    const words = (await walk(journey)) ?? undefined;
    return { state: 'ok', words, milliseconds: Date.now() - began };
  } catch (error) {
    const milliseconds = Date.now() - began;
    if (error instanceof Missing) return { state: 'left out', words: error.message, milliseconds };
    // An answer without what a walk looks for in it.
    if (!(error instanceof SmokeFault)) return { state: 'FAIL', words: String(error), milliseconds };
    return { state: 'FAIL', words: error.message, milliseconds, isUnreachable: error.isUnreachable };
  }
}

const lineOf = (name: string, { state, milliseconds, words }: Result): string =>
  `${state.padEnd(8)}  ${name.padEnd(18)}  ${String(milliseconds).padStart(6)} ms${words ? `  ${words}` : ''}`;
