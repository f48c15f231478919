import type { TestProject } from 'vitest/node';
import type { LocalStack } from '#lib/local/stack.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { launchChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string;
    service: Pick<LocalStack, 'url' | 'outputs' | 'clientConfig'> & Pick<RunningService, 'operator' | 'tableName'>;
  }
}

/** Starts one service and one Chromium for all test files. */
export default async function setup(project: TestProject) {
  const service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const { operator, tableName } = service;
  const { url, outputs, clientConfig } = service.stack;
  const chromium = await launchChromium().catch(async (error) => {
    await service.stop();
    throw error;
  });
  project.provide('chromium', chromium.wsEndpoint());
  project.provide('service', { url, outputs, clientConfig, operator, tableName });
  return async () => {
    await chromium.close();
    await service.stop();
  };
}
