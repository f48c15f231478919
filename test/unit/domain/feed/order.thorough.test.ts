import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { table } from '#platform/table/client.ts';
import type { Key } from '#platform/table/reads.ts';
import { Random } from '#test/fuzz/random.ts';
import { FeedWorld, noEvent } from './feed-world.ts';
import type { Lies, UnsteadyTable } from './unsteady-table.ts';

/**
 * The argument of lib/decisions/feed.md, tried out: the functions of the feed on a table where requests are late, lost,
 * repeated and interleaved in every order, with clocks that differ. `FEED_SEEDS=20000` tries more.
 */
const seeds = Number(process.env.FEED_SEEDS ?? 100);

let current: UnsteadyTable;
vi.mock('node:timers/promises', () => ({ setTimeout: (ms: number) => current.pause(ms) }));

const send = table.send;
let random: Random;
beforeAll(() => {
  process.env.TABLE_NAME = 'table';
  table.send = ((command: object) => current.send(command)) as never;
  vi.spyOn(Math, 'random').mockImplementation(() => random.number());
});
afterAll(() => {
  table.send = send;
  vi.restoreAllMocks();
});

/** What breaks in the world of a seed. Undefined if nothing does. */
async function faultOf(seed: string, lies?: Lies): Promise<string | undefined> {
  random = new Random(`${seed}/pauses`);
  const world = new FeedWorld(seed, lies);
  current = world.table;
  try {
    await world.run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test(`in ${seeds} worlds all readers have everything once, in one order, and wait only for their patience`, {
  timeout: 3_600_000,
}, async () => {
  for (let i = 0; i < seeds; i++) expect(await faultOf(`world-${i}`), `seed "world-${i}"`).toBeUndefined();
});

/**
 * Each breaks one rule of the argument, by what the table is asked or answers. If a world did not find that out, the test above
 * would prove nothing.
 */
const brokenRules: Record<string, () => Lies> = {
  'a writer that does not ask whether its place was closed': () => ({
    write: (write) =>
      write.ConditionExpression?.includes('NOT contains(feed_closed')
        ? {
            ...write,
            ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(feed_closed) OR pk = :place',
          }
        : write,
  }),
  'a writer that appends to a block that is full': () => ({
    write: (write) =>
      write.ConditionExpression?.includes('size(entries) <')
        ? { ...write, ConditionExpression: `attribute_exists(entries) OR ${write.ConditionExpression}` }
        : write,
  }),
  'a writer that overwrites what another one has stored': () => ({
    write: (write) =>
      write.ConditionExpression?.includes('NOT contains(feed_closed')
        ? { ...write, ConditionExpression: `attribute_exists(feed) OR ${write.ConditionExpression}` }
        : write,
  }),
  'a writer that begins a block behind one that is not full': () => ({
    lastBlock: (block) => ({ ...block, entries: filled(block.entries!) }),
  }),
  'a reader that follows a block that was not full': () => ({
    block: (block) => ({ ...block, entries: filled(block.entries!) }),
  }),
  'a reader that jumps over a block that began in between': () => ({
    item: (item, { sk }) => (sk.startsWith('BLOCK#') ? undefined : item),
  }),
  'a reader that passes a place without closing it': () => {
    const passed = new Map<string, object>();
    return {
      write: (write) => {
        if (!write.UpdateExpression?.includes('feed_closed')) return write;
        const { pk, sk } = write.Key as Key;
        const before = (passed.get(pk) as { feed_closed: string[] } | undefined)?.feed_closed ?? [];
        const places = write.ExpressionAttributeValues![':place'] as string[];
        passed.set(pk, { pk, sk, feed_closed: [...before, ...places] });
        return 'leave out';
      },
      item: (item, { pk }, { isUnsteady }) => item ?? (isUnsteady ? undefined : passed.get(pk)),
    };
  },
};

const filled = (entries: Uint8Array[]) => [...entries, ...Array(Math.max(0, 36 - entries.length)).fill(noEvent)];

const enough = 300;

test.each(Object.entries(brokenRules))('a world shows %s', async (_, lies) => {
  for (let i = 0; i < enough; i++) {
    const fault = await faultOf(`world-${i}`, lies());
    if (fault) return expect(fault).toMatch(/ misses | has another order | has two marks$| read something twice$/);
  }
  expect.unreachable(`${enough} worlds have not shown it`);
});
