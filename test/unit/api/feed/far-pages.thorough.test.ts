import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Feed, startTakingPlaces } from '#domain/feed/blocks.ts';
import { type Cursor, readCursor } from '#domain/feed/cursor.ts';
import { wholeShop } from '#domain/feed/mark.ts';
import { type FeedPage, readFeed } from '#domain/feed/reading.ts';
import { storeInFeed } from '#domain/feed/store-event.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { tableWith } from '#test/kit/table.ts';

const feed: Feed = { slug: 'blue', generation: 1 };
const limit = 10;
const pages = 1000;
/** A payload is a unit, and four blocks have little more than four kilobytes: several events took places together. */
const mostUnits = limit + 2;
const hourMs = 3_600_000;
const events = limit * pages + 200;
/** The events are of four days. */
const begin = Date.now() - 97 * hourMs;
const timeOf = (n: number) => begin + Math.floor((n / events) * 96 * hourMs);

beforeAll(async () => {
  tableWith();
  let taken = 0;
  const takePlace = startTakingPlaces(feed, () => timeOf(taken));
  await mapConcurrently(
    Array.from({ length: events }, (_, n) => n),
    async () => {
      taken += 1;
      const owner = { shop_slug: feed.slug, payload_id: randomUUID(), expires_at: 9e9 };
      const content = { occurred: begin, groups: 1, subjects: [{ id: randomUUID(), told: 1 as const }], endpoints: [] };
      await storeInFeed(owner, { context: {}, parts: [{ ref: 'claims/created' }] }, content, takePlace);
    },
    20,
  );
}, 120_000);

interface Answer {
  page: FeedPage;
  units: number;
}

async function read(after: Cursor | undefined, more: { from?: number; limit?: number } = {}): Promise<Answer> {
  let page: FeedPage | undefined;
  const { units } = await consumedBy(async () => {
    page = await readFeed(feed, { limit, receiver: wholeShop, after, ...more }, new Date());
  });
  return { page: page!, units };
}

const behind = ({ next }: FeedPage) => readCursor(feed.slug, next);

test('page 1,000 costs what page 1 costs', async () => {
  const first = await read(undefined);
  const units: number[] = [];
  let { page } = first;
  for (let n = 2; n <= pages; n++) {
    const answer = await read(behind(page));
    ({ page } = answer);
    units.push(answer.units);
  }
  expect(page.events).toHaveLength(limit);
  expect(new Set(units).size).toBe(1);
  expect(units[0]).toBeLessThanOrEqual(mostUnits);
  // To find where the feed begins costs a unit for each doubling of its blocks.
  expect(first.units - units[0]!).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(events)));
});

test('a page of a time in the middle costs what the first costs, and its next page what all cost', async () => {
  const first = await read(undefined);
  const middle = await read(undefined, { from: begin + 40 * hourMs });
  expect(middle.page.events).toHaveLength(limit);
  expect(middle.page.events[0]!.id).not.toBe(first.page.events[0]!.id);
  expect(Math.abs(middle.units - first.units)).toBeLessThanOrEqual(Math.ceil(Math.log2(events)));
  expect((await read(behind(middle.page))).units).toBeLessThanOrEqual(mostUnits);
});

test('a look at a feed where nothing is new costs one unit', async () => {
  const { page } = await read(undefined, { from: Date.now() + hourMs });
  expect(page).toMatchObject({ events: [], at_end: true });
  const { page: next, units } = await read(behind(page));
  expect([next.events, units]).toEqual([[], 1]);
});
