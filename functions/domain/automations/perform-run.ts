import { loadOrderContext, payloadOf } from '#domain/deliveries/event-payload.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { RunReason } from '#schemas/families/automations.ts';
import { type ActionContext, performAction } from './actions.ts';
import { automationIn } from './automation-store.ts';
import { areMet, outcomesOf } from './conditions.ts';
import { skipReason, wouldDo } from './decision.ts';
import { type AutomationRecord, actionName } from './model.ts';
import type { ActionResult, AutomationRun } from './run.ts';
import { eraseRun, finishRun } from './run-store.ts';

/**
 * Performs the automation as it is defined now, on the order as it is now. A second call for the same run, even at the
 * same time, does no harm: `performAction` performs each action at most once, and only one of the callers ends the run.
 * @param now the time on the clock of the run's simulation, if it has one
 */
export async function performRun(
  run: AutomationRun,
  now: Date,
  surroundings: Partial<Surroundings> = {},
): Promise<void> {
  const automation = await automationIn(run.shop_slug, run.automation_id);
  const reason = skipReason(automation, run);
  if (reason) return skip(run, reason, now);
  const actionContext = await loadActionContext(run, automation!, now, surroundings);
  if (!actionContext) return skip(run, 'order_gone', now);
  if (actionContext === 'erased') return eraseRun(run, now.toISOString());
  const { conditions: definedConditions, actions } = automation!;
  const conditions = outcomesOf(definedConditions, actionContext.payload);
  if (!areMet(definedConditions, conditions)) {
    await finishRun(run, { status: 'skipped', reason: 'conditions_not_met', conditions, actions }, now);
    return;
  }
  const results = automation!.status === 'testing' ? wouldDo(automation!) : await performAll(actionContext);
  await finishRun(run, { status: statusOf(automation!, results), conditions, actions, results }, now);
}

interface Surroundings {
  present: Date;
  /** A function of the API knows its address only from its request. */
  url: string;
}

async function skip(run: AutomationRun, reason: RunReason, now: Date): Promise<void> {
  await finishRun(run, { status: 'skipped', reason }, now);
}

async function loadActionContext(
  run: AutomationRun,
  automation: AutomationRecord,
  now: Date,
  { present = now, url = serviceUrl() }: Partial<Surroundings>,
): Promise<ActionContext | 'erased' | undefined> {
  const { shop_slug, event, subject } = run;
  const [[shopItem], context] = await Promise.all([
    batchGet([keyOf.shop(shop_slug)]),
    loadOrderContext(shop_slug, event.order_id),
  ]);
  if (!shopItem || !context) return undefined;
  if (context.fullOrder.order.erased_at !== undefined) return 'erased';
  const shop = shopItem as unknown as ShopItem;
  const viewer = await viewerOf({ shop, language: shop.language ?? 'en', serviceUrl: url, now });
  return { run, automation, shop, payload: payloadOf(event, subject, context, viewer), now, present };
}

/** The actions run one after the other, because they may change the same order. */
async function performAll(actionContext: ActionContext): Promise<Record<string, ActionResult>> {
  const { run, automation } = actionContext;
  const results: Record<string, ActionResult> = { ...run.results };
  for (const action of automation.actions) {
    const name = actionName(action);
    results[name] ??= await performAction(action, actionContext);
  }
  return results;
}

function statusOf({ status }: AutomationRecord, results: Record<string, ActionResult>) {
  if (status === 'testing') return 'tested';
  return Object.values(results).some((result) => result.status === 'failed') ? 'failed' : 'done';
}
