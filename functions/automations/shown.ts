import type { Automation } from '#schemas/automations.ts';
import type { AutomationRecord } from '#shared/automations/model.ts';
import { type Caller, isAllowed } from '#shared/caller.ts';
import { currentSecret } from '#shared/webhooks/secrets.ts';
import { toAutomation } from './automation-rules.ts';

/** An automation as its reader may see it: secrets are for administrators. */
export async function shown(automation: AutomationRecord, { caller }: { caller: Caller }): Promise<Automation> {
  const maySee = isAllowed(caller, 'admin', automation.shop_slug);
  return toAutomation(automation, maySee ? await currentSecret({ ...automation, holder: 'automation' }) : null);
}
