import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Commands start in half the time if Node.js keeps what it compiled for earlier ones. */
const NODE_COMPILE_CACHE = join(root, '.build/compile-cache');

export interface Program {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Exit code, once it has ended and everything it printed is read. */
  ended: Promise<number | null>;
}

/** Runs one of bin/ on the same Node as the tests. */
export function run(script: string, args: readonly string[] = [], settings: Record<string, string> = {}): Program {
  return runCommand(process.execPath, [join(root, 'bin', script), ...args], settings);
}

/**
 * Runs a command as the leader of a process group of its own, so that a test can see whether anything outlives it.
 * Nothing of the tests' own environment reaches it: vitest silences the functions' logs.
 */
export function runCommand(command: string, args: readonly string[], settings: Record<string, string>): Program {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  // A process alone in its group gets no Ctrl-C from the terminal of the tests.
  const end = () => killGroup(child);
  process.once('exit', end);
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', end);
    return code as number | null;
  });
  return { child, ended, stdout: () => printed.stdout, stderr: () => printed.stderr };
}

/** Kills the process and all that it started. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {} // all of them have ended
}

/** Whether the program or a process that it started still runs. */
export function groupIsAlive({ child }: Program): boolean {
  try {
    process.kill(-child.pid!, 0);
  } catch {
    return false;
  }
  return !existsSync('/proc/self/stat') || runsInGroup(child.pid!);
}

/** Without a process that collects orphans, as in many containers, an ended process stays in its group as a zombie. */
function runsInGroup(group: number): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    const [state, , itsGroup] = statOf(pid);
    return Number(itsGroup) === group && state !== 'Z';
  });
}

/** State, parent and group follow the name, which may contain anything. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Repeats a check until it holds, for conditions that no event announces. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, milliseconds = 10_000) {
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Waited ${milliseconds} ms in vain: ${what}.`);
}

export const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
