import type { automations } from '#schemas/automations.ts';
import { runReader } from '#shared/automations/run-store.ts';
import { pageOf } from '#shared/list-page.ts';
import type { Implementation } from '#shared/request.ts';
import { requireAutomation } from './automations.ts';
import { deliveriesOfRuns } from './run-deliveries.ts';
import { toAutomationRun } from './run-rules.ts';

export const listAutomationRuns: Implementation<typeof automations.listAutomationRuns> = async (request) => {
  const { shop, params } = request;
  const { uuid } = await requireAutomation(shop.slug, params.automation_id);
  const runs = await pageOf(request, `runs#${shop.slug}#${uuid}`, runReader(shop.slug, uuid));
  const deliveryOf = await deliveriesOfRuns(shop.slug, runs);
  return runs.map((run) => toAutomationRun(run, deliveryOf));
};
