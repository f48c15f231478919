import { ExtraWriteFailed, updateClaim } from '#domain/claims/claim-writes.ts';
import { newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import { createAndWake } from '#domain/deliveries/delivery-store.ts';
import { subjectVersion } from '#domain/deliveries/event-payload.ts';
import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { isErased } from '#domain/orders/erased-order.ts';
import { timeOfChange } from '#domain/orders/order-rules.ts';
import { loadOrder, saveOrder } from '#domain/orders/order-store.ts';
import { logTimeOf } from '#domain/orders/outbox.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import {
  type Action,
  type AutomationRecord,
  actionName,
  automationTarget,
  type ClaimStatus,
  causedBy,
  chainOf,
} from './model.ts';
import { type ActionResult, type AutomationRun, messageOf } from './run.ts';
import { readRun, recordResult } from './run-store.ts';

export interface ActionContext {
  run: AutomationRun;
  automation: AutomationRecord;
  shop: ShopItem;
  payload: object;
  /** When the run acts: on the clock of its simulation, if it has one. */
  now: Date;
  /** The present. Deliveries are sent and kept in real time. */
  present: Date;
}

/**
 * Performs an action at most once. The id of a delivery follows from the run, so a second try creates no second
 * delivery. A change of a claim or an order records its result on the run in the same transaction. An error that would
 * repeat is returned as failed. Every other error is thrown, and the queue hands the run out again.
 */
export async function performAction(action: Action, context: ActionContext): Promise<ActionResult> {
  switch (action.type) {
    case 'webhook':
      return deliverTo(webhookTarget(context.automation, action.params.url), context);
    case 'integration':
      if (isWithoutIntegrations(context)) return { status: 'would_do', reason: 'simulation' };
      return deliverTo(await configuredIntegration(context.shop, action.params.integration), context);
    case 'update_claim':
      return changeClaimStatus(action.params.status, actionName(action), context);
    case 'add_segment':
      return addSegment(action.params.segment, actionName(action), context);
  }
}

const isWithoutIntegrations = ({ run: { event } }: ActionContext) =>
  event.simulation !== undefined && !event.simulation.integrations;

/** Creates a delivery like that of any other event: it is signed, it is tried again, and its attempts are recorded. */
async function deliverTo(target: Target | undefined, { run, payload, present }: ActionContext): Promise<ActionResult> {
  if (!target) return { status: 'failed', reason: 'integration_not_configured' };
  const { id: event_id, ref, event_group, simulation } = run.event;
  const triggered_at = logTimeOf(run.event);
  // The event may also go to the same integration without the automation. With the run's id as its subject, this is a
  // separate delivery.
  const origin = { event_id, subject_id: run.id, ref, event_group, triggered_at, shop_slug: run.shop_slug };
  const subject_version = subjectVersion(run.event, run.subject);
  const source = { ...origin, ...(simulation && { simulation_id: simulation.id }), subject_version };
  const delivery = newDelivery(source, target, present);
  await createAndWake(delivery, JSON.stringify(payload), { probe: false });
  return { status: 'done', delivery: { target: target.id, id: delivery.id } };
}

/**
 * Undefined if the integration has no address or the shop has no key for it. The shop's switch for the integration does not
 * count: it is for events, and an automation is switched by its own status.
 */
async function configuredIntegration(shop: ShopItem, integration: NotifiedIntegration): Promise<Target | undefined> {
  const [settings = {}, key] = await batchGet([
    keyOf.settings(shop.slug),
    keyOf.integrationKey(shop.slug, integration),
  ]);
  return integrationTarget(integration, { shop, settings, key }) ? { id: integration, kind: 'integration' } : undefined;
}

const webhookTarget = ({ uuid }: AutomationRecord, url: string): Target => ({
  id: automationTarget(uuid, url),
  kind: 'automation',
});

/**
 * The result that another worker recorded for the action, if any. If another worker has ended the run without this
 * action, the action must not happen any more.
 */
async function recordedResult(run: AutomationRun, name: string): Promise<ActionResult | undefined> {
  const current = await readRun(messageOf(run));
  const result = current?.results[name];
  if (result) return result;
  return current?.finished_at === null ? undefined : { status: 'failed', reason: 'run_ended' };
}

const done: ActionResult = { status: 'done' };

function addSegment(segment: string, name: string, { run, shop, now }: ActionContext): Promise<ActionResult> {
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, run.event.order_id);
    if (!before) return { status: 'failed', reason: 'order_gone' };
    if (isErased(before.order)) return { status: 'failed', reason: 'order_erased' };
    const { segments = [] } = before.order;
    if (segments.includes(segment)) return done;
    if (segments.length >= orderLimits.segments) return { status: 'failed', reason: 'too_many_segments' };
    const previousResult = await recordedResult(run, name);
    if (previousResult) return previousResult;
    const at = timeOfChange(before, now).toISOString();
    const order = { ...before.order, segments: [...segments, segment], updated_at: at };
    const also = [recordResult(run, name, done)];
    await saveOrder({ shop, before, order, also, isReport: true, now: at });
    return done;
  });
}

/** Changes the status of the event's claim. A change that the claim does not allow is not tried again. */
async function changeClaimStatus(status: ClaimStatus, name: string, context: ActionContext): Promise<ActionResult> {
  const { run, automation, shop, now } = context;
  const { event } = run;
  if (event.source !== 'claims') return { status: 'failed', reason: 'not_of_a_claim' };
  const by = causedBy(chainOf(event), automation.uuid);
  const also = [recordResult(run, name, done)];
  try {
    await updateClaim(shop, event.claim_id, { status }, { by, now, also });
    return done;
  } catch (error) {
    const previousResult = error instanceof ExtraWriteFailed ? await recordedResult(run, name) : undefined;
    if (previousResult) return previousResult;
    if (error instanceof ServiceError && !error.isFaultOfService) return { status: 'failed', reason: error.key };
    throw error;
  }
}
