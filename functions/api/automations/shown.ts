import type { AutomationRecord } from '#domain/automations/model.ts';
import { currentSecret } from '#domain/endpoints/secrets.ts';
import { type Caller, isAllowed } from '#platform/access/caller.ts';
import type { Automation } from '#schemas/families/automations.ts';
import { toAutomation } from './automation-rules.ts';

/** An automation as its reader may see it: secrets are for administrators. */
export async function shown(automation: AutomationRecord, { caller }: { caller: Caller }): Promise<Automation> {
  const maySee = isAllowed(caller, 'admin', automation.shop_slug);
  return toAutomation(automation, maySee ? await currentSecret({ ...automation, holder: 'automation' }) : null);
}
