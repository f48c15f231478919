import { isTriggered, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { newRun } from '#domain/automations/run.ts';
import { createRun } from '#domain/automations/run-store.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { payloadOf, type StoredEvent, subjectsOf } from '#domain/payload/event-payload.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { ReadOrderContext } from './event-deliveries.ts';

const maxConcurrentWrites = 10;

/**
 * Records a run for each automation that the event triggers and for each of the event's subjects. It does not queue the
 * runs: the stream shows the new ones that act at once, and they are queued then. When an event comes again, the
 * automation may no longer match, so a run that an earlier try recorded but did not queue would wait for ever. If no
 * automation listens to the event, the order is not read.
 */
export async function makeRuns(
  event: StoredEvent,
  automations: readonly AutomationRecord[],
  viewer: Viewer,
  readOrderContext: ReadOrderContext,
): Promise<void> {
  const triggered = automations.filter((automation) => isTriggered(automation, event));
  if (triggered.length === 0) return;
  const context = await readOrderContext();
  const runs = subjectsOf(event).flatMap((subject) => {
    const payload = payloadOf(event, subject, context, viewer);
    return triggered.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payload);
      return start ? [newRun(automation, event, subject, start)] : [];
    });
  });
  await mapConcurrently(runs, createRun, maxConcurrentWrites);
}
