import type { RunDueItem } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import type { StartRound } from '#domain/due/due-item.ts';
import { removeDue } from '#domain/due/due-item.ts';
import { transact, WriteConflict } from '#platform/table/writes.ts';

/**
 * Queues a run whose time has come, then takes it out of the list. Should it not get that far the run is queued again,
 * which does no harm: it acts once.
 */
export const automationRuns: StartRound = () => async (item) => {
  const { shop_slug, automation_id, run_id } = item as RunDueItem;
  await enqueueRuns([{ shop_slug, automation_id, run_id }]);
  try {
    await transact([removeDue(item)]);
    return 'done';
  } catch (error) {
    if (error instanceof WriteConflict) return 'lost';
    throw error;
  }
};
