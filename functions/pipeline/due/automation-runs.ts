import type { RunDueItem } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import { causeOf } from '#platform/correlation.ts';
import type { StartRound } from '#platform/table/due-item.ts';
import { removeDue } from '#platform/table/due-item.ts';
import { commit, WriteConflict } from '#platform/table/writes.ts';

/**
 * Queues a run that is due, then removes it from the list. If the removal fails, the run is queued again, which does no
 * harm: a run acts only once.
 */
export const automationRuns: StartRound = () => async (item) => {
  const run = item as RunDueItem;
  const { shop_slug, automation_id, run_id } = run;
  await enqueueRuns([{ shop_slug, automation_id, run_id, ...causeOf(run) }]);
  try {
    await commit([removeDue(item)]);
    return 'done';
  } catch (error) {
    if (error instanceof WriteConflict) return 'lost';
    throw error;
  }
};
