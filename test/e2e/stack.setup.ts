import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { assemblyIn } from '#test/kit/assembly.ts';
import { startStack, superAdmin } from './kit/local-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    localStack: { url: string; superAdmin: string; assembly: string; dataDir: string };
  }
}

/** Synthesizes once and starts the stack that the test files share. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'post-purchase-e2e-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const assembly = await assemblyIn(folder);
    const stack = await startStack({ DATA_DIR: join(folder, 'data'), ASSEMBLY: assembly });
    process.once('exit', remove); // an interrupted run has no teardown
    project.provide('localStack', { url: stack.url, superAdmin, assembly, dataDir: stack.dataDir });
    return async () => {
      await stack.stop();
      remove();
    };
  } catch (error) {
    remove();
    throw error;
  }
}
