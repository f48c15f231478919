import { createHash } from 'node:crypto';

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

export function writeCursor(slug: string, { generation, block, index, told, at }: Cursor): string {
  const numbers = [generation, block, index, told, at];
  return Buffer.from(JSON.stringify([...numbers, checksum(slug, numbers)])).toString('base64url');
}

/** Undefined if it is no cursor of the shop. */
export function readCursor(slug: string, text: string): Cursor | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(read) || read.length !== 6) return undefined;
    const numbers = read.slice(0, -1);
    if (!numbers.every(isCount) || read.at(-1) !== checksum(slug, numbers)) return undefined;
    const [generation, block, index, told, at] = numbers as [number, number, number, number, number];
    return { generation, block, index, told, at };
  } catch {
    return undefined;
  }
}

/** The feeds of two shops count alike: a cursor of the other one, or one with a wrong digit, would skip events. */
const checksum = (slug: string, numbers: readonly number[]): string =>
  createHash('sha256')
    .update(JSON.stringify([slug, ...numbers]))
    .digest('hex')
    .slice(0, 8);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
