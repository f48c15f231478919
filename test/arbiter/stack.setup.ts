import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startStack, superAdmin } from '#test/e2e/kit/local-stack.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';

/** The stack that test files share, as in the end-to-end tests, on a DynamoDB Local. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'post-purchase-arbiter-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove); // an interrupted run has no teardown
  const [assembly, local] = await Promise.all([assemblyIn(folder), startDynamoDbLocal()]);
  const settings = { DATA_DIR: join(folder, 'data'), ASSEMBLY: assembly, AWS_ENDPOINT_URL_DYNAMODB: local.endpoint };
  try {
    const stack = await startStack(settings);
    project.provide('localStack', { url: stack.url, superAdmin, assembly, dataDir: stack.dataDir });
    return async () => {
      await stack.stop();
      await local.stop();
      remove();
    };
  } catch (error) {
    await local.stop();
    remove();
    throw error;
  }
}
