import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import type { SimulationMark, StoredEvent } from '#domain/orders/outbox.ts';
import { outboxDataOf } from '#domain/orders/personal-data.ts';
import { whileSimulated } from '#domain/orders/simulated.ts';
import { fieldsOf, parsed } from '#platform/foreign-json.ts';
import { erased } from '#platform/personal-data.ts';
import { sendAll } from '#platform/queue.ts';
import { automationRunPrefix, automationRunsOf, keyOf } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import type { ListReader } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import {
  commit,
  insert,
  remove,
  type Action as TableAction,
  tryCommit,
  update,
  WriteConflict,
} from '#platform/table/writes.ts';
import type { RunReason, RunStatus } from '#schemas/families/automations.ts';
import type { ConditionOutcome } from './conditions.ts';
import { matchesTrigger } from './decision.ts';
import type { Action, AutomationRecord } from './model.ts';
import {
  type ActionResult,
  type AutomationRun,
  messageOf,
  type RunMessage,
  runDueItem,
  runId,
  runItem,
  toRun,
} from './run.ts';

/**
 * Writes a run and, if it is scheduled, its due item. Does nothing if the run exists already, or if its simulation is
 * removed.
 */
export async function createRun(run: AutomationRun): Promise<void> {
  const { simulation } = run.event;
  const checks = simulation ? simulatedRunActions(run, simulation) : [];
  const items = [runItem(run), ...(run.status === 'scheduled' && !simulation ? [runDueItem(run)] : [])];
  try {
    await commit([...checks, ...items.map(insert)]);
  } catch (error) {
    if (!(error instanceof WriteConflict) || !error.positions.some((position) => position <= checks.length))
      throw error;
  }
}

/**
 * A scheduled run of a simulated order waits for the clock of its simulation. If that clock made the event, the
 * simulation knows its runs. Otherwise, for example after a claim, it is told.
 */
function simulatedRunActions(run: AutomationRun, { id, on_clock }: SimulationMark): TableAction[] {
  const { shop_slug, due_at } = run;
  const [check] = whileSimulated({ shop_slug, simulation_id: id });
  if (on_clock || run.status !== 'scheduled') return [check!];
  const { Key, ConditionExpression } = check!.ConditionCheck!;
  return [
    update(Key!, {
      ConditionExpression,
      UpdateExpression: 'SET handed = list_append(if_not_exists(handed, :none), :runs) ADD version :one',
      ExpressionAttributeValues: { ':none': [], ':runs': [{ ...messageOf(run), due_at }], ':one': 1 },
    }),
  ];
}

export async function readRun(reference: RunMessage): Promise<AutomationRun | undefined> {
  const [run] = await readRuns([reference]);
  return run;
}

/** Those of the runs that exist. */
async function readRuns(references: readonly RunMessage[]): Promise<AutomationRun[]> {
  const keys = references.map(({ shop_slug, automation_id, run_id }) =>
    keyOf.automationRun(shop_slug, automation_id, run_id),
  );
  return (await batchGet(keys)).flatMap((item) => (item ? [toRun(item)] : []));
}

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

const possibleRuns = ({
  event,
  automation: { uuid, shop_slug },
}: {
  event: StoredEvent;
  automation: AutomationRecord;
}) =>
  subjectsOf(event).map(({ id }): RunMessage => ({ shop_slug, automation_id: uuid, run_id: runId(event, uuid, id) }));

/** The runs of an automation, newest first. */
export const runReader = (slug: string, automationId: string): ListReader<AutomationRun> =>
  newestIn(automationRunsOf(slug, automationId), automationRunPrefix, { toEntry: toRun });

/**
 * Stores the result of an action, in the same transaction as the action itself. If another worker stored a result
 * first, the condition fails and nothing in the transaction is written.
 */
export const recordResult = (run: AutomationRun, name: string, result: ActionResult) =>
  update(keyOfRun(run), {
    UpdateExpression: 'SET results.#name = :result',
    ConditionExpression: 'finished_at = :never AND attribute_not_exists(results.#name)',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':result': result, ':never': null },
  });

const keyOfRun = ({ shop_slug, automation_id, id }: AutomationRun) => keyOf.automationRun(shop_slug, automation_id, id);

export interface RunResult {
  status: RunStatus;
  reason?: RunReason;
  conditions?: ConditionOutcome[];
  actions?: Action[];
  results?: Record<string, ActionResult>;
}

/** False if the run has finished already or does not exist any more. */
export async function finishRun(run: AutomationRun, end: RunResult, now: Date): Promise<boolean> {
  const change = {
    UpdateExpression:
      'SET #status = :status, reason = :reason, conditions = :conditions, actions = :actions, results = :results, ' +
      'finished_at = :now',
    ConditionExpression: 'finished_at = :never',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': end.status,
      ':reason': end.reason ?? null,
      ':conditions': end.conditions ?? run.conditions,
      ':actions': end.actions ?? run.actions,
      ':results': end.results ?? run.results,
      ':now': now.toISOString(),
      ':never': null,
    },
  };
  return tryCommit([update(keyOfRun(run), change)]);
}

/** Erases what is personal from a run. One that waits never acts. */
export async function eraseRun(run: AutomationRun, at: string): Promise<void> {
  const { event } = run;
  const end: RunResult = { status: 'skipped', reason: 'order_erased' };
  if (run.finished_at === null) await finishRun(run, end, new Date(at));
  const change = {
    UpdateExpression: 'SET #event = :event',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#event': 'event' },
    ExpressionAttributeValues: { ':event': erased(outboxDataOf(event), event) },
  };
  await tryCommit([update(keyOfRun(run), change)]);
}

/** A scheduled run is not queued any more. */
export const forgetDue = ({ shop_slug, automation_id, id }: AutomationRun): Promise<void> =>
  commit([remove(keyOf.dueRun(shop_slug, automation_id, id))]);

/** An operator sends a run again that was given up. Throws WriteConflict if the run has changed: then its message comes again. */
export async function reopenRun(run: AutomationRun): Promise<AutomationRun> {
  const change = {
    UpdateExpression: 'SET #status = :pending, reason = :none, finished_at = :none',
    ConditionExpression: 'finished_at = :read',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':pending': 'pending' satisfies RunStatus, ':none': null, ':read': run.finished_at },
  };
  await commit([update(keyOfRun(run), change)]);
  return { ...run, status: 'pending', reason: null, finished_at: null };
}

/** Keeps the message of a run that was given up, so that it can be sent again. */
export const keepGivenUpRun = (message: RunMessage, reason: string): Promise<void> =>
  sendAll([{ ...message, given_up: true as const }], {
    variable: 'GIVEN_UP_RUNS_QUEUE_URL',
    groupOf: ({ shop_slug }) => shop_slug,
    attributesOf: () => ({ reason }),
  });

/**
 * Sends runs to their queue, which is fair between shops. Throws NotEnqueued with the messages that the queue did not
 * accept.
 */
export const enqueueRuns = (messages: readonly RunMessage[]): Promise<void> =>
  sendAll(messages, { variable: 'AUTOMATION_RUN_QUEUE_URL', groupOf: ({ shop_slug }) => shop_slug });

/** The reference in a message of the queue, or undefined if the message is not ours. */
export function parseRunMessage(body: string): RunMessage | undefined {
  const message = fieldsOf(parsed(body)) as unknown as RunMessage;
  const parts = [message.shop_slug, message.automation_id, message.run_id];
  return parts.every((part) => typeof part === 'string' && part !== '') ? message : undefined;
}
