import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { matchesTrigger } from './decision.ts';
import type { AutomationRecord } from './model.ts';
import { type AutomationRun, type RunMessage, runId } from './run.ts';
import { readRuns } from './run-store.ts';

/**
 * The runs that events started. Ids of runs are derived, so they are read directly. A trigger may have changed since, so
 * every automation can have run for every event.
 * @param max how many runs are looked for. Those whose trigger matches today come first, then those of the newest events.
 */
export function runsOfEvents(
  events: readonly StoredEvent[],
  automations: readonly AutomationRecord[],
  max: number,
): Promise<AutomationRun[]> {
  const newestFirst = events.toSorted((a, b) => (a.triggered_at < b.triggered_at ? 1 : -1));
  const pairs = newestFirst.flatMap((event) => automations.map((automation) => ({ event, automation })));
  const { likely = [], unlikely = [] } = Object.groupBy(pairs, ({ event, automation }) =>
    matchesTrigger(automation.trigger, event) ? 'likely' : 'unlikely',
  );
  return readRuns([...likely, ...unlikely].flatMap(possibleRuns).slice(0, max));
}

const possibleRuns = ({ event, automation: { uuid, shop_slug } }: Pair): RunMessage[] =>
  subjectsOf(event).map(({ id }) => ({ shop_slug, automation_id: uuid, run_id: runId(event, uuid, id) }));

interface Pair {
  event: StoredEvent;
  automation: AutomationRecord;
}
