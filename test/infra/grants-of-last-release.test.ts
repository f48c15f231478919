import { expect, test } from 'vitest';
import deployed from '#test/last-release/deployed.json' with { type: 'json' };
import { deployedBy } from '#test/last-release/deployed.ts';
import lastRelease from '#test/last-release/grants.json' with { type: 'json' };
import { grantedStages, grantsOf } from '#test/last-release/grants.ts';
import { synthesize } from './synthesis.ts';

/**
 * A deployment changes the roles before the functions, and a deployment that is taken back does so too. So a grant stays for one
 * release after the code that needed it. Here stands what is removed now, because the last release did not need it any more:
 * `'orders: dynamodb:Query CLAIMS#*'`. `npm run release:record` makes every entry needless.
 */
const removed: readonly string[] = [];

/**
 * Functions that this release replaces by others with new roles, so that what they lose is taken from no code that runs: the old
 * function keeps its role, and CloudFormation removes both after everything else. `npm run release:record` makes every entry needless.
 */
const replaced: readonly string[] = [];

const granted = (grants: Record<string, string[]>) =>
  Object.entries(grants).flatMap(([name, all]) => all.map((grant) => `${name}: ${grant}`));

const template = synthesize(grantedStages.full);

const missing = [
  ...new Set([
    ...missingIn(lastRelease.plain, grantsOf(synthesize(grantedStages.plain))),
    ...missingIn(lastRelease.full, grantsOf(template)),
  ]),
];

function missingIn(before: Record<string, string[]>, now: Record<string, string[]>): string[] {
  const present = new Set(granted(now));
  return granted(before).filter((grant) => !present.has(grant));
}

test('a function keeps what the last release was allowed to do', () => {
  const isOfReplaced = (grant: string) => replaced.some((name) => grant.startsWith(`${name}: `));
  expect(missing.filter((grant) => !removed.includes(grant) && !isOfReplaced(grant))).toEqual([]);
});

test('nothing is listed as removed that is there, or that the last release did not have', () => {
  expect(removed.filter((grant) => !missing.includes(grant))).toEqual([]);
});

test('a function that the last release had keeps its role, unless it is replaced with it', () => {
  const known = new Map(Object.entries(deployed.functions));
  const now = new Map(Object.entries(deployedBy(template).functions));
  const changed = [...known].filter(([name, { id, role }]) => now.get(name)?.id !== id || now.get(name)?.role !== role);
  expect(changed.map(([name]) => name)).toEqual(replaced);
  const roles = new Set([...known.values()].map(({ role }) => role));
  for (const name of replaced) expect(roles).not.toContain(now.get(name)!.role);
});
