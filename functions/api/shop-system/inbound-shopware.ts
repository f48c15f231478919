import type { MappingRule } from '#domain/shop-systems/mapping-rules.ts';
import { type Reading, type Settled, unreadable } from '#domain/shop-systems/reading.ts';
import { convertShopwareOrder, readShopware } from '#domain/shop-systems/shopware/order.ts';
import { readOrder } from '#domain/shop-systems/shopware/shop-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently, within } from '#platform/batches.ts';
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
  const readOne = async (id: string): Promise<Settled> => {
    const answer = await inTime(endsAt, () => readOrder(shopUrl, credentials, id));
    return 'failure' in answer
      ? unreadable(answer.failure, { order: id })
      : convertShopwareOrder(answer.order, rules, 'api');
  };
  const readings = await mapConcurrently(orderIds, readOne, maxConcurrentReads);
  if (!told || !readings.every(isUnreadable)) return withoutRepeats(readings);
  return [...told, ...withoutRepeats(readings).filter(isLasting)];
}

/** A shop waits 5 s for our answer. The rest is for the table. */
const maxTimeMs = 4_000;
const maxConcurrentReads = 5;

type Answer = Awaited<ReturnType<typeof readOrder>>;

async function inTime(endsAt: number, read: () => Promise<Answer>): Promise<Answer> {
  const leftMs = endsAt - Date.now();
  if (leftMs <= 0) return late;
  const timeout = new DOMException('late', 'TimeoutError');
  return within(leftMs, read(), () => timeout).catch((error: unknown) => {
    if (error === timeout) return late;
    throw error;
  });
}

const late: Answer = { failure: 'shop_unreachable' };

const isUnreadable = ({ kind }: Settled) => kind === 'unreadable';

/** Somebody has to mend it, although the webhook told enough for an order. */
const isLasting = (reading: Settled) => reading.kind === 'unreadable' && reading.reason !== 'shop_unreachable';

/** One webhook can name hundreds of orders, and a shop that does not answer fails for all of them alike. */
const withoutRepeats = (readings: readonly Settled[]): Settled[] =>
  readings.filter(
    (reading, i) =>
      reading.kind !== 'unreadable' ||
      i === readings.findIndex((other) => other.kind === 'unreadable' && other.reason === reading.reason),
  );
