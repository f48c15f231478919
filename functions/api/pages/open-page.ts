import type { Order, OrderWithShipments } from '#domain/orders/model.ts';
import { viewOrder } from '#domain/orders/order-store.ts';
import { findPage, type Page } from '#domain/pages/page-store.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { readStorefront } from '#domain/pages/storefront-store.ts';
import { ServiceError } from '#platform/errors.ts';
import { chooseLanguage } from '#platform/http/negotiation.ts';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';

/** What a token opens. */
export interface OpenPage {
  page: Page;
  fullOrder: OrderWithShipments;
  storefront: Storefront;
}

/** An unknown token, the token of a deleted order and that of a shop without pages cannot be told apart. */
export async function openPage(token: string, now: Date): Promise<OpenPage> {
  const page = await findPage(token);
  if (!page) throw new ServiceError('page_not_found');
  const [fullOrder, storefront] = await Promise.all([
    viewOrder(page.slug, page.orderId),
    readStorefront(page.slug, now),
  ]);
  if (!fullOrder || !storefront?.settings.enabled) throw new ServiceError('page_not_found');
  return { page, fullOrder, storefront };
}

/** Whether a showing or a click counts: a simulated order has no customer, and nobody looks at what a browser prefetches. */
export const isCounted = ({ simulation_id }: Order, headers: Record<string, string | undefined>): boolean =>
  simulation_id === undefined && !/prefetch|prerender/i.test(headers['sec-purpose'] ?? headers.purpose ?? '');

interface Asking {
  query: { lang?: string };
  headers: Record<string, string | undefined>;
  setLanguage: (language: Language) => void;
}

/**
 * The language of `?lang=`, otherwise of the header, otherwise of the shop if it is known. The response names it, and a
 * page about an error has it too.
 */
export function languageFor({ query, headers, setLanguage }: Asking, storefront?: Storefront): Language {
  const language = named(query.lang) ?? chooseLanguage(headers['accept-language'], storefront?.shop.language);
  setLanguage(language);
  return language;
}

/** A region makes no difference. `el` is the registered tag of Greek, but the contract uses `gr`. */
function named(text: string | undefined): Language | undefined {
  const [tag] = text?.toLowerCase().split(/[-_]/) ?? [];
  return languages.find((language) => language === (tag === 'el' ? 'gr' : tag));
}
