import { startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { retentionDue } from '#domain/privacy/retention-work.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { commit } from '#platform/table/writes.ts';
import { memoryTable } from './memory-table.ts';
import { shopItem } from './table.ts';
import { wholeShopItems } from './whole-shop-items.ts';

const at = '2026-11-14T12:00:00.000Z';
const now = new Date(at);

/** A shop with something under each of its keys, in the table in memory. */
export async function putWholeShop(slug: string, uuid: string): Promise<void> {
  const { items, orderId } = wholeShopItems(slug, uuid, now);
  memoryTable.put(
    { ...shopItem(slug, { uuid }), ...indexKeyOf.shops(uuid) },
    { ...keyOf.settings(slug), retention: { orders_days: 30 } },
    ...Object.values(items).flat(),
  );
  const asked = { kind: 'disclosure' as const, person: { email_id: 'ada@example.com' }, requested_by: 'somebody' };
  const { uuid: request } = await startPrivacyRequest({ slug }, asked, now);
  memoryTable.put(keyOf.foundOrder(slug, request, orderId), keyOf.laterOrder(slug, at, orderId));
  await commit([retentionDue(slug, now)]);
}
