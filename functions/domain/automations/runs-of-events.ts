import { type StoredEvent, subjectsOf } from '#domain/payload/event-payload.ts';
import { matchesTrigger } from './decision.ts';
import type { AutomationRecord } from './model.ts';
import { type AutomationRun, type RunMessage, runId } from './run.ts';
import { readRuns } from './run-store.ts';

/**
 * The runs that events started, of the automations whose trigger they match today. Ids of runs are derived, so they are
 * read directly.
 * @param max how many runs are looked for. Those of the newest events come first.
 */
export function runsOfEvents(
  events: readonly StoredEvent[],
  automations: readonly AutomationRecord[],
  max: number,
): Promise<AutomationRun[]> {
  const newestFirst = events.toSorted((a, b) => (a.triggered_at < b.triggered_at ? 1 : -1));
  const possible = newestFirst.flatMap((event) =>
    automations
      .filter(({ trigger }) => matchesTrigger(trigger, event))
      .flatMap((automation) => possibleRuns(event, automation)),
  );
  return readRuns(possible.slice(0, max));
}

const possibleRuns = (event: StoredEvent, { uuid, shop_slug }: AutomationRecord): RunMessage[] =>
  subjectsOf(event).map(({ id }) => ({ shop_slug, automation_id: uuid, run_id: runId(event, uuid, id) }));
