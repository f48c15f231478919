import { invalid } from '#platform/http/api-error.ts';
import type { Implementation } from '#platform/http/request.ts';
import { addressFault } from '#platform/outgoing/address-guard.ts';
import type { settings } from '#schemas/families/settings.ts';
import { changeSettings, loadInternalTriggers, loadSettingsOf } from './settings-store.ts';
import { changedTriggerSettings, toTriggerSettings } from './trigger-settings-rules.ts';

type Operations = typeof settings;

export const getTriggerSettings: Implementation<Operations['getTriggerSettings']> = async ({ shop, params }) => {
  const { settings: stored, internalTriggers } = await loadSettingsOf(shop.slug, params.integration);
  return toTriggerSettings(stored, params.integration, internalTriggers);
};

export const updateTriggerSettings: Implementation<Operations['updateTriggerSettings']> = async (request) => {
  const { shop, params, body } = request;
  if ('rest_endpoint' in body) await checkRestEndpoint(body.rest_endpoint);
  const [stored, internalTriggers] = await Promise.all([
    changeSettings(shop.slug, (before) => changedTriggerSettings(before, params.integration, body)),
    loadInternalTriggers(shop.slug, params.integration),
  ]);
  return toTriggerSettings(stored, params.integration, internalTriggers);
};

async function checkRestEndpoint(url: string | null | undefined): Promise<void> {
  const fault = url ? await addressFault(url) : undefined;
  if (fault) throw invalid({ loc: ['body', 'rest_endpoint'], msg: fault, type: 'value_error' });
}
