import type { PrivacyRequest } from '#domain/privacy/request.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import type { Turn } from './round.ts';

/** What a step has to work with. */
export interface Step {
  request: PrivacyRequest;
  shop: ShopItem;
  turn: Turn;
}

/** How far the request is after a part of a step. An undefined value is removed from it. */
type Progress = Partial<Pick<PrivacyRequest, 'step' | 'orders' | 'counts' | 'person_hashes'>> & {
  position?: string | undefined;
  person?: undefined;
};

/**
 * Does a bounded part of a step: a page, or one order. It says how far the request is then, that all is done, or when it can
 * go on. It may be repeated, because the function can die before its progress is saved.
 */
export type DoStep = (step: Step) => Promise<Progress | 'done' | Date>;
