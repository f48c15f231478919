import { isTriggered, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { type AutomationRun, newRun } from '#domain/automations/run.ts';
import { type OrderContext, payloadOf, subjectsOf } from '#domain/deliveries/event-payload.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import type { Viewer } from '#domain/orders/presentation.ts';

/** The runs that an event on the clock of a simulation starts. All wait for the clock, also those without a delay. */
export function startedRuns(
  event: StoredEvent,
  automations: readonly AutomationRecord[],
  context: OrderContext,
  viewer: Viewer,
): AutomationRun[] {
  const triggered = automations.filter((automation) => isTriggered(automation, event));
  return subjectsOf(event).flatMap((subject) =>
    triggered.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payloadOf(event, subject, context, viewer));
      if (!start) return [];
      const status = start.status === 'pending' ? 'scheduled' : start.status;
      return [newRun(automation, event, subject, { ...start, status })];
    }),
  );
}
