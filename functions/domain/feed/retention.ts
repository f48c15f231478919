import { hourMs } from '#platform/time.ts';
import { feedLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';

/** The beginning of the first hour that is kept, in milliseconds. Hours go whole. */
export const keptSince = (now: Date): number =>
  Math.floor((now.getTime() - secondsOfDays(feedLimits.days) * 1000) / hourMs) * hourMs;

/** When DynamoDB may remove what is of this time: a day after it is no longer shown. @param at in milliseconds */
export const expiryOf = (at: number): number => Math.floor(at / 1000) + secondsOfDays(feedLimits.days + 1);
