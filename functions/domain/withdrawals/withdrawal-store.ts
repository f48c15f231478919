import { refusePersonal } from '#domain/orders/erased-order.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { outboxWrites } from '#domain/orders/outbox.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { ServiceError } from '#platform/errors.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf, withdrawalPrefix, withdrawalsOf } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import type { ListReader } from '#platform/table/paging.ts';
import { getItem } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import {
  type Action,
  commit,
  insert,
  put,
  putVersion,
  retryOnConflict,
  WriteConflict,
} from '#platform/table/writes.ts';
import { clockSince, laterThan } from '#platform/time.ts';
import { withdrawalData } from './personal-data.ts';
import {
  eventsOfWithdrawal,
  type PageWithdrawal,
  type Settlement,
  settled,
  type Withdrawal,
  type WithdrawalStatus,
} from './withdrawal-rules.ts';

export interface StoredWithdrawal extends Withdrawal {
  pk: string;
  sk: string;
  /** One more with each step. */
  version: number;
}

export const withdrawalItem = (slug: string, withdrawal: Withdrawal, version: number): StoredWithdrawal => ({
  ...keyOf.withdrawal(slug, withdrawal.uuid),
  ...withdrawal,
  version,
});

export const toWithdrawal = ({ pk: _pk, sk: _sk, version: _version, ...withdrawal }: StoredWithdrawal): Withdrawal =>
  withdrawal;

export async function readWithdrawal(slug: string, uuid: string): Promise<Withdrawal | undefined> {
  const item = await readStored(slug, uuid);
  return item && toWithdrawal(item);
}

export const readStored = (slug: string, uuid: string): Promise<StoredWithdrawal | undefined> =>
  getItem<StoredWithdrawal>(keyOf.withdrawal(slug, uuid.toLowerCase()));

/** Undefined if the customer has not withdrawn. */
export async function withdrawalOfOrder(slug: string, orderId: string): Promise<Withdrawal | undefined> {
  const reference = await getItem<{ uuid: string }>(keyOf.withdrawalOfOrder(slug, orderId));
  return reference && readWithdrawal(slug, reference.uuid);
}

/** The withdrawals of a shop, newest first. */
export const withdrawalReader = (slug: string, status: WithdrawalStatus | undefined): ListReader<Withdrawal> =>
  newestIn(withdrawalsOf(slug), withdrawalPrefix, {
    toEntry: (item) => {
      const withdrawal = toWithdrawal(item as unknown as StoredWithdrawal);
      return status === undefined || withdrawal.status === status ? withdrawal : undefined;
    },
    filtered: status !== undefined,
  });

function showOnPage({ order }: OrderWithShipments, withdrawal: Withdrawal): Action[] {
  const { page_token, erased_at } = order;
  if (page_token === undefined || erased_at !== undefined) return [];
  const { uuid, status, declared_at, deadline, items, based_on } = withdrawal;
  const shown: PageWithdrawal = { uuid, status, declared_at, deadline, items, time_zone: based_on.time_zone };
  return [put({ ...keyOf.pageWithdrawal(page_token), ...shown })];
}

/**
 * Records a withdrawal with its event in one transaction. False if the order has one already: a form that is sent twice is
 * one withdrawal. Throws `page_not_found` if the order was erased.
 */
export async function declareWithdrawal(
  shop: ShopIdentity,
  withdrawal: Withdrawal,
  fullOrder: OrderWithShipments,
): Promise<boolean> {
  const { slug } = shop;
  const { uuid, order_id } = withdrawal;
  const actions = [
    insert({ ...keyOf.withdrawalOfOrder(slug, order_id), uuid }),
    notErased(slug, order_id),
    insert(withdrawalItem(slug, withdrawal, 1)),
    ...showOnPage(fullOrder, withdrawal),
    ...outboxWrites(shop, eventsOfWithdrawal(withdrawal), fullOrder),
  ];
  try {
    await commit(actions);
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    if (error.positions.includes(0)) return false;
    if (error.positions.includes(1)) throw new ServiceError('page_not_found');
    throw error;
  }
}

/** The erasure of an order marks the count of its claims before it looks for what is to go. */
const notErased = (slug: string, orderId: string): Action => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keyOf.claimCount(slug, orderId),
    ConditionExpression: 'attribute_not_exists(erased_at)',
  },
});

interface Author {
  by: string;
  by_name: string | null;
  now: Date;
}

/**
 * Settles a withdrawal and emits `withdrawals/settled`. The same again does nothing. Throws `withdrawal_not_found` and
 * `withdrawal_transition_invalid`.
 */
export function settleWithdrawal(
  shop: ShopIdentity,
  uuid: string,
  settlement: Settlement,
  { now, by, by_name }: Author,
): Promise<Withdrawal> {
  const clock = clockSince(now);
  return retryOnConflict(async () => {
    const stored = await readStored(shop.slug, uuid);
    if (!stored) throw new ServiceError('withdrawal_not_found');
    const before = toWithdrawal(stored);
    const time = await clockOf(shop.slug, before, clock());
    const at = laterThan(before.history.at(-1)!.at, time);
    const after = settled(before, settlement, { at, by, by_name });
    if (!after) return before;
    const fullOrder = await loadOrder(shop.slug, before.order_id);
    if (fullOrder) refusePersonal(fullOrder.order, withdrawalData, { comment: settlement.comment ?? null });
    const event = eventsOfWithdrawal(after).at(-1)!;
    await commit([
      putVersion(withdrawalItem(shop.slug, after, stored.version + 1)),
      ...(fullOrder ? showOnPage(fullOrder, after) : []),
      ...outboxWrites(shop, [event], fullOrder),
    ]);
    return after;
  });
}

/** For the order of a simulation that is removed. */
export async function removeWithdrawal(slug: string, orderId: string): Promise<void> {
  const reference = keyOf.withdrawalOfOrder(slug, orderId);
  const found = await getItem<{ uuid: string }>(reference);
  if (found) await removeAll([keyOf.withdrawal(slug, found.uuid), reference]);
}
