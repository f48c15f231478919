import { type Action, actionName } from '#domain/automations/model.ts';
import type { ActionResult, AutomationRun } from '#domain/automations/run.ts';
import { runReader } from '#domain/automations/run-store.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf } from '#platform/table/keys.ts';
import { positionsOf } from '#platform/table/list-counters.ts';
import { readPage } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { automations, AutomationRun as RunShape } from '#schemas/families/automations.ts';
import { requireAutomation } from './automations.ts';

export const listAutomationRuns: Implementation<typeof automations.listAutomationRuns> = async (request) => {
  const { shop, params } = request;
  const { uuid } = await requireAutomation(shop.slug, params.automation_id);
  const positions = positionsOf(countedLists.automationRuns(shop.slug, uuid));
  const runs = await readPage(request, `runs#${shop.slug}#${uuid}`, runReader(shop.slug, uuid), positions);
  const deliveryOf = await deliveriesOfRuns(shop.slug, runs);
  return runs.map((run) => toAutomationRun(run, deliveryOf));
};

function toAutomationRun(run: AutomationRun, deliveryOf: DeliveryOf): RunShape {
  const { id, due_at, finished_at, event, subject, status, reason, conditions, actions } = run;
  return {
    id,
    time: event.triggered_at,
    due_at,
    finished_at,
    ref: event.ref,
    event_group: event.event_group,
    event_id: event.id,
    order_id: event.order_id,
    subject_id: subject.id,
    status,
    reason,
    conditions,
    actions: actions.map((action) => toRunAction(action, run, deliveryOf)),
  };
}

function toRunAction(action: Action, { results, finished_at }: AutomationRun, deliveryOf: DeliveryOf) {
  const { type, params } = action;
  const result = results[actionName(action)];
  return {
    type,
    params: params as RunShape['actions'][number]['params'],
    status: result?.status ?? (finished_at === null ? 'waiting' : 'not_done'),
    reason: result?.reason ?? null,
    delivery: result?.delivery ? toDelivery(result.delivery, deliveryOf) : null,
  } satisfies RunShape['actions'][number];
}

function toDelivery(reference: Reference, deliveryOf: DeliveryOf) {
  const found = deliveryOf(reference);
  return { id: reference.id, status: found?.status ?? null, attempt_count: found?.attempt_count ?? 0 };
}

type Reference = NonNullable<ActionResult['delivery']>;

type DeliveryOf = (reference: Reference) => Pick<Delivery, 'status' | 'attempt_count'> | undefined;

/** Loads the current state of the runs' deliveries; undefined for one that no longer exists. */
async function deliveriesOfRuns(slug: string, runs: readonly AutomationRun[]): Promise<DeliveryOf> {
  const references = runs.flatMap(({ results }) => Object.values(results).flatMap(({ delivery }) => delivery ?? []));
  const keys = references.map(({ target, id }) => keyOf.delivery(slug, target, id));
  const items = await batchGet(keys);
  const found = new Map(references.map((reference, i) => [referenceText(reference), items[i]]));
  return (reference) => found.get(referenceText(reference)) as unknown as ReturnType<DeliveryOf>;
}

const referenceText = ({ target, id }: Reference) => `${target} ${id}`;
