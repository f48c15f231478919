import type { RunDueItem } from '#shared/automations/run-items.ts';
import { enqueueRuns } from '#shared/automations/run-queue.ts';
import { ConditionLost, transact } from '#shared/conditional-writes.ts';
import { removeDue } from '#shared/due/due-actions.ts';
import type { StartRound } from '#shared/due/due-work.ts';

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
    if (error instanceof ConditionLost) return 'lost';
    throw error;
  }
};
