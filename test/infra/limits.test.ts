import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Stage } from '#lib/stage.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { familyNames } from '#schemas/families/index.ts';
import { testBundles } from '#test/kit/assembly.ts';
import { type Limit, limits, overLimits } from './limits.ts';
import { resourcesOf, synthesize } from './synthesis.ts';

/** Every setting that adds to the template. A setting that is new in `Stage` must be given here. */
const everything: Required<Stage> = {
  domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' },
  alarmEmail: 'on-call@example.com',
  monthlyBudgetDollars: 200,
  concurrency: 5000,
  probedHost: 'api.example.com',
  isProtected: true,
  integrationTargets: {
    integration_1: { url: 'https://one.example.com/events', scheme: 'bearer' },
    integration_2: { url: 'https://two.example.com/events', scheme: 'bearer' },
    integration_3: { url: 'https://three.example.com/events', scheme: 'bearer' },
  },
  staticEgress: true,
  logRetentionDays: 365,
  warmThroughput: { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 },
  logLevel: 'INFO',
  keyRate: { unitsPerSecond: 1_000_000, burst: 1_000_000, uncounted: 1_000_000 },
  email: { from: 'post@mail.example.com', maxPerSecond: 1000, hasIdentity: false },
  throttle: { rate: 5000, burst: 2500 },
  pagesConcurrency: 300,
  providersConcurrency: 200,
  webAcl: { requestsPerFiveMinutes: 600 },
  distributionMarks: ['0123456789abcdef', 'fedcba9876543210'],
  spreadsShipments: true,
};
const template = synthesize(everything, 'PostPurchase-everything');

describe('a stage with every setting', () => {
  test.each(limits)('is far enough from the limit of AWS: $what, at most $most', (limit) => {
    const used = limit.used(template);
    // A limit that counts nothing would never warn.
    expect(Object.keys(used)).not.toEqual([]);
    expect(overLimits(limit, used)).toEqual([]);
  });
});

test('a template is refused before AWS refuses it, and the fault names the resource, its use and the source', () => {
  const limit: Limit = { what: 'things', most: 10, source: 'https://example.com', used: () => ({ a: 8, b: 9 }) };
  expect(overLimits(limit, limit.used(template))).toEqual(['b has 9 of 10 things: https://example.com']);
  expect(overLimits({ ...limit, share: 1 }, { a: 10, b: 11 })).toEqual(['b has 11 of 10 things: https://example.com']);
});

test('a mapping of a queue has at least the two executions and the second of batching that Lambda asks for', () => {
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  const ofQueues = mappings.filter(({ StartingPosition }) => StartingPosition === undefined);
  expect(ofQueues.length).toBeGreaterThan(5);
  for (const { ScalingConfig, BatchSize, MaximumBatchingWindowInSeconds = 0 } of ofQueues) {
    if (ScalingConfig) expect(ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    if (BatchSize > 10) expect(MaximumBatchingWindowInSeconds).toBeGreaterThanOrEqual(1);
  }
});

test.each([...familyNames, ...pipelineNames])('the code of %s is far below the 250 MB that Lambda unpacks', (name) => {
  const folder = join(testBundles(), name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(folder, file)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(0.1 * 250 * 1024 * 1024);
});
