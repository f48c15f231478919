import { defineConfig } from 'vitest/config';
import { contractModules } from './lib/bundling/contract-modules.ts';

const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_DEV: 'false' };

const assembly = 'test/kit/assembly.setup.ts';

const project = (name: string, more: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], env: quiet, ...more },
});

export default defineConfig({
  plugins: [contractModules.vite()],
  test: {
    projects: [
      project('unit', { testTimeout: 30_000 }),
      project('infra', { testTimeout: 60_000, hookTimeout: 120_000 }),
      project('integration', { testTimeout: 60_000, hookTimeout: 120_000, globalSetup: assembly, maxWorkers: 2 }),
      project('e2e', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: [assembly, 'test/e2e/stack.setup.ts'],
        maxWorkers: 2,
      }),
      project('browser', { testTimeout: 60_000, hookTimeout: 120_000, globalSetup: assembly }),
    ],
  },
});
