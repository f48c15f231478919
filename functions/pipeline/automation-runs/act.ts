import { automationIn } from '#domain/automations/automation-store.ts';
import { areMet, outcomesOf } from '#domain/automations/conditions.ts';
import { skipReason, wouldDo } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { actionName } from '#domain/automations/model.ts';
import type { ActionResult, AutomationRun } from '#domain/automations/run.ts';
import { finishRun } from '#domain/automations/run-store.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { loadOrderContext, payloadOf } from '#domain/payload/event-payload.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { RunReason } from '#schemas/families/automations.ts';
import { type ActionContext, performAction } from './actions.ts';

/**
 * Does what the automation says now, on the order as it is now. It may be called again for the same run, or twice at the
 * same time: each action happens once all the same (see perform.ts), and one of the callers ends the run.
 */
export async function performRun(run: AutomationRun, now: Date): Promise<void> {
  const automation = await automationIn(run.shop_slug, run.automation_id);
  const reason = skipReason(automation, run, now);
  if (reason) return skip(run, reason, now);
  const doing = await prepared(run, automation!, now);
  if (!doing) return skip(run, 'order_gone', now);
  const { conditions: wanted, actions } = automation!;
  const conditions = outcomesOf(wanted, doing.payload);
  if (!areMet(wanted, conditions)) {
    await finishRun(run, { status: 'skipped', reason: 'conditions_not_met', conditions, actions }, now);
    return;
  }
  const results = automation!.status === 'testing' ? wouldDo(automation!) : await performAll(doing);
  await finishRun(run, { status: statusOf(automation!, results), conditions, actions, results }, now);
}

async function skip(run: AutomationRun, reason: RunReason, now: Date): Promise<void> {
  await finishRun(run, { status: 'skipped', reason }, now);
}

async function prepared(
  run: AutomationRun,
  automation: AutomationRecord,
  now: Date,
): Promise<ActionContext | undefined> {
  const { shop_slug, event, subject } = run;
  const [[found], context] = await Promise.all([
    batchGet([keyOf.shop(shop_slug)]),
    loadOrderContext(shop_slug, event.order_id),
  ]);
  if (!found || !context) return undefined;
  const shop = found as unknown as ShopItem;
  const viewer = await viewerOf({ shop, language: shop.language ?? 'en' });
  return { run, automation, shop, payload: payloadOf(event, subject, context, viewer), now };
}

/** One after the other: they may change the same order. */
async function performAll(doing: ActionContext): Promise<Record<string, ActionResult>> {
  const { run, automation } = doing;
  const results: Record<string, ActionResult> = { ...run.results };
  for (const action of automation.actions) {
    const name = actionName(action);
    results[name] ??= await performAction(action, doing);
  }
  return results;
}

function statusOf({ status }: AutomationRecord, results: Record<string, ActionResult>) {
  if (status === 'testing') return 'tested';
  return Object.values(results).some((result) => result.status === 'failed') ? 'failed' : 'done';
}
