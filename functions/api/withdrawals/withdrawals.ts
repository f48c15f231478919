import { toWithdrawalResponse } from '#domain/withdrawals/presentation.ts';
import { readWithdrawal, settleWithdrawal as settle, withdrawalReader } from '#domain/withdrawals/withdrawal-store.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { readPage } from '#platform/table/paging.ts';
import type { withdrawals } from '#schemas/families/withdrawals.ts';

type Operations = typeof withdrawals;

export const searchWithdrawals: Implementation<Operations['searchWithdrawals']> = async (request) => {
  const { shop, query } = request;
  const found = await readPage(request, `withdrawals#${shop.slug}`, withdrawalReader(shop.slug, query.status));
  return { withdrawals: found.map(toWithdrawalResponse) };
};

export const getWithdrawal: Implementation<Operations['getWithdrawal']> = async ({ shop, params }) => {
  const found = await readWithdrawal(shop.slug, params.uuid);
  if (!found) throw new ServiceError('withdrawal_not_found');
  return toWithdrawalResponse(found);
};

export const settleWithdrawal: Implementation<Operations['settleWithdrawal']> = async (request) => {
  const { shop, caller, params, body, now } = request;
  const author = { by: caller.tokenId, by_name: caller.keyLabel, now };
  return toWithdrawalResponse(await settle(shop, params.uuid, body, author));
};
