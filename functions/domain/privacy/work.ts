import { indexKeyOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';

/** The kinds of work that go on in the background. Each has an item of its own, in a list by the time when it is due. */
export type WorkName = 'request' | 'retention' | 'removal';

/** What every piece of work has, whatever else its item holds. */
export interface Work extends Key {
  work: WorkName;
  shop_slug: string;
  /** Changes with each round that takes the work, so it names the holder. */
  version: number;
  /** Unix milliseconds. While a round works on it. */
  held_until?: number;
  /** Rounds in a row that took it and did not say that they were well. */
  tries?: number;
  /** In the list of work, while there is something to do. */
  list_pk?: string;
  list_sk?: string;
}

/** The attributes of new work, or of work that is due again. */
export const dueAt = (slug: string, sk: string, at: Date) => indexKeyOf.privacyWork(at.toISOString(), slug, sk);

export const isDue = ({ list_sk }: Work, now: Date): boolean =>
  list_sk !== undefined && list_sk.split('#')[0]! <= now.toISOString();

export const isHeld = ({ held_until = 0 }: Work, now: Date): boolean => held_until > now.getTime();

const minute = 60_000;

/** After a failure: twice as long as after the one before, up to an hour. */
export const afterFailure = (tries: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(60, 2 ** Math.max(0, tries - 1)) * minute);

export const isGivenUp = (tries: number): boolean => tries >= limits.tries;

/** The earliest work of each shop. A round gives each of these shops a turn before any has its next. */
export function oneOfEachShop<T extends Pick<Work, 'shop_slug'>>(inTheOrderOfTheList: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const work of inTheOrderOfTheList) if (!first.has(work.shop_slug)) first.set(work.shop_slug, work);
  return [...first.values()];
}
