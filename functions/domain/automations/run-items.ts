import { type DueItem, dueItem } from '#domain/due/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type AutomationRun, messageOf, type RunMessage } from './run.ts';

/** How runs look in the table. Building an item is pure; sending it is the store's. */

/** One that is to act at once carries the word that it is to be queued: the stream hands it to fan-out. */
export const runItem = (run: AutomationRun) => ({
  ...keyOf.automationRun(run.shop_slug, run.automation_id, run.id),
  ...(run.status === 'pending' && { kind: 'run' as const }),
  ...run,
});

/** As the stream shows it. */
export type QueuedRunItem = AutomationRun & { kind: 'run' };

export function toRun(item: Record<string, unknown>): AutomationRun {
  const { pk: _pk, sk: _sk, kind: _kind, ...run } = item;
  return run as unknown as AutomationRun;
}

export type RunDueItem = DueItem & RunMessage;

/** When a run that is scheduled is to act. */
export const runDueItem = (run: AutomationRun) =>
  dueItem(keyOf.due(run.shop_slug, run.automation_id, `RUN#${run.id}`), {
    kind: 'automation_run' as const,
    due_at: run.due_at,
    ...messageOf(run),
  });
