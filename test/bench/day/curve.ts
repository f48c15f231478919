import { randomFrom } from '#test/kit/random-from.ts';

export const hours = 24;

/** What is measured is kept by half hours. Behind the last is the time in which the stack finishes what is queued. */
export const slotsOfHour = 2;

export const slots = hours * slotsOfHour;

/** When a half hour begins, as a clock shows it. */
export const clockOf = (slot: number): string =>
  `${String(Math.floor(slot / slotsOfHour)).padStart(2, '0')}:${slot % slotsOfHour === 0 ? '00' : '30'}`;

export const hourMs = 3_600_000;

export const dayMs = hours * hourMs;

/**
 * How many orders an hour has, beside the quietest one: few at night, a hill at noon, and an evening with ten times the
 * night. Shops of consumer goods publish curves of this form; the figures are ours.
 */
export const weights: readonly number[] = [2, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 5, 5, 6, 7, 8, 9, 10, 9, 7, 4];

/** A newsletter: from this time on, for some minutes, orders come ten times as fast as in the mean of the day. */
export const rush = { fromMs: 20 * hourMs, minutes: 8, times: 10 };

const rushShare = (rush.times * rush.minutes) / (hours * 60);

/** When each of the orders is placed, in milliseconds since midnight, in their order. */
export function placedTimes(orders: number, seed: number): Float64Array {
  const random = randomFrom(seed);
  const times = new Float64Array(orders);
  const inRush = Math.round(orders * rushShare);
  for (let i = 0; i < inRush; i++) times[i] = rush.fromMs + random() * rush.minutes * 60_000;
  const usual = ordersByHour(orders - inRush);
  let next = inRush;
  usual.forEach((count, hour) => {
    for (let i = 0; i < count; i++) times[next++] = (hour + random()) * hourMs;
  });
  return times.sort();
}

/** The same for a day without a shape. */
export const evenTimes = (orders: number): Float64Array =>
  Float64Array.from({ length: orders }, (_, order) => ((order + 0.5) * dayMs) / orders);

/** Whole orders for each hour, as near to the weights as they can be and together exactly as many as given. */
export function ordersByHour(orders: number): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  let given = 0;
  return weights.map((weight) => {
    before += weight;
    const upTo = Math.round((orders * before) / all);
    const count = upTo - given;
    given = upTo;
    return count;
  });
}

export const slotOf = (virtualMs: number): number =>
  Math.min(slots - 1, Math.floor((virtualMs * slotsOfHour) / hourMs));
