import { synthesize } from '#lib/synthesize.ts';
import type { SynthesisResult } from './synthesis.ts';

/** Writes the template to the folder in the first argument, and sends the parent its path or the error. */

// The parent gets Ctrl-C too, and ends this process. If the parent is gone, nobody waits for the template.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit(1));

async function main(folder: string): Promise<SynthesisResult> {
  try {
    return { assembly: await synthesize(folder) };
  } catch (error) {
    const { message, stack } = error as Error;
    return { failure: { message, stack } };
  }
}

const result = await main(process.argv[2]!);
process.send?.(result, () => process.exit(0));
