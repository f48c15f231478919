import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What the process that makes the template says at its end. */
export type SynthesisResult = { assembly: string } | { failure: { message: string; stack?: string | undefined } };

/**
 * Writes the template to a folder, in a process of its own: with it goes the CDK, which would otherwise stay in memory
 * for as long as the stack runs, and a Ctrl-C is heard in the middle of it.
 */
export async function synthesized(folder: string, signal: AbortSignal): Promise<string> {
  const child = fork(fileURLToPath(new URL('./synthesis-process.ts', import.meta.url)), [folder], {
    signal,
    killSignal: 'SIGKILL',
    // The tests and `cdk deploy` hold the template against CloudFormation's rules.
    env: { ...process.env, CDK_VALIDATION: 'false' },
  });
  let result: SynthesisResult | undefined;
  child.on('message', (message: SynthesisResult) => {
    if ('assembly' in message || 'failure' in message) result = message; // Node's own watcher speaks here, too
  });
  // What it said may arrive after its exit, but not after the channel has closed.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (!result) throw new Error(`The template was not made: its process ended with code ${code}.`);
  if ('failure' in result) throw Object.assign(new Error(), result.failure);
  return result.assembly;
}
