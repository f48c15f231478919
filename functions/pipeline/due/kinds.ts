import type { DueKind } from '#domain/due/due-item.ts';
import type { StartRound } from '#domain/due/due-work.ts';
import { automationRuns } from './automation-runs.ts';
import { internalTriggers } from './internal-triggers.ts';
import { replanTriggers } from './replan-triggers.ts';

/** Who does what is due. */
export const kinds: Record<DueKind, StartRound> = {
  internal_trigger: internalTriggers,
  trigger_replan: replanTriggers,
  automation_run: automationRuns,
};
