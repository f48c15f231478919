import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBundles } from '#test/kit/assembly.ts';
import lastRelease from '#test/last-release/deployed.json' with { type: 'json' };
import { deployedBy, variablesOf } from '#test/last-release/deployed.ts';
import { grantedStages } from '#test/last-release/grants.ts';
import { synthesize, type Template } from './synthesis.ts';

/**
 * CloudFormation changes a function in two steps, first its variables and then its code (https://github.com/aws/aws-cdk/pull/33587).
 * So for some seconds the code of the last release runs with the variables of this version, and when a deployment is taken back, the
 * code of this version runs with those of the last release. This lists what this version removes, because the code of the last release did
 * not read it any more: `'orders: KEY_RATE'`. `npm run release:record` makes every entry needless.
 */
const removed: readonly string[] = [];

/**
 * Variables that a function has for the first time, and that its code does without in a way that `needs` does not see, such as
 * `'orders: PUBLIC_URL'`: it is in a constant, and the next line says what is done without it. `npm run release:record` makes every
 * entry needless.
 */
const optionalInTheirFirstRelease: readonly string[] = [];

/** The names of variables, by function. */
type Variables = Readonly<Record<string, readonly string[]>>;

/** What functions had that they do not have any more. A function that is gone has its old variables until it is removed. */
const missingIn = (before: Variables, now: Variables): string[] =>
  Object.entries(before).flatMap(([name, all]) =>
    all.filter((variable) => now[name]?.includes(variable) === false).map((variable) => `${name}: ${variable}`),
  );

/**
 * Whether the code cannot do without the variable. What it names as a text is for `required`, by itself or in the description of a
 * queue. What it reads from `process.env` it needs unless it says in the same place what is done without it.
 */
function needs(code: string, variable: string): boolean {
  const read = `process\\.env\\.${variable}\\b`;
  // Whether it is there may be asked for before it is read.
  const withDefault = new RegExp(`${read}\\s*(\\?(?![.?])[^:]*${read}|\\?(?!\\.)|\\|\\||[!=]=)`, 'g');
  return new RegExp(`\\b${variable}\\b`).test(code.replaceAll(withDefault, ''));
}

/** All that the function can load: its start, what it loads later, and AWS clients that are rarely used. */
const codeOf = (name: string): string =>
  globSync(join(testBundles(), name, '*.mjs'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** Without functions that are new, also in the place of others: they get variables and code in one step. */
function variablesOfKept(template: Template): Variables {
  const ids = new Map(Object.entries(lastRelease.functions).map(([name, { id }]) => [name, id]));
  const { functions } = deployedBy(template);
  return Object.fromEntries(
    Object.entries(variablesOf(template)).filter(([name]) => functions[name]!.id === ids.get(name)),
  );
}

const stages = (['plain', 'full'] as const).map((stage) => ({
  before: lastRelease.variables[stage] as Variables,
  now: variablesOfKept(synthesize(grantedStages[stage])),
}));

const inAnyStage = (all: string[][]): string[] => [...new Set(all.flat())].toSorted();

const missing = inAnyStage(stages.map(({ before, now }) => missingIn(before, now)));

const needed = inAnyStage(stages.map(({ before, now }) => missingIn(now, before))).filter((entry) => {
  const [name, variable] = entry.split(': ') as [string, string];
  return needs(codeOf(name), variable);
});

test('a function keeps the variables that the code of the last release may read', () => {
  expect(missing.filter((entry) => !removed.includes(entry))).toEqual([]);
});

test('no function needs a variable that it did not have in the last release', () => {
  expect(needed.filter((entry) => !optionalInTheirFirstRelease.includes(entry))).toEqual([]);
});

test('nothing is listed that is not removed, or not needed for the first time', () => {
  expect(removed.filter((entry) => !missing.includes(entry))).toEqual([]);
  expect(optionalInTheirFirstRelease.filter((entry) => !needed.includes(entry))).toEqual([]);
});

test.each<[string, Variables, Variables, string[]]>([
  ['nothing that changes', { orders: ['A'] }, { orders: ['A'] }, []],
  ['one variable more', { orders: ['A'] }, { orders: ['A', 'B'] }, []],
  ['one variable less', { orders: ['A', 'B'] }, { orders: ['B'] }, ['orders: A']],
  ['another name', { orders: ['A'] }, { orders: ['B'] }, ['orders: A']],
  ['a variable that another function has', { orders: ['A'], shops: [] }, { orders: [], shops: ['A'] }, ['orders: A']],
  ['one function less', { orders: ['A'] }, {}, []],
])('with %s is known what is missing', (_what, before, now, expected) => {
  expect(missingIn(before, now)).toEqual(expected);
});

test.each([
  [`required('NAME')`, true],
  [`x("NAME")`, true],
  ['x(`NAME`)', true],
  [`{variable:"URL",failures:"NAME"}`, true],
  ['process.env.NAME.split(",")', true],
  ['process.env.NAME?.split(",")', true],
  ['const{NAME:x}=process.env', true],
  [`process.env.NAME??"";x("NAME")`, true],
  ['process.env.NAME??""', false],
  ['process.env.NAME || 10', false],
  ['process.env.NAME==="true"', false],
  ['process.env.NAME?JSON.parse(process.env.NAME):void 0', false],
  ['process.env.NAME??"";new URL(process.env.NAME)', true],
  ['process.env.NAME?1:0;new URL(process.env.NAME)', true],
  ['process.env.NAME_OF_ANOTHER', false],
  ['process.env.OTHER_NAME', false],
])('that %s needs a variable NAME is %s', (code, expected) => {
  expect(needs(code, 'NAME')).toBe(expected);
});

test('what a function needs is seen in its bundle', () => {
  const variables = ['TABLE_NAME', 'DELIVERY_QUEUE_URL', 'CREDENTIALS_KEY_ID', 'SPREAD_SHIPMENTS', 'WATCHED_QUEUES'];
  const code = codeOf('delivery');
  expect(variables.filter((variable) => needs(code, variable))).toEqual(variables.slice(0, 3));
});
