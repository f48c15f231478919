import { type Connection, targetFault } from '#domain/deliveries/integration-targets.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { offReason, triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { IneffectiveReason, TriggerSettings } from '#schemas/shapes/trigger-shapes.ts';

/** Who could get the events of a third party. */
export interface Receivers {
  shop: Connection['shop'];
  /** The stored key of the integration. */
  key: Connection['key'];
  /** Whether the shop has an active endpoint. It matters to `webhook` only. */
  hasEndpoint: boolean;
}

/** Whether events reach a third party, by the rules that fan-out follows. */
export function effectiveTriggers(
  settings: StoredSettings,
  thirdParty: ThirdParty,
  receivers: Receivers,
): TriggerSettings['effective'] {
  const reason = ineffectiveReason(settings, thirdParty, receivers) ?? null;
  return { active: reason === null, reason, message: reason && messages[reason] };
}

function ineffectiveReason(
  settings: StoredSettings,
  thirdParty: ThirdParty,
  { shop, key, hasEndpoint }: Receivers,
): IneffectiveReason | undefined {
  const off = offReason(settings, thirdParty);
  if (off) return off;
  const fault =
    thirdParty === 'webhook' ? endpointFault(hasEndpoint) : targetFault(thirdParty, { shop, settings, key });
  if (fault) return fault;
  return triggerRules(settings)[thirdParty].stale_event_threshold === 0 ? 'threshold_zero' : undefined;
}

const endpointFault = (hasEndpoint: boolean) => (hasEndpoint ? undefined : 'no_endpoint');

const messages: Record<IneffectiveReason, string> = {
  switch_off: 'Turn on the switch of the integration in settings/triggers.',
  status_off: 'Set status to true.',
  no_address:
    'The integration has no address. For integration_3, set rest_endpoint. For others, ask the operator of the service.',
  no_key: 'Set the key of the integration.',
  key_for_other_server:
    'The key was set for another server than that of rest_endpoint or shop_admin_url. Set the key again.',
  no_endpoint: 'Create a webhook endpoint, or set the status of one to active.',
  threshold_zero:
    'Set stale_event_threshold to 1 or more. With 0 every event is too old, except those of internal triggers.',
};
