import type { ShopIdentity } from '#domain/orders/model.ts';
import { type CountsOf, type Erasure, erased, noCount } from '#platform/personal-data.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { withdrawalData } from './personal-data.ts';
import { readStored, toWithdrawal, withdrawalItem } from './withdrawal-store.ts';

/** After `eraseOrder`: erases what is personal from the withdrawal of an order, if it has one. It can be repeated. */
export async function eraseWithdrawal(
  { slug }: ShopIdentity,
  orderId: string,
  { at, dryRun, spend }: Erasure,
): Promise<CountsOf<'withdrawals'>> {
  const reference = await getItem<{ uuid: string }>(keyOf.withdrawalOfOrder(slug, orderId));
  if (!reference) return { withdrawals: noCount };
  await retryOnConflict(async () => {
    const stored = await readStored(slug, reference.uuid);
    if (!stored || dryRun) return;
    const withdrawal = toWithdrawal(stored);
    await spend?.(4);
    const after = { ...erased(withdrawalData, withdrawal), erased_at: withdrawal.erased_at ?? at };
    await commit([putVersion(withdrawalItem(slug, after, stored.version + 1))]);
  });
  return { withdrawals: { found: 1, erased: 1, kept: 0 } };
}
