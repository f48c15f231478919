import type { DueItem } from './due-item.ts';

/**
 * How an item ended: `done`, `moved` to another time, `dropped` because it need not happen any more, or `lost` to
 * another function that works off the list at the same time.
 */
export type Ending = 'done' | 'moved' | 'dropped' | 'lost';

/**
 * Does what is due. It takes the item out of the list in the same transaction (see due-actions.ts); an item that stays
 * is done again. What it throws is tried again later.
 */
export type WorkOff = (item: DueItem) => Promise<Ending>;

/** Called once for each round: what it reads of a shop may be remembered for that long. */
export type StartRound = (now: Date) => WorkOff;
