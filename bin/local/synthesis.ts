import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The message of the synthesis process. */
export type SynthesisResult = { assembly: string } | { failure: { message: string; stack?: string | undefined } };

/**
 * Writes the template to a folder in a separate process. So the CDK does not stay in memory while the stack runs, and
 * Ctrl-C works during the synthesis.
 */
export async function synthesized(folder: string, signal: AbortSignal): Promise<string> {
  const child = fork(fileURLToPath(new URL('./synthesis-process.ts', import.meta.url)), [folder], {
    signal,
    killSignal: 'SIGKILL',
    // The tests and `cdk deploy` check the template against CloudFormation's rules.
    env: { ...process.env, CDK_VALIDATION: 'false' },
  });
  let result: SynthesisResult | undefined;
  child.on('message', (message: SynthesisResult) => {
    if ('assembly' in message || 'failure' in message) result = message; // Node's own watcher sends messages here too
  });
  // The message may arrive after the exit, but not after the channel has closed.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (!result) throw new Error(`The template was not written: the synthesis process ended with code ${code}.`);
  if ('failure' in result) throw Object.assign(new Error(), result.failure);
  return result.assembly;
}
