import { hash } from 'node:crypto';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import type { Changed, Count } from '#domain/figures/count-rules.ts';
import { type CounterItem, countIn, queryCounters, sortKeyOf } from '#platform/table/counters.ts';
import { feedOf, keyOf, ledgerPrefix } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { hourMs } from '#platform/time.ts';
import type { Feed } from './blocks.ts';
import { type FeedMark, hourOf, tellingsOf, wholeShop } from './mark.ts';
import { expiryOf } from './retention.ts';

/**
 * How many events of an hour the feed tells a receiver, and the sum of the hashes of their ids. The sum of 256 bits is kept
 * in eight counters of 32 bits, to which a function that counts only adds, in one transaction with the mark that says that it
 * was done. Who reads carries over.
 *
 * No counter can lose a digit. What a batch adds is a number of JavaScript, exact up to 2^53: that is two million ids of one
 * receiver, and a batch has 500 records, each with the parcels of one change, told twice at most. The counter itself is exact
 * up to 38 digits: that is 10^28 ids in an hour. It is read as text.
 */

const limbs = 8;
const limbCounter = (limb: number) => `d${limb}`;

/**
 * What an event adds that took its place in the feed. Its payload item is written once, so it adds once. A shop has at most
 * `endpointLimits.endpoints` endpoints, and each is one item.
 */
export function ledgerCounts(slug: string, eventId: string, mark: FeedMark): Count[] {
  return [wholeShop, ...mark.endpoints].flatMap((receiver) => {
    const ids = tellingsOf(eventId, mark, receiver).map(({ id }) => id);
    if (ids.length === 0) return [];
    const cell = cellOf(slug, mark.generation, receiver, hourOf(mark.at));
    const sums = limbSumsOf(ids).map((step, limb) => ({ ...cell, name: limbCounter(limb), step }));
    return [{ ...cell, name: 'count', step: ids.length }, ...sums];
  });
}

/** A delivery of the feed arrived, or is sent again and has not arrived yet. */
export function arrivalCountsOf({ before, after }: Changed<Delivery>): Count[] {
  if (!after?.feed) return [];
  const step = Number(after.status === 'delivered') - Number(before?.status === 'delivered');
  if (step === 0) return [];
  return [
    { ...cellOf(after.shop_slug, after.feed.generation, after.target, after.feed.hour), name: 'delivered', step },
  ];
}

const cellOf = (slug: string, generation: number, receiver: string, hour: string) => ({
  key: keyOf.ledger(slug, generation, receiver, hour),
  expires_at: expiryOf(Date.parse(hour)),
});

function limbSumsOf(ids: readonly string[]): number[] {
  const sums = Array.from({ length: limbs }, () => 0);
  for (const id of ids) {
    const digest = hash('sha256', id, 'buffer');
    for (let limb = 0; limb < limbs; limb++) sums[limb]! += digest.readUInt32BE(4 * limb);
  }
  return sums;
}

export interface LedgerHour {
  hour: string;
  count: number;
  /** The sum modulo 2^256, as 64 hexadecimal digits. */
  digest: string;
  /** Of an endpoint: how many of them it has answered with success. */
  delivered: number;
}

/** Of the hours of a range that have events, oldest first. Each bound may be absent. */
export async function readLedger(
  { slug, generation }: Feed,
  receiver: string,
  { from, to }: { from: string; to?: string | undefined },
): Promise<LedgerHour[]> {
  if (to !== undefined && to < from) return []; // DynamoDB refuses a range that ends before it begins
  const keyAt = (hour: string) => keyOf.ledger(slug, generation, receiver, hour).sk;
  const range = itemsIn(feedOf(slug), { from: keyAt(from), to: keyAt(to ?? '~') });
  const hours: LedgerHour[] = [];
  for await (const items of queryCounters({ ...range, ConsistentRead: true })) {
    for (const item of items) hours.push(toLedgerHour(ledgerPrefix(generation, receiver), item));
  }
  // A delivery can be counted a moment before its event.
  return hours.filter(({ count }) => count > 0);
}

function toLedgerHour(prefix: string, item: CounterItem): LedgerHour {
  const limbIn = (limb: number) => BigInt(item[limbCounter(limb)]?.N ?? 0);
  const sum = Array.from({ length: limbs }, (_, limb) => limbIn(limb)).reduce(
    (carried, limb) => (carried << 32n) + limb,
    0n,
  );
  return {
    hour: sortKeyOf(item).slice(prefix.length),
    count: countIn(item, 'count'),
    digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0'),
    delivered: countIn(item, 'delivered'),
  };
}

/**
 * So much later than an hour ended the function that counts must have read a heartbeat. An event takes its hour before it is
 * written, by the clock of fan-out, which may be behind and may take a minute. And the heartbeat is in one shard of the stream,
 * while events are in all of them: the batches of another one may be behind by the time that they wait for more records, and that
 * a function takes that runs again.
 */
export const settledAfterMs = 5 * 60_000;

/**
 * Whether all that usually comes to an hour is counted. What was held up for longer still joins the hour that it carries: a
 * record that was put aside and is replayed, or a shard that nobody reads while the others are read.
 * @param readUntil when the last heartbeat was written that the function that counts has read
 */
export const isSettled = (hour: string, readUntil: string | undefined): boolean =>
  readUntil !== undefined && Date.parse(hour) + hourMs + settledAfterMs <= Date.parse(readUntil);
