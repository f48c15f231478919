import type { OrderWithShipments } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { findPage, type Page } from '#domain/pages/page-store.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { readStorefront } from '#domain/pages/storefront-store.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { type EmailSettings, toEmailSettings } from './email-settings.ts';

/** Everything that a mail about an order is made from, as it is now. */
export interface MailOrder {
  slug: string;
  fullOrder: OrderWithShipments;
  page: Page;
  storefront: Storefront;
  settings: EmailSettings;
  /** The clock of its simulation, if it is simulated. */
  clock: Date;
}

/** Undefined if there is nothing to tell of any more: the order is gone or erased, or it has no page that a mail could lead to. */
export async function loadMailOrder(slug: string, orderId: string, now: Date): Promise<MailOrder | undefined> {
  const fullOrder = await retryOnConflict(() => loadOrder(slug, orderId));
  const { page_token, erased_at } = fullOrder?.order ?? {};
  if (!fullOrder || page_token === undefined || erased_at !== undefined) return undefined;
  const [page, storefront, settings, clock] = await Promise.all([
    findPage(page_token),
    readStorefront(slug, now),
    loadSettings(slug),
    clockOf(slug, fullOrder.order, now),
  ]);
  return page && storefront && { slug, fullOrder, page, storefront, settings: toEmailSettings(settings), clock };
}
