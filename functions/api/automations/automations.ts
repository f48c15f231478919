import { automationKind } from '#domain/automations/automation-store.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { currentSecret, encryptSecret, newWebhookSecret } from '#domain/endpoints/secrets.ts';
import { type Caller, isAllowed } from '#platform/access/caller.ts';
import { invalid } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { records } from '#platform/table/records.ts';
import { put } from '#platform/table/writes.ts';
import type { Automation, automations } from '#schemas/families/automations.ts';
import { automationFaults, definitionOf, toAutomation } from './automation-rules.ts';

const automationRecords = records(automationKind);
export const { get: requireAutomation } = automationRecords;

export const listAutomations: Implementation<typeof automations.listAutomations> = async (request) => {
  const found = await automationRecords.page(request);
  return Promise.all(found.map((automation) => toResponse(automation, request)));
};

export const createAutomation: Implementation<typeof automations.createAutomation> = async ({ shop, body, now }) => {
  const definition = await checkedDefinition(body);
  const secret = newWebhookSecret();
  const automation = await automationRecords.create(shop.slug, now, async (uuid) => {
    const ciphertext = await encryptSecret(secret, { shop_slug: shop.slug, uuid, holder: 'automation' });
    return { fields: { ...definition, secrets: [{ ciphertext, created_at: now.toISOString(), expires_at: null }] } };
  });
  return toAutomation(automation, secret);
};

export const getAutomation: Implementation<typeof automations.getAutomation> = async (request) =>
  toResponse(await requireAutomation(request.shop.slug, request.params.automation_id), request);

export const replaceAutomation: Implementation<typeof automations.replaceAutomation> = async (request) => {
  const { shop, params, body } = request;
  const definition = await checkedDefinition(body);
  const automation = await automationRecords.change(shop.slug, params.automation_id, request, ({ secrets }) => ({
    fields: { ...definition, secrets },
  }));
  return toResponse(automation, request);
};

/** Keeps a copy under another key: lists and events do not find it, and its name is free again. */
export const deleteAutomation: Implementation<typeof automations.deleteAutomation> = async (request) => {
  const { shop, params, now } = request;
  await automationRecords.remove(shop.slug, params.automation_id, request, (before) => {
    const key = keyOf.deletedRecord(automationKind.name, shop.slug, before.uuid);
    return [put({ ...key, ...before, deleted_at: now.toISOString() })];
  });
  return undefined;
};

async function checkedDefinition(body: Parameters<typeof definitionOf>[0]) {
  const faults = await automationFaults(body);
  if (faults.length > 0) throw invalid(...faults);
  return definitionOf(body);
}

/** Only administrators see the secret. */
async function toResponse(automation: AutomationRecord, { caller }: { caller: Caller }): Promise<Automation> {
  const isAdmin = isAllowed(caller, 'admin', automation.shop_slug);
  return toAutomation(automation, isAdmin ? await currentSecret({ ...automation, holder: 'automation' }) : null);
}
