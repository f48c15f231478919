import { createHash } from 'node:crypto';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import type { Changed, Count } from '#domain/figures/count-rules.ts';
import { keyOf, ledgerPrefix } from '#platform/table/keys.ts';
import { feedLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { type FeedMark, hourOf, tellingsOf, wholeShop } from './mark.ts';

/**
 * How many events of an hour the feed tells a receiver, and the sum of the hashes of their ids. The sum of 256 bits is kept
 * in eight counters of 32 bits, because a number of DynamoDB has 38 digits: a function that counts only adds to each, and
 * who reads carries over. They are added as all counters are, in one transaction with the mark that says that it was done.
 */

const limbs = 8;
const limbCounter = (limb: number) => `d${limb}`;

/** What an event adds that took its place in the feed. Its payload item is written once, so it adds once. */
export function ledgerCounts(slug: string, eventId: string, mark: FeedMark): Count[] {
  return [wholeShop, ...mark.endpoints].flatMap((receiver) =>
    tellingsOf(eventId, mark, receiver).flatMap(({ id }) => {
      const cell = cellOf(slug, mark.generation, receiver, hourOf(mark.at));
      return [
        { ...cell, name: 'count', step: 1 },
        ...limbsOf(id).map((step, limb) => ({ ...cell, name: limbCounter(limb), step })),
      ];
    }),
  );
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
  expires_at: Date.parse(hour) / 1000 + secondsOfDays(feedLimits.days + 1),
});

function limbsOf(id: string): number[] {
  const digest = createHash('sha256').update(id).digest();
  return Array.from({ length: limbs }, (_, limb) => digest.readUInt32BE(4 * limb));
}

/** The counters of an hour, by their names. */
export type LedgerItem = Record<string, unknown> & { sk: string };

export interface LedgerHour {
  hour: string;
  count: number;
  /** The sum modulo 2^256, as 64 hexadecimal digits. */
  digest: string;
  /** Of an endpoint: how many of them it has answered with success. */
  delivered: number;
}

export function toLedgerHour(generation: number, receiver: string, item: LedgerItem): LedgerHour {
  const counter = (name: string) => Number(item[name] ?? 0);
  const sum = Array.from({ length: limbs }, (_, limb) => BigInt(counter(limbCounter(limb)))).reduce(
    (carried, limb) => (carried << 32n) + limb,
    0n,
  );
  return {
    hour: item.sk.slice(ledgerPrefix(generation, receiver).length),
    count: counter('count'),
    digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0'),
    delivered: counter('delivered'),
  };
}
