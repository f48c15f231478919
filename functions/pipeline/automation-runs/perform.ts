import { actionName } from '#domain/automations/action-name.ts';
import type { Action, AutomationRecord } from '#domain/automations/model.ts';
import { type ActionResult, type AutomationRun, messageOf } from '#domain/automations/run.ts';
import { readRun } from '#domain/automations/run-store.ts';
import type { ShopItem } from '#platform/access/shop-item.ts';
import { addSegment } from './add-segment.ts';
import { deliverTo } from './deliver-to.ts';
import { reachedIntegration } from './reached-integration.ts';
import { changeClaimOf } from './update-claim.ts';
import { webhookTarget } from './webhook-target.ts';

/** What an action is done with. */
export interface Doing {
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
export async function perform(action: Action, doing: Doing): Promise<ActionResult> {
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
export async function recorded(run: AutomationRun, name: string): Promise<ActionResult | undefined> {
  const current = await readRun(messageOf(run));
  const result = current?.results[name];
  if (result) return result;
  return current?.finished_at === null ? undefined : { status: 'failed', reason: 'run_ended' };
}
