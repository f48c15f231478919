import type { Night, RetentionWork } from '#domain/privacy/retention-work.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import type { Retention } from '#schemas/families/privacy.ts';
import type { Turn } from './round.ts';

/** What a part of a night has to work with. */
export interface Keeping {
  shop: ShopItem;
  retention: Retention;
  turn: Turn;
}

/** How far retention is in all, and in this night. */
export interface NightState extends Pick<RetentionWork, (typeof saved)[number]> {
  night: Night;
}

export const saved = ['orders_at', 'walk_began', 'claims_at', 'messages_at'] as const;

/** Does a page of a part, and says how far the night is then. */
export type Part = (keeping: Keeping, state: NightState) => Promise<NightState | 'ended'>;

/** A page of orders. Undefined if there is none left in this part. */
export type CollectPage = (keeping: Keeping, days: number, state: NightState) => Promise<NightState | undefined>;
