import { addressHash, isAddressHash } from '#domain/emails/address-hash.ts';
import { addressIn } from '#domain/emails/mail-address.ts';
import {
  listSuppressions as reader,
  removeSuppression,
  type Suppression as Stored,
} from '#domain/emails/suppression-store.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { readPage } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { emails, Suppression } from '#schemas/families/emails.ts';

type Operations = typeof emails;

export const listSuppressions: Implementation<Operations['listSuppressions']> = async (request) => {
  const { slug } = request.shop;
  const found = await readPage(request, `suppressions#${slug}`, reader(slug));
  const addresses = await addressesOf(slug, [...new Set(found.flatMap(({ order_id }) => order_id ?? []))]);
  return Promise.all(found.map((one) => toSuppression(one, addresses.get(one.order_id ?? ''))));
};

async function addressesOf(slug: string, orderIds: readonly string[]) {
  const items = await batchGet(orderIds.map((id) => keyOf.order(slug, id)));
  const orders = items.map((item) => item && toOrder(item as unknown as StoredItem));
  return new Map(orderIds.map((id, i) => [id, orders[i]?.email_id]));
}

/** The address of an order may be another one by now, and that is not suppressed. */
async function toSuppression(
  { slug, id, reason, at }: Stored,
  address: string | null | undefined,
): Promise<Suppression> {
  const mailed = addressIn(address);
  const isSame = mailed !== undefined && (await addressHash(slug, mailed)) === id;
  return { id, email_id: isSame ? address! : null, reason, at };
}

export const deleteSuppression: Implementation<Operations['deleteSuppression']> = async ({ shop, params }) => {
  if (!isAddressHash(params.id) || !(await removeSuppression(shop.slug, params.id))) {
    throw new ServiceError('suppression_not_found');
  }
  return null;
};
