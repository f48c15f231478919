import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longestRequestMs } from '#platform/aws-client.ts';
import { resourcesOf, synthesize } from './synthesis.ts';

test('every AWS client of a function gives up a request in time', () => {
  const files = globSync('functions/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const made = files.flatMap(({ path, text }) =>
    [...text.matchAll(/new (?:DynamoDB|SQS|S3|KMS)Client\((.*?)\)/g)].map(([, options]) => ({ path, options })),
  );
  expect(made.length).toBeGreaterThanOrEqual(5);
  expect(made.filter(({ options }) => options !== 'clientOptions')).toEqual([]);
});

test('a request that is never answered ends before its function does', () => {
  const timeouts = resourcesOf(synthesize({}), 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Timeout);
  expect(Math.min(...timeouts) * 1000).toBeGreaterThan(longestRequestMs);
});
