import { createRequire } from 'node:module';
import { vi } from 'vitest';

/**
 * Before each test file: the modules of the service are new, and so are what they remember, the environment and the AWS
 * clients. A worker keeps only the packages, which take longer to load than most files take to run.
 */
const mocks = createRequire(createRequire(import.meta.url).resolve('aws-sdk-client-mock'))('sinon');
const shared = globalThis as { environmentOfWorker?: NodeJS.ProcessEnv };
shared.environmentOfWorker ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in shared.environmentOfWorker)) delete process.env[name];
Object.assign(process.env, shared.environmentOfWorker);
mocks.restore();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
