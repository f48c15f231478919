import type { Cohort } from '#domain/figures/cohort.ts';
import { rangeOf } from '#domain/figures/durations.ts';
import type { Random } from '#test/fuzz/random.ts';

/** A parcel of a made world, whose whole history is known. Hours from the Monday on which the week begins. */
export interface MadeParcel {
  handedOver: number;
  /** Undefined if it is lost. */
  delivered: number | undefined;
  /** The counter of its duration. */
  range: number;
}

/** By the number of the day on which they were handed over, from that Monday on. */
export type MadeLane = ReadonlyMap<number, readonly MadeParcel[]>;

const day = 24;
const monday = Date.parse('2026-09-07');
export const timeOf = (hour: number): Date => new Date(monday + hour * 3600 * 1000);

/** How many parcels a shop hands over, from Monday to Sunday, beside an ordinary day. */
const volumes = [1.3, 1, 1, 1, 1, 0.25, 0.05];
const weeksBefore = 4;

/**
 * The parcels of one lane in the week and in those before it: handed over in the afternoon, one to four working days on
 * the way (log-normal, with a pace of its own in each week), delivered by day, not on Sundays and in every second
 * world not on Saturdays. Some take days longer (a customs office, an absent neighbour), and a few never come.
 */
export function madeLane(random: Random): MadeLane {
  const between = (least: number, most: number) => least + (most - least) * random.number();
  const lane = {
    saturdays: random.chance(0.5),
    aDay: between(150, 750),
    workingDays: between(1, 4),
    spread: between(0.25, 0.55),
    slow: between(0.05, 0.2),
    slowDays: between(3, 10),
    lost: between(0.005, 0.025),
  };
  const parcels = new Map<number, MadeParcel[]>();
  for (let weeks = -weeksBefore; weeks <= 0; weeks += 1) {
    const pace = lane.workingDays * Math.exp(0.03 * normal(random));
    for (const [weekday, volume] of volumes.entries()) {
      const number = weeks * 7 + weekday;
      const handOver = (): MadeParcel => {
        const handedOver = number * day + between(14, 20);
        const extra = random.chance(lane.slow) ? -lane.slowDays * Math.log(1 - random.number()) : 0;
        const workingDays = pace * Math.exp(lane.spread * normal(random)) + extra;
        const isLost = random.chance(lane.lost);
        const delivered = isLost ? undefined : arrival(handedOver, workingDays * day, lane.saturdays);
        return { handedOver, delivered, range: rangeOf((delivered ?? handedOver) - handedOver) };
      };
      parcels.set(number, Array.from({ length: lane.aDay * volume * between(0.8, 1.2) }, handOver));
    }
  }
  return parcels;
}

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random.number())) * Math.cos(2 * Math.PI * random.number());

/** After so many hours of working days, at the time of the day at which a carrier delivers. */
function arrival(handedOver: number, workingHours: number, saturdays: boolean): number {
  const isWorkingDay = (hour: number) => (Math.floor(hour / day) + 7 * 100) % 7 < (saturdays ? 6 : 5);
  let hour = handedOver;
  let left = workingHours;
  for (;;) {
    const midnight = (Math.floor(hour / day) + 1) * day;
    if (isWorkingDay(hour)) {
      if (left <= midnight - hour) break;
      left -= midnight - hour;
    }
    hour = midnight;
  }
  hour += left;
  const morning = Math.floor(hour / day) * day;
  return Math.max(handedOver + 1, morning + 8 + (hour - morning) / 2);
}

/** What the counters of the days say at that hour. */
export function cohortsAt(
  lane: MadeLane,
  days: readonly number[],
  now: number,
): Pick<Cohort, 'day' | 'shipped' | 'delivered'>[] {
  return days.map((number) => {
    const delivered = new Map<number, number>();
    for (const { range } of deliveredAt(lane, [number], now)) delivered.set(range, (delivered.get(range) ?? 0) + 1);
    return {
      day: timeOf(number * day)
        .toISOString()
        .slice(0, 10),
      shipped: parcelsOf(lane, [number]).length,
      delivered,
    };
  });
}

/** How long those took that have been delivered by that hour. */
export const durationsAt = (lane: MadeLane, days: readonly number[], now: number): number[] =>
  deliveredAt(lane, days, now).map(({ handedOver, delivered }) => delivered! - handedOver);

const deliveredAt = (lane: MadeLane, days: readonly number[], now: number) =>
  parcelsOf(lane, days).filter(({ delivered }) => delivered !== undefined && delivered <= now);

export const parcelsOf = (lane: MadeLane, days: readonly number[]): MadeParcel[] =>
  days.flatMap((number) => lane.get(number) ?? []);
