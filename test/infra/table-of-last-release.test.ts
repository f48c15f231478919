import { describe, expect, test } from 'vitest';
import { loadStage } from '#lib/stage.ts';
import lastRelease from '#test/last-release/deployed.json' with { type: 'json' };
import {
  type Deployed,
  deployedBy,
  keptStages,
  type Throughput,
  warmThroughputOf,
} from '#test/last-release/deployed.ts';
import { synthesize } from './synthesis.ts';

type Indexes = Deployed['table']['indexes'];

/**
 * What a deployment of the second table over the first cannot do, or nothing. DynamoDB makes or removes one index at a time:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html. An index with other keys or attributes is
 * another index, so it takes three releases: a second one with a new name, readers that use it, and the end of the first.
 */
function impossible(before: Indexes, after: Indexes): string[] {
  const added = Object.keys(after).filter((name) => !(name in before));
  const gone = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.keys(before).filter((name) => name in after && before[name] !== after[name]);
  const steps = [...added.map((name) => `makes ${name}`), ...gone.map((name) => `removes ${name}`)];
  return [...changed.map((name) => `changes ${name}`), ...(steps.length > 1 ? steps : [])];
}

describe('the table', () => {
  const { table } = deployedBy(synthesize());

  test('has the key of the last release: another key is another table', () => {
    expect(table.key).toBe(lastRelease.table.key);
  });

  test('gains or loses at most one index in a release', () => {
    expect(impossible(lastRelease.table.indexes, table.indexes)).toEqual([]);
  });
});

test.each<[string, Indexes, Indexes, string[]]>([
  ['nothing that changes', { a: '1', b: '2' }, { a: '1', b: '2' }, []],
  ['one new index', { a: '1' }, { a: '1', b: '2' }, []],
  ['one index less', { a: '1', b: '2' }, { a: '1' }, []],
  ['two new indexes', {}, { a: '1', b: '2' }, ['makes a', 'makes b']],
  ['an index in the place of another', { a: '1' }, { b: '1' }, ['makes b', 'removes a']],
  ['an index with other attributes', { a: '1' }, { a: '2' }, ['changes a']],
])('with %s a deployment is told what is impossible', (_what, before, after, expected) => {
  expect(impossible(before, after)).toEqual(expected);
});

/**
 * Warm throughput only grows: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html. A template
 * with less would be refused, or promise what is not so.
 */
const isLower = (before: Throughput | null, now: Throughput | undefined): boolean =>
  before !== null &&
  (now === undefined ||
    now.ReadUnitsPerSecond < before.ReadUnitsPerSecond ||
    now.WriteUnitsPerSecond < before.WriteUnitsPerSecond);

test.each(keptStages)('the stage %s has no less warm throughput than in the last release', async (name) => {
  const now = warmThroughputOf(synthesize(await loadStage(name)));
  expect(isLower(lastRelease.warmThroughput[name], now)).toBe(false);
});

test.each<[Throughput | null, Throughput | undefined, boolean]>([
  [null, undefined, false],
  [null, { ReadUnitsPerSecond: 1, WriteUnitsPerSecond: 1 }, false],
  [{ ReadUnitsPerSecond: 2, WriteUnitsPerSecond: 2 }, { ReadUnitsPerSecond: 2, WriteUnitsPerSecond: 3 }, false],
  [{ ReadUnitsPerSecond: 2, WriteUnitsPerSecond: 2 }, { ReadUnitsPerSecond: 2, WriteUnitsPerSecond: 1 }, true],
  [{ ReadUnitsPerSecond: 2, WriteUnitsPerSecond: 2 }, undefined, true],
])('a throughput of %j before and %j now is lower: %s', (before, now, expected) => {
  expect(isLower(before, now)).toBe(expected);
});
