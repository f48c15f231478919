import { automationTarget } from '#shared/automations/action-name.ts';
import type { AutomationRecord } from '#shared/automations/model.ts';
import type { Target } from '#shared/deliveries/delivery-items.ts';

export const webhookTarget = ({ uuid }: AutomationRecord, url: string): Target => ({
  id: automationTarget(uuid, url),
  kind: 'automation',
});
