import { actionName } from '#domain/automations/action-name.ts';
import type { Action } from '#domain/automations/model.ts';
import type { ActionResult, AutomationRun } from '#domain/automations/run.ts';
import type { AutomationRun as RunShape } from '#schemas/families/automations.ts';
import type { DeliveryOf } from './run-deliveries.ts';

export function toAutomationRun(run: AutomationRun, deliveryOf: DeliveryOf): RunShape {
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

function toDelivery(place: NonNullable<ActionResult['delivery']>, deliveryOf: DeliveryOf) {
  const found = deliveryOf(place);
  return { id: place.id, status: found?.status ?? null, attempt_count: found?.attempt_count ?? 0 };
}
