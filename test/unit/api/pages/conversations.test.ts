import { expect, test } from 'vitest';
import { conversationsOf } from '#api/pages/conversations.ts';
import type { PageClaim } from '#domain/claims/claim-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimId, claimOf, madeAt } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';

const slug = 'blue';
const orderId = claimOf().order_id;
const now = new Date(madeAt);

/** The claims of a page, each with so many messages. */
function pageWith(...counts: number[]) {
  memoryTable.renew();
  const claims = counts.map((message_count, i) => ({ uuid: `${claimId.slice(0, -2)}${10 + i}`, message_count }));
  for (const { uuid, message_count } of claims) {
    for (let n = 1; n <= message_count; n++) {
      const message = { uuid: `${n}`, at: madeAt, from: 'customer', author: null, text: `Text ${n}`, image_urls: [] };
      memoryTable.put({ ...keyOf.claimMessage(slug, orderId, uuid, n), ...message });
    }
  }
  return { page: { slug, orderId, claims: claims as PageClaim[] }, storefront: { shop: { uuid: 'shop' } } };
}

const shownOf = async (...counts: number[]) => {
  const shown = await conversationsOf(pageWith(...counts) as never, now);
  return [...shown.values()].map((messages) => messages.map(({ text }) => text));
};

test('a page shows the newest hundred messages of a claim', async () => {
  const [one, two] = await shownOf(120, 3);
  expect(one).toHaveLength(100);
  expect([one!.at(-1), two]).toEqual(['Text 120', ['Text 1', 'Text 2', 'Text 3']]);
});

test('a page with many long conversations shows the newest of each', async () => {
  const shown = await shownOf(60, 60, 60, 60, 60);
  expect(shown.map(({ length }) => length)).toEqual([40, 40, 40, 40, 40]);
  expect(shown.every((texts) => texts.at(-1) === 'Text 60')).toBe(true);
});
