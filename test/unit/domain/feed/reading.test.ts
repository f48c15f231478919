import { randomUUID } from 'node:crypto';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { takePlaces } from '#domain/feed/blocks.ts';
import { readCursor } from '#domain/feed/cursor.ts';
import { markIn, wholeShop, writeMark } from '#domain/feed/mark.ts';
import { type FeedQuestion, readFeed } from '#domain/feed/reading.ts';
import { keyOf } from '#platform/table/keys.ts';
import { addToFeed } from '#test/kit/feed-events.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';

const feed = { slug: 'blue', generation: 3 };
const now = new Date('2026-11-18T03:30:00.000Z');
const hour = 3_600_000;
const day = 24 * hour;

beforeEach(() => tableWith());

const add = (subjects: readonly string[], fields: Partial<Parameters<typeof addToFeed>[1]> = {}, at = now.getTime()) =>
  addToFeed(feed, { subjects: subjects.map((id) => ({ id, told: 1 })), clock: () => at, ...fields });

const takeOnly = async (at: number, id: string = randomUUID()) => {
  await takePlaces(feed, [id], () => at);
  return id;
};

const read = (question: Partial<FeedQuestion> = {}, time = now) =>
  readFeed(feed, { limit: 100, receiver: wholeShop, ...question }, time);
const behind = (text: string) => ({ after: readCursor(feed.slug, text) });

type Page = Awaited<ReturnType<typeof readFeed>>;
const about = ({ events }: Page) =>
  events.map((event) => ('erased' in event ? 'erased' : (event.payload as { subject: string }).subject));

async function readAll(question: Partial<FeedQuestion>): Promise<Page[]> {
  const pages: Page[] = [await read(question)];
  while (!pages.at(-1)!.at_end) pages.push(await read({ ...question, ...behind(pages.at(-1)!.next) }));
  return pages;
}

describe('a reader', () => {
  test('goes on in the middle of an event that tells several things', async () => {
    await add(['a', 'b', 'c']);
    await add(['d']);
    const pages = await readAll({ limit: 1 });
    expect(pages.flatMap(about)).toEqual(['a', 'b', 'c', 'd']);
    const cursors = pages.flatMap(({ events }) => events.map(({ cursor }) => cursor));
    expect(await Promise.all(cursors.map(async (cursor) => about(await read(behind(cursor)))))).toEqual([
      ['b', 'c', 'd'],
      ['c', 'd'],
      ['d'],
      [],
    ]);
  });

  test('goes on there also if it asks for less, or the order was erased in between', async () => {
    const subjects = [
      { id: 'a', told: 0 as const },
      { id: 'b', told: 2 as const },
      { id: 'c', told: 1 as const },
    ];
    const id = await addToFeed(feed, { subjects, groups: 2, endpoints: ['e'], clock: () => now.getTime() });
    const { events } = await read();
    const of = (receiver: string) =>
      Promise.all(events.map(async ({ cursor }) => about(await read({ ...behind(cursor), receiver }))));
    expect(await of('e')).toEqual([['b', 'b', 'c'], ['b', 'c'], []]);
    expect(await of('other')).toEqual([[], [], []]);
    const { feed: mark } = memoryTable.read(keyOf.payload(feed.slug, id))!;
    memoryTable.put(erasedPayload(feed.slug, id, now.toISOString(), 1_800_000_000, mark));
    expect(await of(wholeShop)).toEqual([['erased', 'erased'], ['erased'], []]);
    expect((await read()).events.map((event) => event.id)).toEqual(events.map((event) => event.id));
  });

  test('waits in front of an event that is on its way, and shows nothing behind it', async () => {
    await add(['a']);
    const late = await takeOnly(now.getTime() - 4999);
    await add(['b']);
    const page = await read();
    expect([about(page), page.at_end]).toEqual([['a'], true]);
    expect(memoryTable.read(keyOf.payload(feed.slug, late))).toBeUndefined();
    expect(about(await read(behind(page.next)))).toEqual([]);
  });

  test('closes a place after five seconds, and goes on', async () => {
    await add(['a']);
    const dead = await takeOnly(now.getTime() - 5000);
    await add(['b']);
    expect(about(await read())).toEqual(['a', 'b']);
    expect(memoryTable.read(keyOf.payload(feed.slug, dead))).toMatchObject({ feed_closed: ['3.1.1'] });
    dynamo.resetHistory();
    expect(about(await read())).toEqual(['a', 'b']);
    expect(dynamo.commandCalls(UpdateCommand)).toEqual([]);
  });

  test('shows an event that comes just before its place is closed', async () => {
    const id = await takeOnly(now.getTime() - 9000);
    await add(['b']);
    const content = { occurred: 0, groups: 1, subjects: [{ id: 'a', told: 1 as const }], endpoints: [] };
    const other = await add(['a'], content);
    const stored = memoryTable.read(keyOf.payload(feed.slug, other))!;
    memoryTable.remove(keyOf.payload(feed.slug, other));
    beforeNextRequest(UpdateCommand, () => {
      const mark = markIn(stored)!;
      memoryTable.put({ ...stored, ...keyOf.payload(feed.slug, id), feed: writeMark({ ...mark, index: 0 }) });
    });
    expect(about(await read())).toEqual(['a', 'b']);
  });

  test('waits for the second place of an event whose first one was closed', async () => {
    const id = await takeOnly(now.getTime() - 9000);
    await add(['a']);
    await takeOnly(now.getTime() - 1000, id);
    await add(['b']);
    expect(about(await read())).toEqual(['a']);
    expect(about(await read({}, new Date(now.getTime() + 4000)))).toEqual(['a', 'b']);
    expect(memoryTable.read(keyOf.payload(feed.slug, id))).toMatchObject({ feed_closed: ['3.1.0', '3.1.2'] });
  });

  test('passes the other places of an event that has one', async () => {
    const id = await add(['a']);
    await takeOnly(now.getTime(), id);
    await add(['b']);
    expect(about(await read())).toEqual(['a', 'b']);
  });

  test('whose clock is wrong waits longer or closes at once, and misses nothing', async () => {
    await takeOnly(now.getTime() + 60_000);
    await add(['b']);
    expect(about(await read())).toEqual([]);
    expect(about(await read({}, new Date(now.getTime() + 65_000)))).toEqual(['b']);
  });

  test('is never given more than fits into an answer, but always something', async () => {
    const more = { text: 'x'.repeat(3 * 1024 * 1024) };
    for (const id of ['a', 'b', 'c']) await add([id], { more });
    const pages = await readAll({});
    expect(pages.map(about)).toEqual([['a'], ['b'], ['c']]);
    expect(pages.map(({ at_end }) => at_end)).toEqual([false, false, true]);
  });

  test('that asks for few reads few payloads', async () => {
    for (let i = 0; i < 20; i++) await add([`${i}`]);
    dynamo.resetHistory();
    await read({ limit: 2 });
    const keys = dynamo.commandCalls(BatchGetCommand).flatMap(({ args }) => args[0].input.RequestItems!.table!.Keys!);
    expect(keys.filter(({ sk }) => sk === 'PAYLOAD').length).toBeLessThanOrEqual(3);
  });
});

describe('what is kept', () => {
  const kept = Date.parse('2026-10-19T03:00:00.000Z');

  test('goes by whole hours', async () => {
    await add(['old'], {}, kept - 1);
    await add(['kept'], {}, kept);
    expect(about(await read())).toEqual(['kept']);
    expect(about(await read({}, new Date(now.getTime() + hour / 2)))).toEqual([]);
  });

  test('is found also where a fast clock wrote before a slow one', async () => {
    for (let i = 0; i < 35; i++) await add([`old${i}`], {}, kept - 60_000);
    await add(['fast'], {}, kept + 900);
    await add(['slow'], {}, kept - 900);
    await add(['next'], {}, kept + 1000);
    expect(about(await read())).toEqual(['fast', 'next']);
  });

  test('is shown to who follows until its hour is over, whatever the clocks of its writers said', async () => {
    await add(['fast'], {}, kept + 900);
    await add(['slow'], {}, kept - 900);
    const { next } = await read({ limit: 1 });
    expect(about(await read(behind(next)))).toEqual(['slow']);
  });

  test('is found behind more than one request looks at', async () => {
    const old = Array.from({ length: 41 }, () => randomUUID());
    for (let i = 0; i < 25; i++) await takePlaces(feed, old, () => kept - 60_000);
    await add(['a'], {}, kept + 1);
    const page = await read({ limit: 1 });
    expect(about(page)).toEqual(['a']);
    expect(about(await read(behind(page.next)))).toEqual([]);
  });

  test('keeps a cursor good, also behind an event of a slow clock', async () => {
    await add(['fast'], {}, kept + 900);
    await add(['slow'], {}, kept - 900);
    await add(['next'], {}, kept + 900);
    const first = await read({ limit: 1 });
    const second = await read({ ...behind(first.next), limit: 1 });
    expect(about(second)).toEqual(['slow']);
    expect(about(await read(behind(second.next)))).toEqual(['next']);
  });

  test('costs no write where it is over', async () => {
    await takeOnly(kept - 2 * hour);
    await add(['a']);
    dynamo.resetHistory();
    expect(about(await read())).toEqual(['a']);
    expect(dynamo.commandCalls(UpdateCommand)).toEqual([]);
  });

  test('refuses cursors from before it, and of another feed', async () => {
    await add(['a'], {}, kept);
    const { next } = await read();
    const cursor = readCursor(feed.slug, next)!;
    const expired = { key: 'cursor_expired' };
    for (const wrong of [{ at: kept - 1 }, { generation: 2 }])
      await expect(read({ after: { ...cursor, ...wrong } })).rejects.toMatchObject(expired);
    await expect(read({ after: { ...cursor, at: kept } })).resolves.toMatchObject({ at_end: true });
    // Who looked in vain may come back thirty days later.
    expect(cursor.at).toBe(now.getTime());
    await expect(read(behind(next), new Date(now.getTime() + 30 * day - hour))).resolves.toMatchObject({
      at_end: true,
    });
  });
});
