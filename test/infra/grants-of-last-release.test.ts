import { expect, test } from 'vitest';
import lastRelease from '#test/last-release/grants.json' with { type: 'json' };
import { grantsOf } from '#test/last-release/grants.ts';
import { synthesize } from './synthesis.ts';

/**
 * A deployment changes the roles before the functions, and a deployment that is taken back does so too. So a grant stays for one
 * release after the code that needed it. Here stands what is removed now, because the last release did not need it any more:
 * `'orders: dynamodb:Query CLAIMS#*'`. `npm run release:record` makes every entry needless.
 */
const removed: readonly string[] = [
  // No code used them: Lambda itself sent the traces, and runs a function whose traces it may not send.
  ...Object.keys(lastRelease).flatMap((name) =>
    ['PutTelemetryRecords', 'PutTraceSegments'].map((action) => `${name}: xray:${action} *`),
  ),
];

const granted = (grants: Record<string, string[]>) =>
  Object.entries(grants).flatMap(([name, all]) => all.map((grant) => `${name}: ${grant}`));

const present = new Set(granted(grantsOf(synthesize())));
const missing = granted(lastRelease).filter((grant) => !present.has(grant));

test('a function keeps what the last release was allowed to do', () => {
  expect(missing.filter((grant) => !removed.includes(grant))).toEqual([]);
});

test('nothing is listed as removed that is there, or that the last release did not have', () => {
  expect(removed.filter((grant) => !missing.includes(grant))).toEqual([]);
});
