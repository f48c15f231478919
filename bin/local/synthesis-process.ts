import { synthesize } from '#lib/synthesize.ts';
import type { SynthesisResult } from './synthesis.ts';

/** Writes the template to the folder that is named, and tells the parent where it is or why it is not. */

// The parent hears a Ctrl-C, too, and ends us; where it is gone, nobody waits for the template.
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
