import type { MappingRule } from '#domain/shop-systems/mapping-rules.ts';
import { type Reading, type Settled, unreadable } from '#domain/shop-systems/reading.ts';
import { convertShopwareOrder, readShopware } from '#domain/shop-systems/shopware/order.ts';
import { maxOrdersOfSearch, readOrders } from '#domain/shop-systems/shopware/shop-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { appCredentialsOf } from './app-credentials.ts';

interface Delivery {
  shop: ShopItem;
  payload: unknown;
  rules: readonly MappingRule[];
}

export async function readingsOf(delivery: Delivery): Promise<Settled[]> {
  const reading = readShopware(delivery.payload, delivery.rules);
  return reading.kind === 'named' ? readNamed(delivery, reading) : [reading];
}

type Named = Extract<Reading, { kind: 'named' }>;

/**
 * The shop's API says how the orders are now. If it does not, what the webhook told of the only order is better than
 * nothing, and the next webhook makes up for the rest.
 */
async function readNamed({ shop, rules }: Delivery, { orderIds, order }: Named): Promise<Settled[]> {
  const told: Settled[] | undefined = order && [{ kind: 'order', converted: order }];
  const access = await appCredentialsOf(shop);
  if (!access) return told ?? [unreadable('credentials_missing', { order: orderIds[0] })];
  const { shopUrl, credentials } = access;
  const endsAt = Date.now() + maxTimeMs;
  const readSome = async (ids: readonly string[]): Promise<Settled[]> => {
    const answer = await readOrders(shopUrl, credentials, ids, { endsAt });
    return ids.map((id) => {
      if ('failure' in answer) return unreadable(answer.failure, { order: id });
      const found = answer.orders.get(id);
      return found ? convertShopwareOrder(found, rules, 'api') : unreadable('order_not_found', { order: id });
    });
  };
  const parts = await mapConcurrently(chunks(orderIds, maxOrdersOfSearch), readSome, maxConcurrentReads);
  const readings = parts.flat();
  if (!readings.every(isUnreadable)) return withFewFaults(readings);
  if (told) return [...told, ...readings.filter(isLasting)];
  const passing = readings.find((reading) => !isLasting(reading));
  return passing ? [passing] : withFewFaults(readings);
}

/** A shop waits 5 s for our answer. The rest is for the table. */
const maxTimeMs = 4_000;
const maxConcurrentReads = 3;

const isUnreadable = ({ kind }: Settled) => kind === 'unreadable';

/** Somebody has to mend it, although the webhook told enough for an order. */
const isLasting = (reading: Settled) => reading.kind === 'unreadable' && reading.reason !== 'shop_unreachable';

/** One webhook can name hundreds of orders. */
const mostFaults = 20;

function withFewFaults(readings: readonly Settled[]): Settled[] {
  const faults = readings.filter(isUnreadable);
  return [...readings.filter((reading) => !isUnreadable(reading)), ...faults.slice(0, mostFaults)];
}
