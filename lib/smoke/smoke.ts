import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FamilyName } from '#schemas/families/index.ts';
import { clientOf, type Send, SmokeFault } from './client.ts';
import { leftoverAgeMs as defaultAgeMs } from './leftovers.ts';
import type { Receiver } from './receiver.ts';
import { type Journey, Missing, type Walk, walks } from './walks.ts';

export interface SmokeOptions {
  url: string;
  /** `username:secret` of a SuperAdmin. */
  superAdmin: string;
  /** Absent where no event can be received. */
  receiver: Receiver | undefined;
  print(line: string): void;
  /** If it is aborted, no more families are walked. What was made is deleted. */
  signal?: AbortSignal;
  /** What is older than this in the shop of the acceptance test is deleted. */
  leftoverAgeMs?: number;
}

/** Walks every family of a deployment and tidies up, whatever happens. @returns whether all of it works */
export async function smoke(options: SmokeOptions): Promise<boolean> {
  const { url, superAdmin, receiver, print, signal, leftoverAgeMs = defaultAgeMs } = options;
  const steps: Step[] = [];
  let isTidying = false;
  const sendAlways = clientOf(url.replace(/\/$/, ''));
  const send: Send = async (...request) => {
    if (signal?.aborted && !isTidying) throw new SmokeFault('The run was interrupted.');
    return sendAlways(...request);
  };
  const cleanUp = (step: Step) => void steps.unshift(step);
  const journey: Journey = { send, superAdmin, receiver, found: {}, run: randomUUID(), leftoverAgeMs, cleanUp };
  let works = true;
  const take = async (name: string, walk: Walk): Promise<Result> => {
    const result = await resultOf(walk, journey);
    print(lineOf(name, result));
    works &&= result.state === 'ok';
    return result;
  };
  for (const [family, walk] of Object.entries(walks) as [FamilyName, Walk][]) {
    const { isUnreachable } = await take(family, walk);
    if (isUnreachable && steps.length === 0) return false;
    if (signal?.aborted) break;
  }
  isTidying = true;
  await take('clean-up', () => tidy(steps));
  return works && !signal?.aborted;
}

type Step = () => Promise<unknown>;

/** Tries every step. */
async function tidy(steps: readonly Step[]): Promise<undefined> {
  const faults: Error[] = [];
  for (const step of steps) await persist(step).catch((error) => faults.push(error));
  if (faults.length > 0) throw new SmokeFault(faults.map(({ message }) => message).join(' '));
}

const maxTries = 3;

/** A connection that breaks, or a service that fails once, leaves nothing behind. What is gone already is tidy. */
async function persist(step: Step): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await step();
      return;
    } catch (error) {
      if (error instanceof SmokeFault && error.status === 404) return;
      if (tries === maxTries) throw error;
      await pause(tries * 250);
    }
  }
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
