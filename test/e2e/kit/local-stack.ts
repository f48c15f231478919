import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killGroup, type Program, run } from './processes.ts';

export interface RunningStack {
  url: string;
  dataDir: string;
  program: Program;
  /** SIGTERM, or another signal; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** SIGKILL, so that the stack writes nothing more. */
  kill(): Promise<void>;
}

export const superAdmin = 'root:a-secret-for-the-tests';

const startLimit = 60_000;

type Settings = Record<string, string> & { DATA_DIR: string };

/** What `npm start` runs, on a free port. It fails, with the output of the stack, if the stack does not start. */
export async function startStack(
  settings: Settings,
  start = (given: Settings) => run('local.ts', [], given),
): Promise<RunningStack> {
  const program = start({ PORT: '0', SUPERADMIN_KEY: superAdmin, ...settings });
  const { child, ended } = program;
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  const kill = async () => {
    killGroup(child);
    await ended;
  };
  try {
    return { url: await addressOf(program), dataDir: settings.DATA_DIR, program, stop, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The address in the banner, which is printed when everything is ready. */
function addressOf({ child, ended, stdout, stderr }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (what: string) => reject(new Error(`The local stack ${what}.\n${stdout()}\n${stderr()}`));
    const timer = setTimeout(() => failed(`was not ready within ${startLimit} ms`), startLimit);
    const look = () => {
      const address = stdout().match(/API +(http:\S+)[\s\S]*Ctrl-C/)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', look);
      resolve(address);
    };
    child.stdout?.on('data', look);
    void ended.then((code) => {
      clearTimeout(timer);
      failed(`ended with code ${code}`);
    });
  });
}

/** Stacks and folders of one test: all are removed whatever the test does. */
export class Stacks implements AsyncDisposable {
  readonly #stacks: RunningStack[] = [];
  readonly #folders: string[] = [];

  async start(
    settings: Record<string, string> = {},
    ...how: [start?: Parameters<typeof startStack>[1]]
  ): Promise<RunningStack> {
    const stack = await startStack({ DATA_DIR: this.folder(), ...settings }, ...how);
    this.#stacks.push(stack);
    return stack;
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'post-purchase-e2e-'));
    this.#folders.push(folder);
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#stacks.map((stack) => stack.kill()));
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
