import { v7 as uuidv7 } from 'uuid';
import { changePart } from '#domain/settings/change-settings.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { contentTag } from '#platform/content-tag.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { checkAddress } from '#platform/outgoing/address-guard.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { recordLimits } from '#schemas/catalogues/limits.ts';
import type { settings } from '#schemas/families/settings.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
import { effectiveTriggers } from './effective-triggers.ts';
import { changedTriggerSettings, toTriggerSettings } from './settings-rules.ts';
import { changeInternalTriggers, loadInternalTriggers, loadSettingsOf } from './settings-store.ts';

type Operations = typeof settings;

export const getTriggerSettings: Implementation<Operations['getTriggerSettings']> = async (request) => {
  const { shop, params, setEtag } = request;
  const loaded = await loadSettingsOf(shop, params.integration);
  setEtag(contentTag(ownSettings(params.integration)(loaded.settings)));
  return shown(params.integration, loaded);
};

export const updateTriggerSettings: Implementation<Operations['updateTriggerSettings']> = async (request) => {
  const { shop, params, body } = request;
  if ('rest_endpoint' in body) await checkAddress('rest_endpoint', body.rest_endpoint);
  const [settings, loaded] = await Promise.all([
    changePart(request, ownSettings(params.integration), (before) =>
      changedTriggerSettings(before, params.integration, body),
    ),
    loadSettingsOf(shop, params.integration),
  ]);
  return shown(params.integration, { ...loaded, settings });
};

/** What an update can change, without internal triggers and receivers, which other operations change. */
const ownSettings = (thirdParty: ThirdParty) => (settings: StoredSettings) =>
  toTriggerSettings(settings, thirdParty, []);

type Loaded = Awaited<ReturnType<typeof loadSettingsOf>>;

const shown = (thirdParty: ThirdParty, { settings: stored, internalTriggers, receivers }: Loaded) => ({
  ...toTriggerSettings(stored, thirdParty, internalTriggers),
  effective: effectiveTriggers(stored, thirdParty, receivers),
});

export const listInternalTriggers: Implementation<Operations['listInternalTriggers']> = ({ shop, params }) =>
  loadInternalTriggers(shop.slug, params.integration);

export const getInternalTrigger: Implementation<Operations['getInternalTrigger']> = async (request) => {
  const { shop, params, setEtag } = request;
  const trigger = requireTrigger(await loadInternalTriggers(shop.slug, params.integration), params.trigger_id);
  setEtag(contentTag(trigger));
  return trigger;
};

export const createInternalTrigger: Implementation<Operations['createInternalTrigger']> = async (request) => {
  const { shop, params, body, now } = request;
  const trigger = { id: uuidv7({ msecs: now.getTime() }), ...body };
  await changeInternalTriggers(shop.slug, params.integration, (before) => added(before, trigger));
  return trigger;
};

export const updateInternalTrigger: Implementation<Operations['updateInternalTrigger']> = async (request) => {
  const { shop, params, body, refuseIfChanged, setEtag } = request;
  const after = await changeInternalTriggers(shop.slug, params.integration, (before) => {
    const present = requireTrigger(before, params.trigger_id);
    refuseIfChanged(contentTag(present));
    return before.map((trigger) => (trigger === present ? { id: present.id, ...body } : trigger));
  });
  const trigger = requireTrigger(after, params.trigger_id);
  setEtag(contentTag(trigger));
  return trigger;
};

export const deleteInternalTrigger: Implementation<Operations['deleteInternalTrigger']> = async (request) => {
  const { shop, params, refuseIfChanged } = request;
  await changeInternalTriggers(shop.slug, params.integration, (before) => {
    const present = requireTrigger(before, params.trigger_id);
    refuseIfChanged(contentTag(present));
    return before.filter((trigger) => trigger !== present);
  });
  return null;
};

/** Every shipment is checked against each of them. */
const { internalTriggers: maxTriggers } = recordLimits;

type Triggers = readonly InternalTrigger[];

function added(triggers: Triggers, trigger: InternalTrigger): InternalTrigger[] {
  // The write went through, and its answer was lost on the way.
  if (triggers.some(({ id }) => id === trigger.id)) return [...triggers];
  if (triggers.length >= maxTriggers) {
    throw invalidValue(['body'], `cannot be added, because there are already ${maxTriggers} internal triggers`);
  }
  return [...triggers, trigger];
}

function requireTrigger(triggers: Triggers, id: string): InternalTrigger {
  const trigger = triggers.find((known) => known.id === id.toLowerCase());
  if (!trigger) throw new ServiceError('internal_trigger_not_found');
  return trigger;
}
