import type { claims } from '#schemas/claims.ts';
import { toHistoryEntry } from '#shared/claims/claim-items.ts';
import type { LoadedClaim } from '#shared/claims/claim-store.ts';
import type { HistoryEntry } from '#shared/claims/model.ts';
import { keyOf } from '#shared/keys.ts';
import { queryAll } from '#shared/query.ts';
import type { Implementation } from '#shared/request.ts';
import { requireClaim } from './claims.ts';

export const listClaimHistory: Implementation<typeof claims.listClaimHistory> = async ({ shop, params, query }) => {
  const found = await requireClaim(shop.slug, params.uuid);
  const newest = found.version - (query.page - 1) * query.per_page;
  return newest < 1 ? [] : readHistory(shop.slug, found, Math.max(1, newest - query.per_page + 1), newest);
};

/** Entries are numbered without gaps, so a page far back is found at once. */
async function readHistory(slug: string, { claim }: LoadedClaim, from: number, to: number): Promise<HistoryEntry[]> {
  const { order_id, uuid } = claim;
  const { pk, sk: first } = keyOf.claimHistory(slug, order_id, uuid, from);
  const { sk: last } = keyOf.claimHistory(slug, order_id, uuid, to);
  const items = await queryAll<Record<string, unknown>>({
    KeyConditionExpression: 'pk = :order AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':order': pk, ':first': first, ':last': last },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return items.map(toHistoryEntry);
}
