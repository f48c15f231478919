import type { AutomationRecord } from '#domain/automations/model.ts';
import { keyOf } from '#platform/table/keys.ts';

export const automationUuid = '01930000-0000-7000-8000-0000000000aa';

/** An automation of the shop `blue` that every event triggers. */
export function anAutomation(fields: Partial<AutomationRecord> = {}): AutomationRecord {
  const at = '2026-11-01T00:00:00.000Z';
  return {
    uuid: automationUuid,
    shop_slug: 'blue',
    name: 'Tell the warehouse',
    status: 'active',
    trigger: { ref: '*' },
    conditions: null,
    actions: [{ type: 'webhook', params: { url: 'https://example.com/hook' } }],
    delay_minutes: 0,
    max_age_hours: 4,
    secrets: [{ ciphertext: Buffer.from('sealed'), created_at: at, expires_at: null }],
    created_at: at,
    updated_at: at,
    version: 1,
    ...fields,
  };
}

export const storedAutomation = (automation: AutomationRecord) => ({
  ...keyOf.record('automations', automation.shop_slug, automation.uuid),
  ...automation,
});
