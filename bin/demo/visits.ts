import { mapConcurrently } from '#platform/batches.ts';
import { chanceOf } from './chance.ts';
import type { Service } from './service.ts';

/** How often customers follow what their page offers. The second variant of the A/B test is liked better. */
const interest = { usual: 0.2, first: 0.35, second: 0.6 };

interface Page {
  promotion: { promotion_id: string } | null;
}

/** Customers look at their pages, and some follow the promotion: without them campaigns and the test have no figures. */
export async function visitPages(
  url: string,
  shop: Service,
  variants: readonly string[],
): Promise<{ seen: number; followed: number }> {
  const chance = chanceOf(29);
  const found = await shop.call<{ tracking_page_url: string }[]>('GET', '/orders?per_page=100');
  const tokens = found.map(({ tracking_page_url }) => tracking_page_url.split('/').at(-1)!);
  const wishes = tokens.map((token) => ({ token, wish: chance.next() }));
  const clicks = await mapConcurrently(
    wishes,
    async ({ token, wish }) => {
      const { promotion } = (await (await fetch(`${url}/v1/tracking/${token}`)).json()) as Page;
      const likes = { [variants[0]!]: interest.first, [variants[1]!]: interest.second };
      if (!promotion || wish > (likes[promotion.promotion_id] ?? interest.usual)) return 0;
      // The shop where it leads does not exist.
      await fetch(`${url}/t/${token}/go/${promotion.promotion_id}`, { redirect: 'manual' });
      return 1;
    },
    6,
  );
  return { seen: tokens.length, followed: clicks.reduce<number>((sum, one) => sum + one, 0) };
}
