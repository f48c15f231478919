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
 * Records a run for each automation that the event sets off, and for each of the event's subjects. They are queued by
 * the stream, which shows those that are to act at once, and not here: the automation may no longer match when the event
 * comes again, and a run that an earlier try recorded but did not queue would wait for ever. Where no automation listens
 * to the event its order is not read.
 */
export async function makeRuns(
  event: StoredEvent,
  automations: readonly AutomationRecord[],
  viewer: Viewer,
  read: ReadOrderContext,
): Promise<void> {
  const setOff = automations.filter((automation) => isTriggered(automation, event));
  if (setOff.length === 0) return;
  const context = await read();
  const runs = subjectsOf(event).flatMap((subject) => {
    const payload = payloadOf(event, subject, context, viewer);
    return setOff.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payload);
      return start ? [newRun(automation, event, subject, start)] : [];
    });
  });
  await mapConcurrently(runs, createRun, maxConcurrentWrites);
}
