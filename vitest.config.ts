import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { contractModules } from './lib/bundling/contract-modules.ts';
import { minifiedTexts } from './lib/bundling/minified-texts.ts';

/** What the stack and Lambda give to functions. The local stack gives them its own address. */
const address = { PUBLIC_URL: 'https://service.example.com', AWS_REGION: 'eu-central-1' };

const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_DEV: 'false' };

const assembly = 'test/kit/assembly.setup.ts';
const syntheses = 'test/infra/syntheses.setup.ts';

const project = (name: string, more: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    env: { ...quiet, ...address },
    // What is waited for is a page, a program or a queue: on a busy machine each takes more than the usual second.
    expect: { poll: { timeout: 20_000 } },
    ...more,
  },
});

const stackForAll = [assembly, 'test/e2e/stack.setup.ts'];

/**
 * What takes long, and rarely fails when nothing else does: random requests and sequences, thousands of items or messages,
 * hundreds of requests at once, whole commands, stacks of their own. `npm run test:thorough` runs it, and CI.
 */
const thorough = '**/*.thorough.test.ts';

/** What also runs on AWS's DynamoDB Local. */
const alsoOfArbiter = '*.arbiter{,.thorough}.test.ts';

/** Files that take longest though they are short. */
const longest = /\/(costs\.thorough|console-views)\.test\.ts$/;

/** Where it has no times of an earlier run, vitest begins with the largest files. A long one that begins last runs alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(longest.test(b.moduleId)) - Number(longest.test(a.moduleId)));
  }
}

export default defineConfig({
  plugins: [contractModules.vite(), minifiedTexts.vite()],
  test: {
    // Most tests of the local stack wait for it as long as they work: more of them than cores keep the cores busy.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', {
        testTimeout: 30_000,
        isolate: false,
        setupFiles: 'test/kit/fresh-modules.setup.ts',
        exclude: [thorough],
      }),
      // These share nothing that a test changes, and what they import takes longer to load than most of them take to run.
      project('infra', {
        testTimeout: 60_000,
        hookTimeout: 240_000,
        globalSetup: [assembly, syntheses],
        isolate: false,
        exclude: [thorough],
      }),
      project('integration', {
        isolate: false,
        setupFiles: 'test/kit/fresh-modules.setup.ts',
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: assembly,
        exclude: [thorough],
      }),
      project('e2e', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: stackForAll,
        isolate: false,
        exclude: [thorough],
      }),
      project('thorough', {
        include: [`test/{unit,infra,integration}/${thorough}`],
        isolate: false,
        setupFiles: 'test/kit/fresh-modules.setup.ts',
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: [assembly, syntheses],
      }),
      project('thorough-e2e', {
        include: [`test/e2e/${thorough}`],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: stackForAll,
        isolate: false,
      }),
      // What reads and writes the table, on AWS's DynamoDB Local: each file has one of its own.
      project('arbiter', {
        include: ['test/arbiter/**/*.test.ts', `test/integration/**/${alsoOfArbiter}`],
        testTimeout: 180_000,
        hookTimeout: 120_000,
        globalSetup: assembly,
        isolate: false,
        setupFiles: ['test/kit/fresh-modules.setup.ts', 'test/arbiter/own-dynamodb-local.ts'],
      }),
      // The stores behind the API, on one stack that stands on one DynamoDB Local.
      project('arbiter-stores', {
        include: [`test/e2e/**/${alsoOfArbiter}`],
        testTimeout: 180_000,
        hookTimeout: 120_000,
        globalSetup: [assembly, 'test/arbiter/stack.setup.ts'],
        isolate: false,
      }),
      project('browser', {
        testTimeout: 120_000,
        hookTimeout: 120_000,
        globalSetup: [assembly, 'test/browser/stack.setup.ts'],
        isolate: false,
      }),
    ],
  },
});
