import { readHistory } from '#domain/claims/claim-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { claims } from '#schemas/families/claims.ts';
import { requireClaim } from './claims.ts';

export const listClaimHistory: Implementation<typeof claims.listClaimHistory> = async ({ shop, params, query }) => {
  const { claim, version } = await requireClaim(shop.slug, params.uuid);
  const newest = version - (query.page - 1) * query.per_page;
  return newest < 1 ? [] : readHistory(shop.slug, claim, Math.max(1, newest - query.per_page + 1), newest);
};
