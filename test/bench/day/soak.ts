import type { LiveMemory } from './live-memory.ts';
import type { Look } from './log.ts';
import { steps } from './plan.ts';

/** What memory and disk were at one time of the soak. */
export interface SoakRow {
  minutes: number;
  rss: number;
  /** What the heaps held after the last collection. */
  live: LiveMemory;
  diskBytes: number;
  /** What the disk took for each order since the row before. */
  diskOfOrder: number;
}

/** Functions start in the first minutes, and the compiler optimizes them: memory is compared from then on. */
const warmShare = 1 / 6;
/**
 * What leaks by the order, or by the minute, takes more than this within an hour: from the heaps and buffers of the threads,
 * or beside them from the memory of the process, which stays as it is because the heaps are collected once in a minute. Both
 * are divided by the threads: a function that was kept waiting has another sandbox from then on, up to its concurrency. The
 * thread of the emulators is judged alone, too, because what it leaks is little beside all others.
 */
const mostGrowth = { live: 1.15, emulators: 1.15, rss: 1.15, diskOfOrder: 1.15 };

/** An order has these steps, and some have a claim or are searched for. */
const stepsOfOrder = steps.length - 2;

/** At the beginning, when everything is warm, at the quarters, and at the end. Memory is the mean of the looks around. */
export function soakRows(looks: readonly Look[]): SoakRow[] {
  const [first, last] = [looks[0]!, looks.at(-1)!];
  const length = last.at - first.at;
  const around = Math.max(1, Math.floor(looks.length / 30));
  const rows: SoakRow[] = [];
  let before = first;
  for (const share of [0, warmShare, 0.25, 0.5, 0.75, 1]) {
    const place = Math.max(
      0,
      looks.findLastIndex(({ at }) => at <= first.at + share * length),
    );
    const some = looks.slice(Math.max(0, place - around), place + 1);
    const look = looks[place]!;
    const orders = (look.steps - before.steps) / stepsOfOrder;
    rows.push({
      minutes: (look.at - first.at) / 60_000,
      rss: meanOf(some, ({ sample }) => sample.rss),
      live: looks.findLast((one, i) => i <= place && one.live !== undefined)?.live ?? noLive,
      diskBytes: look.sample.diskBytes,
      diskOfOrder: orders > 0 ? (look.sample.diskBytes - before.sample.diskBytes) / orders : 0,
    });
    before = look;
  }
  return rows;
}

const noLive: LiveMemory = { threads: 1, bytes: 0, emulatorBytes: 0 };

/** Of the time that the soak was to take. The first look comes after some seconds. */
const leastSeen = 0.95;

/** What grows although the data does not explain it. @param minutes that the soak was to take */
export function faultsOfSoak(rows: readonly SoakRow[], minutes: number): string[] {
  const [, warm, , half, , end] = rows as [SoakRow, SoakRow, SoakRow, SoakRow, SoakRow, SoakRow];
  const grown = {
    live: ofThread(end, end.live.bytes) / ofThread(warm, warm.live.bytes),
    emulators: end.live.emulatorBytes / warm.live.emulatorBytes,
    rss: ofThread(end, end.rss) / ofThread(warm, warm.rss),
    diskOfOrder: end.diskOfOrder / half.diskOfOrder,
  };
  const faults: string[] = [];
  if (!(end.minutes >= minutes * leastSeen)) faults.push(`nobody looked after ${Math.round(end.minutes)} minutes`);
  if (!(grown.live <= mostGrowth.live)) {
    faults.push(`what a thread holds grew to ${percent(grown.live)} of what it was when everything was warm`);
  }
  if (!(grown.emulators <= mostGrowth.emulators)) {
    faults.push(`what the emulators hold grew to ${percent(grown.emulators)} of what it was when everything was warm`);
  }
  if (!(grown.rss <= mostGrowth.rss)) {
    faults.push(`the memory of the process grew to ${percent(grown.rss)} for each thread`);
  }
  if (!(grown.diskOfOrder <= mostGrowth.diskOfOrder)) {
    faults.push(
      `an order took ${percent(grown.diskOfOrder)} of the disk in the last quarter that it took in the second`,
    );
  }
  return faults;
}

const ofThread = ({ live }: SoakRow, bytes: number): number => bytes / live.threads;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const meanOf = (looks: readonly Look[], value: (look: Look) => number): number =>
  looks.reduce((sum, look) => sum + value(look), 0) / looks.length;
