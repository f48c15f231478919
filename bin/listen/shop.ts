import { ApiError, type Client } from '#schemas/client/index.ts';

const shown = 5;

/** The shop that a key is for: its username is the slug. A SuperAdmin has to choose, unless there is only one shop. */
export async function shopOf(client: Client, key: string): Promise<string> {
  const slug = key.split(':')[0]!;
  const own = await client.getShop({ params: { slug } }).catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  });
  if (own) return own.slug;
  const shops = await client.searchShops({ query: { per_page: shown } });
  if (shops.length === 1) return shops[0]!.slug;
  const slugs = shops.map((shop) => shop.slug).join(', ');
  throw new Error(shops.length === 0 ? 'There is no shop yet.' : `Name the shop: --shop SLUG (${slugs}, …)`);
}
