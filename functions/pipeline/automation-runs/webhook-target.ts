import { automationTarget } from '#domain/automations/action-name.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import type { Target } from '#domain/deliveries/delivery-items.ts';

export const webhookTarget = ({ uuid }: AutomationRecord, url: string): Target => ({
  id: automationTarget(uuid, url),
  kind: 'automation',
});
