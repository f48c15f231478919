import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { differing } from './comparison/differing.ts';
import { Player } from './comparison/play.ts';
import { themes } from './comparison/themes.ts';
import { differences } from './differences.ts';

/** The same requests to our engine and to DynamoDB Local, in the same state: the answers are the same, or listed. */

let ours: RunningDynamoDb;

beforeAll(async () => {
  // As DynamoDB Local calls itself in its ARNs.
  ours = await startDynamoDb({ file: ':memory:', region: 'ddblocal', accountId: '000000000000' });
});
afterAll(() => ours.stop());

const theirs = () => process.env.TEST_DYNAMODB_ENDPOINT!;
const nameOf = (theme: string, title: string) => `${theme}: ${title}`;
const listed = new Map(
  differences.flatMap(({ cases, reason }) =>
    Object.entries(cases).flatMap(([aspects, names]) => names.map((name) => [name, { aspects, reason }] as const)),
  ),
);

describe.each(themes)('$name', (theme) => {
  let players: [Player, Player];
  beforeAll(() => {
    players = [new Player(ours.endpoint, theme), new Player(theirs(), theme)];
  });

  test.each(Object.keys(theme.cases))('%s', async (title) => {
    const [own, other] = [await players[0].play(title), await players[1].play(title)];
    const { aspects = '', reason } = listed.get(nameOf(theme.name, title)) ?? {};
    const found = differing(own, other);
    if (reason === undefined) expect(own).toEqual(other);
    expect(found.join('+'), `Listed, because ${reason}`).toBe(aspects);
  });
});

test('every listed difference is that of a request, and listed once', () => {
  const names = themes.flatMap((theme) => Object.keys(theme.cases).map((title) => nameOf(theme.name, title)));
  const all = differences.flatMap(({ cases }) => Object.values(cases).flat());
  expect(all.filter((name) => !names.includes(name))).toEqual([]);
  expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
  const reasons = differences.map(({ reason }) => reason);
  expect(reasons.filter((reason, i) => reasons.indexOf(reason) !== i)).toEqual([]);
});
