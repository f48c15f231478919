import { beginningOf, isSetOff } from '#shared/automations/decision.ts';
import { payloadOf, type StoredEvent, subjectsOf } from '#shared/automations/event-subject.ts';
import type { AutomationRecord } from '#shared/automations/model.ts';
import { messageOf, newRun, type RunMessage } from '#shared/automations/run.ts';
import { createRun } from '#shared/automations/run-store.ts';
import { chunks } from '#shared/chunks.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import type { Viewer } from '#shared/orders/presentation.ts';

const writesAtOnce = 10;

/**
 * Records a run for each automation that the event sets off, and for each of the event's subjects. Answers those that are
 * to act at once, also where an earlier try recorded them: it may have ended before it could queue them. Where no
 * automation listens to the event its order is not read.
 */
export async function makeRuns(
  event: StoredEvent,
  automations: readonly AutomationRecord[],
  viewer: Viewer,
): Promise<RunMessage[]> {
  const wanted = subjectsOf(event)
    .map((subject) => ({ subject, setOff: automations.filter((automation) => isSetOff(automation, subject)) }))
    .filter(({ setOff }) => setOff.length > 0);
  if (wanted.length === 0) return [];
  const book = await loadOrder(event.shop_slug, event.order_id);
  if (!book) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
  const runs = wanted.flatMap(({ subject, setOff }) => {
    const payload = payloadOf(subject, book, viewer);
    return setOff.flatMap((automation) => {
      const beginning = beginningOf(automation, subject, payload);
      return beginning ? [newRun(automation, subject, beginning)] : [];
    });
  });
  for (const part of chunks(runs, writesAtOnce)) await Promise.all(part.map(createRun));
  return runs.filter(({ status }) => status === 'pending').map(messageOf);
}
