import {
  type Action,
  type AutomationRecord,
  actionName,
  automationTarget,
  type ClaimStatus,
  causedBy,
  chainOf,
} from '#domain/automations/model.ts';
import { type ActionResult, type AutomationRun, messageOf } from '#domain/automations/run.ts';
import { readRun, recordResult } from '#domain/automations/run-store.ts';
import { ExtraWriteFailed, updateClaim } from '#domain/claims/claim-writes.ts';
import { newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { loadOrder, saveOrder } from '#domain/orders/order-store.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { ApiError } from '#platform/http/errors.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';

/** What an action is done with. */
export interface ActionContext {
  run: AutomationRun;
  automation: AutomationRecord;
  shop: ShopItem;
  payload: object;
  now: Date;
}

/**
 * Does an action at most once. A delivery has an id that follows from the run, so that a second one is the first; what
 * changes a claim or an order says so on the run in the same transaction. What will not work the next time either is
 * answered as failed; everything else is thrown, and the run comes again.
 */
export async function performAction(action: Action, doing: ActionContext): Promise<ActionResult> {
  switch (action.type) {
    case 'webhook':
      return deliverTo(webhookTarget(doing.automation, action.params.url), doing);
    case 'integration':
      return deliverTo(await reachedIntegration(doing.shop.slug, action.params.integration), doing);
    case 'update_claim':
      return changeClaimOf(action.params.status, actionName(action), doing);
    case 'add_segment':
      return addSegment(action.params.segment, actionName(action), doing);
  }
}

/** What another worker made of an action, if one did; one that has ended the run did not want it. */
async function recorded(run: AutomationRun, name: string): Promise<ActionResult | undefined> {
  const current = await readRun(messageOf(run));
  const result = current?.results[name];
  if (result) return result;
  return current?.finished_at === null ? undefined : { status: 'failed', reason: 'run_ended' };
}

/** Hands the event over to be delivered like any other: signed, tried again, and with its attempts on record. */
async function deliverTo(target: Target | undefined, { run, payload, now }: ActionContext): Promise<ActionResult> {
  if (!target) return { status: 'failed', reason: 'integration_not_configured' };
  const { id: event_id, ref, event_group, triggered_at } = run.event;
  // The event may go to the same integration without the automation: that is another delivery.
  const occasion = { event_id, subject_id: run.id, ref, event_group, triggered_at, shop_slug: run.shop_slug };
  const delivery = newDelivery(occasion, target, now);
  await createDelivery(delivery, JSON.stringify(payload), { wake: { probe: false } });
  return { status: 'done', delivery: { target: target.id, id: delivery.id } };
}

/** Undefined where the integration has no address or the shop no key. Its switch is for events: an automation is its own. */
async function reachedIntegration(slug: string, integration: NotifiedIntegration): Promise<Target | undefined> {
  const [settings = {}, key] = await batchGet([keyOf.settings(slug), keyOf.integrationKey(slug, integration)]);
  return key && integrationTarget(integration, settings) ? { id: integration, kind: 'integration' } : undefined;
}

const webhookTarget = ({ uuid }: AutomationRecord, url: string): Target => ({
  id: automationTarget(uuid, url),
  kind: 'automation',
});

const done: ActionResult = { status: 'done' };

function addSegment(segment: string, name: string, { run, shop, now }: ActionContext): Promise<ActionResult> {
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, run.event.order_id);
    if (!before) return { status: 'failed', reason: 'order_gone' };
    const { segments = [] } = before.order;
    if (segments.includes(segment)) return done;
    if (segments.length >= orderLimits.segments) return { status: 'failed', reason: 'too_many_segments' };
    const earlier = await recorded(run, name);
    if (earlier) return earlier;
    const order = { ...before.order, segments: [...segments, segment], updated_at: now.toISOString() };
    await saveOrder({ shop, before, order, also: [recordResult(run, name, done)], now: now.toISOString() });
    return done;
  });
}

/** Moves the claim of the event. A move that it does not allow is not tried again. */
async function changeClaimOf(status: ClaimStatus, name: string, doing: ActionContext): Promise<ActionResult> {
  const { run, automation, shop, now } = doing;
  const { event } = run;
  if (event.source !== 'claims') return { status: 'failed', reason: 'not_of_a_claim' };
  const by = causedBy(chainOf(event), automation.uuid);
  const also = [recordResult(run, name, done)];
  try {
    await updateClaim(shop, event.claim_id, { status }, { by, now, also });
    return done;
  } catch (error) {
    const earlier = error instanceof ExtraWriteFailed ? await recorded(run, name) : undefined;
    if (earlier) return earlier;
    if (error instanceof ApiError && error.status < 500) return { status: 'failed', reason: error.key };
    throw error;
  }
}
