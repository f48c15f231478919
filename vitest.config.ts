import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { contractModules } from './lib/bundling/contract-modules.ts';
import { minifiedTexts } from './lib/bundling/minified-texts.ts';

/** What the stack and Lambda give to functions. The local stack gives them its own address. */
const address = { PUBLIC_URL: 'https://service.example.com', AWS_REGION: 'eu-central-1' };

const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_DEV: 'false' };

const assembly = 'test/kit/assembly.setup.ts';

const project = (name: string, more: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], env: { ...quiet, ...address }, ...more },
});

const stackForAll = [assembly, 'test/e2e/stack.setup.ts'];

/** A file of that name must be there: vitest would run the others, and say nothing. */
const present = (file: string) => {
  if (existsSync(new URL(file, import.meta.url))) return file;
  throw new Error(`${file} is in a list of vitest.config.ts, and is not there.`);
};

const onTheTable = [
  'domain/order-model',
  'pipeline/automations',
  'pipeline/carrier-updates',
  'pipeline/deliveries',
  'pipeline/fan-out',
  'pipeline/internal-triggers',
].map((name) => present(`test/integration/${name}.test.ts`));

const throughTheApi = [
  'campaigns/campaigns',
  'claims/claims',
  'claims/search',
  'discounts/discounts',
  'orders/concurrency',
  'orders/fulfilment',
  'orders/search',
  'orders/upsert',
  'shipments/search',
  'shops/api-keys',
  'shops/shops',
].map((name) => present(`test/e2e/${name}.test.ts`));

/**
 * What takes long, and rarely fails when nothing else does: random requests and sequences, thousands of items or messages, hundreds of requests at once,
 * all examples as one story, the cost of every operation, tools over the description, whole commands, stacks on other
 * emulators or of their own, functions that are killed, stacks that are restarted or have fewer grants.
 * `npm run test:thorough` runs it, and CI.
 */
const thorough = {
  alone: [
    'infra/command-line',
    'integration/costs/costs',
    'integration/domain/order-model',
    'integration/local/endpoints',
    'integration/local/restart',
    'integration/pipeline/carrier-updates',
    'integration/pipeline/carrier-updates-grants',
    'integration/pipeline/deliveries',
    'integration/pipeline/deliveries-grants',
    'integration/pipeline/deliveries-killed',
    'integration/pipeline/deliveries-restart',
    'integration/pipeline/delivery-receivers',
    'integration/pipeline/outages',
    'integration/pipeline/list-counters',
    'integration/pipeline/segments',
    'integration/pipeline/simulations',
    'unit/api/images/upload-image',
    'unit/api/orders/search-orders',
    'unit/api/pages/claim-form',
    'unit/api/pages/lookup',
    'unit/api/pages/views/tracking-view',
    'unit/api/parallel-limits',
    'unit/api/shipments/search-shipments',
    'unit/api/simulations/clock',
    'unit/api/simulations/every-event',
    'unit/api/simulations/removal',
    'unit/api/simulations/sentences',
    'unit/bin/failures',
    'unit/bin/listen/ten-thousand',
    'unit/platform/table/far-pages',
    'unit/platform/table/pages-of-records',
    'unit/fuzz',
    'unit/last-release',
    'unit/lib/bundling/validators',
    'unit/pipeline/tracking-registration/backlog',
    'unit/pipeline/tracking-registration/large-backlog',
    'unit/schemas/client/package',
    'unit/schemas/tools',
    'unit/tracking-providers/shuffled-histories',
  ].map((name) => present(`test/${name}.test.ts`)),
  onAStack: [
    'e2e/automations/automations',
    'e2e/campaigns/campaigns',
    'e2e/demo',
    'e2e/every-family/key-rate',
    'e2e/every-family/least-privilege',
    'e2e/every-family/records-roles',
    'e2e/every-family/secrets',
    'e2e/examples/errors',
    'e2e/examples/examples',
    'e2e/lifecycle',
    'e2e/listen/listen',
    'e2e/operator',
    'e2e/orders/concurrency',
    'e2e/orders/fuzz',
    'e2e/orders/odd-requests',
    'e2e/orders/roles',
    'e2e/pages/claim-form',
    'e2e/pages/lookup-time',
    'e2e/settings/triggers',
    'e2e/shipments/returns',
    'e2e/shop-system/inbound',
    'e2e/shop-system/registrations',
    'e2e/smoke-clean-up',
  ].map((name) => present(`test/${name}.test.ts`)),
};

export default defineConfig({
  plugins: [contractModules.vite(), minifiedTexts.vite()],
  test: {
    // Most tests of the local stack wait for it as long as they work: more of them than cores keep the cores busy.
    maxWorkers: availableParallelism() * 2,
    projects: [
      project('unit', { testTimeout: 30_000, exclude: thorough.alone }),
      // These share nothing that a test changes, and what they import takes longer to load than most of them take to run.
      project('infra', {
        testTimeout: 60_000,
        hookTimeout: 240_000,
        globalSetup: assembly,
        isolate: false,
        exclude: thorough.alone,
      }),
      project('integration', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: assembly,
        exclude: thorough.alone,
      }),
      project('e2e', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: stackForAll,
        isolate: false,
        exclude: thorough.onAStack,
      }),
      project('thorough', {
        include: thorough.alone,
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: assembly,
      }),
      project('thorough-e2e', {
        include: thorough.onAStack,
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: stackForAll,
        isolate: false,
      }),
      // What reads and writes the table, on AWS's DynamoDB Local: each file has one of its own.
      project('arbiter', {
        include: ['test/arbiter/**/*.test.ts', ...onTheTable],
        testTimeout: 180_000,
        hookTimeout: 120_000,
        globalSetup: assembly,
        setupFiles: 'test/arbiter/own-dynamodb-local.ts',
      }),
      // The stores behind the API, on one stack that stands on one DynamoDB Local.
      project('arbiter-stores', {
        include: throughTheApi,
        testTimeout: 180_000,
        hookTimeout: 120_000,
        globalSetup: [assembly, 'test/arbiter/stack.setup.ts'],
        isolate: false,
      }),
      project('browser', { testTimeout: 120_000, hookTimeout: 120_000, globalSetup: assembly }),
    ],
  },
});
