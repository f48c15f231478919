import { runReader } from '#domain/automations/run-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import { pageOf } from '#platform/table/list-page.ts';
import type { automations } from '#schemas/families/automations.ts';
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
