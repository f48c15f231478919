import { v7 as uuidv7 } from 'uuid';
import type { Implementation } from '#platform/http/request.ts';
import type { settings } from '#schemas/families/settings.ts';
import { added, found, removed, replaced } from './internal-trigger-rules.ts';
import { changeInternalTriggers, loadInternalTriggers } from './settings-store.ts';

type Operations = typeof settings;

export const listInternalTriggers: Implementation<Operations['listInternalTriggers']> = ({ shop, params }) =>
  loadInternalTriggers(shop.slug, params.integration);

export const getInternalTrigger: Implementation<Operations['getInternalTrigger']> = async ({ shop, params }) =>
  found(await loadInternalTriggers(shop.slug, params.integration), params.trigger_id);

export const createInternalTrigger: Implementation<Operations['createInternalTrigger']> = async (request) => {
  const { shop, params, body, now } = request;
  const trigger = { id: uuidv7({ msecs: now.getTime() }), ...body };
  await changeInternalTriggers(shop.slug, params.integration, (before) => added(before, trigger));
  return trigger;
};

export const updateInternalTrigger: Implementation<Operations['updateInternalTrigger']> = async (request) => {
  const { shop, params, body } = request;
  const after = await changeInternalTriggers(shop.slug, params.integration, (before) =>
    replaced(before, params.trigger_id, body),
  );
  return found(after, params.trigger_id);
};

export const deleteInternalTrigger: Implementation<Operations['deleteInternalTrigger']> = async ({ shop, params }) => {
  await changeInternalTriggers(shop.slug, params.integration, (before) => removed(before, params.trigger_id));
  return null;
};
