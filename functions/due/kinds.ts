import type { DueKind } from '#shared/due/due-item.ts';
import type { StartRound } from '#shared/due/due-work.ts';

/** Who does what is due. */
export const kinds: Record<DueKind, StartRound> = {
  internal_trigger: () => async () => 'lost',
  automation_run: () => async () => 'lost',
};
