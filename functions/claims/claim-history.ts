import type { claims } from '#schemas/claims.ts';
import { readHistory } from '#shared/claims/claim-store.ts';
import type { Implementation } from '#shared/request.ts';
import { requireClaim } from './claims.ts';

export const listClaimHistory: Implementation<typeof claims.listClaimHistory> = async ({ shop, params, query }) => {
  const { claim, version } = await requireClaim(shop.slug, params.uuid);
  const newest = version - (query.page - 1) * query.per_page;
  return newest < 1 ? [] : readHistory(shop.slug, claim, Math.max(1, newest - query.per_page + 1), newest);
};
