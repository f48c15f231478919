import { hourMs } from '#platform/time.ts';
import { feedLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { hourOf } from './mark.ts';

/**
 * Where a reader goes on: behind some things that an event tells. For callers it is a text without meaning.
 */
export interface Cursor {
  generation: number;
  block: number;
  /** The first place that was not read whole. */
  index: number;
  /** How many things its event tells that were read. */
  told: number;
  /** Of the last event that was read, or if there was no more, when the reader looked. In milliseconds. */
  at: number;
}

export function writeCursor({ generation, block, index, told, at }: Cursor): string {
  return Buffer.from(JSON.stringify([generation, block, index, told, at])).toString('base64url');
}

/** Undefined if it is no cursor. */
export function readCursor(text: string): Cursor | undefined {
  try {
    const numbers: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(numbers) || numbers.length !== 5 || !numbers.every(isCount)) return undefined;
    const [generation, block, index, told, at] = numbers as [number, number, number, number, number];
    return { generation, block, index, told, at };
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The first hour that is kept. Hours go whole. */
export const firstKeptHour = (now: Date): string => hourOf(now.getTime() - secondsOfDays(feedLimits.days) * 1000);

/** The beginning of that hour, in milliseconds. */
export const keptSince = (now: Date): number =>
  Math.floor((now.getTime() - secondsOfDays(feedLimits.days) * 1000) / hourMs) * hourMs;
